import { env } from 'cloudflare:workers'
import { hashPassword } from '../../src/storage/passwords/password-hash.ts'
import { freshName, PASSWORD } from './clients/cookie-client.ts'
import { freshEmail } from './clients/interaction-client.ts'

export type StoredAccount = { id: string; username: string; email: string }

/**
 * Stores a user with a name, an address and `PASSWORD` directly in the database, because registering takes six calls.
 */
export async function storeAccount({
  phone = null,
  ...properties
}: Partial<StoredAccount> & { phone?: string | null } = {}): Promise<StoredAccount> {
  const account = { username: freshName(), email: freshEmail(), ...properties }
  return { ...account, id: await storeUser({ ...account, phone }) }
}

type User = {
  id?: string
  username: string
  email?: string | null
  phone?: string | null
  /** The application to which the user has just signed in. */
  applicationId?: string
}

let hash: Promise<string> | undefined

/** Stores a user with `PASSWORD` and returns the id. */
export async function storeUser({
  id = crypto.randomUUID().slice(-12),
  username,
  email = null,
  phone = null,
  applicationId,
}: User): Promise<string> {
  hash ??= hashPassword(PASSWORD)
  const now = Date.now()
  await env.DB.prepare(
    `insert into users (tenant_id, id, username, primary_email, primary_phone, password_encrypted, password_encryption_method,
       application_id, last_sign_in_at, created_at)
     values ('default', ?, ?, ?, ?, ?, 'Argon2id', ?, ?, ?)`,
  )
    .bind(id, username, email, phone, await hash, applicationId ?? null, applicationId ? now : null, now)
    .run()
  return id
}
