import { expect, it } from 'vitest'
import { userIdOf, visitAccount } from '../../kit/account-centre.ts'
import { newMember } from '../../kit/clients/account-client.ts'
import type { CookieClient } from '../../kit/clients/cookie-client.ts'
import { enrol, forgetUsedSteps, signInByPassword } from '../../kit/second-factor.ts'
import { storeAccount, storeAuthenticator } from '../../kit/stored-account.ts'
import { storeMember, storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'

/**
 * Most tests write a user's session directly to the database. These tests compare it with the session after a real
 * sign-in.
 */

const app = openTestApp({}, { hasCalmDatabase: true })

type User = { client: CookieClient; userId: string }

/** Returns the rows and cookies that a sign-in has written. */
async function leftBy({ client, userId }: User) {
  const query = async (text: string) => (await app.env.DB.prepare(text).bind(userId).all()).results
  const models = await query(
    `select model_name, payload, expires_at, consumed_at, grant_id is null, uid is null, session_uid is null, client_id
     from oidc_model_instances where account_id = ? and model_name <> 'AuthorizationCode' order by model_name`,
  )
  const users = await query(
    `select application_id, identities, profile, custom_data, primary_email, is_suspended, revoked_at, last_sign_in_at
     from users where id = ?`,
  )
  const browsers = await query('select * from trusted_browsers where user_id = ?')
  const rows = [...models, ...users, ...browsers].map((row) => ({
    ...row,
    ...(typeof row.payload === 'string' && { payload: JSON.parse(row.payload) }),
  }))
  const cookies = [...client.cookies.keys()].filter((name) => !isPassing(name)).sort()
  return plain({ rows, cookies }, userId)
}

const isPassing = (name: string) => /^_interaction|^_account_hint$/.test(name)

/** Replaces each id and time with its length, and keeps everything else. */
function plain(value: unknown, userId: string): unknown {
  return JSON.parse(JSON.stringify(value), (_key, each) => {
    if (each === userId) return 'the user'
    const isId = typeof each === 'string' && /^[\w-]{21,43}$/.test(each)
    return isId || (typeof each === 'number' && each > 1_000_000) ? String(each).length : each
  })
}

it('storeMember writes the same rows and cookies as a real sign-in', async () => {
  expect(await leftBy(await storeMember(app))).toEqual(await leftBy(await newMember(app)))
})

it('storeVisitor writes the same rows and cookies as a real visit to the account centre', async () => {
  const visitor = await visitAccount(app)
  const real = await leftBy({ ...visitor, userId: await userIdOf(app, visitor) })
  expect(await leftBy(await storeVisitor(app))).toEqual(real)
})

it('storeAuthenticator writes the same rows as setting up an app', async () => {
  const read = async (userId: string) => {
    const query = async (text: string) => (await app.env.DB.prepare(text).bind(userId).all()).results
    const totp = await query('select * from totp_factors where user_id = ?')
    const codes = await query('select * from backup_codes where user_id = ?')
    const lengths = [...totp, ...codes].map((row) => ({ ...row, ...lengthsOf(row, ['secret', 'digest']) }))
    return plain(lengths, userId)
  }
  const [stored, real] = [await storeAccount(), await storeAccount()]
  await storeAuthenticator(stored.id)
  await setTenantSettings(openTestApp(), { secondFactor: { policy: 'required' } })
  const interaction = await signInByPassword(openTestApp(), real.username)
  expect((await interaction.submit()).status).toBe(422)
  await enrol(interaction)
  expect((await interaction.submit()).status).toBe(200)
  await forgetUsedSteps(app)
  await setTenantSettings(openTestApp(), {})
  expect(await read(stored.id)).toEqual(await read(real.id))
})

const lengthsOf = (row: Record<string, unknown>, columns: string[]) =>
  Object.fromEntries(columns.filter((name) => name in row).map((name) => [name, String(row[name]).length]))
