import { beforeAll, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/time.ts'
import { seenText } from '../../kit/seen-text.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests the values of the overview (spec/account-centre#protection) and of the sign-in page (spec/account-centre#rows).
 */

let app: TestApp
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  await setExperience(app, { methods: everyMethod })
  await setTenantSettings(app, { accountCentre: { enabled: true }, secondFactor: { policy: 'optional' } })
})

const run = (sql: string, ...values: unknown[]) =>
  app.env.DB.prepare(sql)
    .bind(...values)
    .run()

/** Opens the account centre as a user with these columns. Returns a function that reads the text of a page. */
async function openPerson(columns: Record<string, unknown>) {
  const { client, userId, username } = await storeVisitor(app)
  const names = Object.keys(columns).map((name) => `${name} = ?`)
  await run(`update users set ${names.join()} where id = ?`, ...Object.values(columns), userId)
  const pageOf = async (path: string) => (await client.get(path)).text()
  return { client, userId, username, pageOf, textOf: async (path: string) => seenText(await pageOf(path)) }
}

it('the overview says how well the account is protected, and links to what the user should do next', async () => {
  const { userId, pageOf, textOf } = await openPerson({
    name: 'Ada Lovelace',
    primary_email: 'ada@values.example',
    email_verified: 0,
  })
  const before = await pageOf('/account')
  expect(seenText(before)).toContain('Account protection Weak')
  const next = [...before.matchAll(/class="account-action" href="([^"]+)" aria-describedby="([^"]+)"/g)]
  expect(next.map(([, to, about]) => [to, about])).toEqual([
    ['/account/email', 'next-verifyEmail'],
    ['/account/factors', 'next-turnOnTwoStep'],
  ])
  for (const [, , about] of next) expect(before).toContain(`id="${about}"`)

  await run('update users set email_verified = 1 where id = ?', userId)
  await run(
    "insert into totp_factors (tenant_id, user_id, secret, created_at) values ('default', ?, 'not sealed', 1)",
    userId,
  )
  const addCode = (digest: string) =>
    run(
      "insert into backup_codes (tenant_id, user_id, digest, created_at) values ('default', ?, ?, 1)",
      userId,
      digest,
    )
  await addCode('one')
  const few = await textOf('/account')
  expect(few).toContain('Account protection Strong')
  expect(few).toContain('You have 1 backup code left.Create new codes')
  for (const digest of ['two', 'three']) await addCode(digest)
  const after = await textOf('/account')
  expect(after).toContain('Two-step sign-inBackup codesVerified email')
  expect(after).toContain('Nothing needs your attention.')
  expect(after).toContain('Sessions1 active sessionAppsNo apps have access to your account.')
})

it('the sign-in page shows the value of each setting', async () => {
  const { client, userId, textOf } = await openPerson({
    primary_email: 'grace@values.example',
    email_verified: 0,
    primary_phone: '12025550111',
    identities: JSON.stringify({ github: { userId: 'grace' } }),
  })
  const text = await textOf('/account/sign-in')
  expect(text).toContain('Emailgrace@values.example Not verified')
  expect(text).toContain('Phone number+1 2025550111 Verified')
  expect(text).toContain('PasswordSetLinked accountsgithub')
  expect(text).toContain('Two-step sign-inOff')
  expect(text).toContain('Remembered browsers1')

  const newPassword = 'another-horse-8'
  const form = { intent: 'change', newPassword, confirmPassword: newPassword }
  expect((await client.post('/account/password', form)).status).toBe(303)
  expect(await textOf('/account/sign-in')).toContain('PasswordChanged just now')
  await run('update password_changes set changed_at = ? where user_id = ?', Date.now() - 95 * DAY, userId)
  expect(await textOf('/account/sign-in')).toContain('PasswordChanged 3 months ago')
})
