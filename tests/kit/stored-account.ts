import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { sendBatch } from '../../src/storage/batches.ts'
import { openD1 } from '../../src/storage/d1.ts'
import {
  createBackupCodes,
  insertTotpIf,
  replaceBackupCodesIf,
  totpLabel,
} from '../../src/storage/factors/factors.ts'
import { generateTotpSecret } from '../../src/storage/factors/totp.ts'
import { hashPassword } from '../../src/storage/passwords/password-hash.ts'
import { createSeals } from '../../src/storage/seal.ts'
import { freshName, PASSWORD } from './clients/cookie-client.ts'
import { freshEmail } from './clients/interaction-client.ts'
import type { Enrolled } from './second-factor.ts'

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

/**
 * Stores an authenticator app and backup codes directly in the database, because setting them up takes three calls.
 * Unlike after a real setup, no code of the app counts as used.
 */
export async function storeAuthenticator(userId: string): Promise<Enrolled> {
  const db = openD1(env.DB)
  const seals = createSeals(env.ROOT_SECRET ?? '')
  const owner = { tenantId: 'default', userId }
  const [now, condition, secret] = [Date.now(), sql`true`, generateTotpSecret()]
  const sealed = await seals.seal(totpLabel(owner.tenantId, userId), secret)
  const { codes, digests } = await createBackupCodes(seals, owner.tenantId)
  await sendBatch(db, [
    insertTotpIf(db, owner, condition, { secret: sealed, step: 1, now }),
    ...replaceBackupCodesIf(db, owner, condition, { digests, now }),
  ])
  return { secret, backupCodes: codes }
}
