import { beforeAll, describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/cookie-client.ts'
import { beginInteraction, freshEmail, freshPhone, outcomeOf } from '../kit/interaction-client.ts'
import { newOperator } from '../kit/management-client.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Only the owner of an address of the account sets a new password. */

let app: TestApp
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  app = openTestApp()
})

async function newAccount() {
  const given = {
    username: freshName(),
    password: PASSWORD,
    primaryEmail: freshEmail(),
    primaryPhone: freshPhone(),
  }
  expect((await (await newOperator(app)).send('POST', '/users', given)).status).toBe(200)
  return { ...given, email: { email: given.primaryEmail }, phone: { phone: given.primaryPhone } }
}

const refused = [422, 'user.sign_in_method_not_enabled']
const profile = { password: 'another-horse-8' }

async function reset(address: { email: string } | { phone: string }, wanted = profile): Promise<Response> {
  const { start, prove, call, submit } = await beginInteraction(app)
  await start('ForgotPassword')
  expect((await prove(address)).status).toBe(204)
  await call('PUT', '/profile', wanted)
  return submit()
}

describe('a password reset', () => {
  it('accepts neither a password nor a social account', async () => {
    const { username, primaryEmail, primaryPhone } = await newAccount()
    const { call, start, submit } = await beginInteraction(app)
    for (const identifier of [
      { username, password: PASSWORD },
      { email: primaryEmail, password: PASSWORD },
      { phone: primaryPhone, password: PASSWORD },
      { connectorId: 'github', connectorData: { code: '1' } },
      { connectorId: 'github', email: primaryEmail },
    ]) {
      expect(await outcomeOf(await start('ForgotPassword', { identifier, profile }))).toEqual(refused)
      expect((await start('ForgotPassword', { profile })).status).toBe(204)
      expect(await outcomeOf(await call('PATCH', '/identifiers', identifier))).toEqual(refused)
      expect((await submit()).status).toBeGreaterThanOrEqual(400)
    }
    const { start: again } = await beginInteraction(app)
    expect((await again('SignIn', { identifier: { username, password: PASSWORD } })).status).toBe(204)
  })

  it('is made by a code to either address', async () => {
    const { email, phone } = await newAccount()
    expect((await reset(email)).status).toBe(204)
    expect((await reset(phone, { password: 'third-horse-9' })).status).toBe(204)
  })
})
