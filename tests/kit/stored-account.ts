import { env } from 'cloudflare:workers'
import { hashPassword } from '../../src/storage/passwords/password-hash.ts'
import { freshName, PASSWORD } from './clients/cookie-client.ts'
import { freshEmail } from './clients/interaction-client.ts'

export type StoredAccount = { id: string; username: string; email: string }

let hash: Promise<string> | undefined

/** A user with a name, an address and `PASSWORD`. Straight to the database: to register takes six calls. */
export async function storeAccount({
  phone = null,
  ...given
}: Partial<StoredAccount> & { phone?: string | null } = {}): Promise<StoredAccount> {
  hash ??= hashPassword(PASSWORD)
  const account = {
    id: crypto.randomUUID().slice(-12),
    username: freshName(),
    email: freshEmail(),
    ...given,
  }
  await env.DB.prepare(
    `insert into users (tenant_id, id, username, primary_email, primary_phone, password_encrypted, password_encryption_method, created_at)
     values ('default', ?, ?, ?, ?, ?, 'Argon2id', ?)`,
  )
    .bind(account.id, account.username, account.email, phone, await hash, Date.now())
    .run()
  return account
}
