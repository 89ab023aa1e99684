import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitAccount } from '../../kit/account-centre.ts'
import { createPasskey, type SoftPasskey } from '../../kit/authenticator.ts'
import { type Member, newMember } from '../../kit/clients/account-client.ts'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { freshEmail, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { addPasskey, creationOptions, RP_ID } from '../../kit/clients/passkey-client.ts'
import { openRacingApp } from '../../kit/racing-app.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests the responses to a user's changes when another change is committed first (spec/accounts#recent-verification).
 */

let app: TestApp
let member: Member
let passkey: SoftPasskey
let restore: () => Promise<unknown>
let change = ''
const email = freshEmail()
const write = async (statement: string) => {
  const { meta } = await app.env.DB.prepare(statement).bind(member.userId).run()
  return meta.changes
}
const { app: racing, meanwhile } = openRacingApp(() => write(change))
beforeAll(async () => {
  app = openTestApp()
  const passkeys = { enabled: true, rpId: RP_ID, manageUrl: null }
  await setTenantSettings(app, { passkeys, accountCentre: { enabled: true } })
  member = await newMember(racing)
  passkey = await addPasskey(racing, member)
  await visitAccount(racing, { client: member.client, username: member.username })
  restore = await keepProofs()
})
afterAll(() => setTenantSettings(app, {}))

const REVOKED = 'update users set revoked_at = 1 where id = ?'
const UNPROVED = 'delete from verification_statuses where user_id = ?'
const UNNAMED = 'update users set password_encrypted = null where id = ?'
const stepUp = [401, 'auth.insufficient_user_authentication', { maxAge: 600 }]
const lastWay = [422, 'user.last_sign_in_method']

/** Returns a function that restores the password and the verification, so tests do not have to hash a password. */
async function keepProofs() {
  const { DB } = app.env
  const [users, proofs] = [
    await DB.prepare('select password_encrypted as hash from users where id = ?').bind(member.userId).first(),
    await DB.prepare('select * from verification_statuses where user_id = ?').bind(member.userId).first(),
  ]
  const columns = Object.keys(proofs ?? {})
  const values = columns.map(() => '?').join()
  return () =>
    DB.batch([
      DB.prepare(
        'update users set revoked_at = null, password_encrypted = ?, primary_email = ? where id = ?',
      ).bind(users?.hash, email, member.userId),
      DB.prepare(`insert or replace into verification_statuses (${columns}) values (${values})`).bind(
        ...Object.values(proofs ?? {}),
      ),
    ])
}

/**
 * Makes another change after the token, the verification and the settings have been read, and just before the batch is
 * written.
 */
async function race<Answer>(statement: string, request: () => Promise<Answer>): Promise<Answer> {
  await restore()
  change = statement
  const { answer, changed } = await meanwhile(3, request)
  expect(changed).toBeGreaterThan(0)
  return answer
}

describe('removing a passkey', () => {
  it.each([
    ['the account was signed out everywhere', REVOKED, stepUp],
    ['the verification was used up', UNPROVED, stepUp],
    ['the other way to sign in was lost', UNNAMED, lastWay],
    ['it was already removed', 'delete from passkeys where user_id = ?', [404, 'entity.not_found']],
  ])('is rejected if %s', async (_, statement, expected) => {
    const answer = await race(statement, () => member.call('DELETE', `/passkeys/${passkey.id}`))
    expect(await outcomeOf(answer)).toEqual(expected)
  })
})

describe('unlinking an identity', () => {
  it.each([
    ['the account was signed out everywhere', REVOKED, stepUp],
    ['the verification was used up', UNPROVED, stepUp],
    ['the other way to sign in was lost', UNNAMED, lastWay],
    [
      'it was already unlinked',
      `update users set identities = '{}' where id = ?`,
      [404, 'user.identity_not_exist'],
    ],
  ])('is rejected if %s', async (_, statement, expected) => {
    await app.env.DB.prepare('update users set identities = ? where id = ?')
      .bind(JSON.stringify({ github: { userId: freshName() } }), member.userId)
      .run()
    const answer = await race(statement, () => member.call('DELETE', '/identities/github'))
    expect(await outcomeOf(answer)).toEqual(expected)
  })
})

it('adding a passkey is rejected if the account was signed out everywhere', async () => {
  await restore()
  const { attestation } = await createPasskey(await creationOptions(member), { origin: racing.origin })
  const answer = await race(REVOKED, () => member.call('POST', '/passkeys', attestation))
  expect(await outcomeOf(answer)).toEqual(stepUp)
})

describe('removing an address', () => {
  it.each([
    [
      'the account was signed out everywhere',
      REVOKED,
      303,
      expect.stringMatching(/^\/oidc\/auth\?.*&max_age=600&login_hint=[^&]+$/),
    ],
    ['it was already replaced', `update users set primary_email = 'b@example.com' where id = ?`, 409, null],
  ])('is rejected if %s', async (_, statement, status, location) => {
    const remove = () => member.client.post('/account/email', { intent: 'remove' })
    const answer = await race(statement, remove)
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location])
  })
})
