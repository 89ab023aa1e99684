import { beforeAll, describe, expect, it } from 'vitest'
import { accountFields } from '../../../src/contract/account/account-fields.ts'
import { type AccountVisitor, visitAccount } from '../../kit/account-centre.ts'
import { asBearer, type Member, newMember } from '../../kit/clients/account-client.ts'
import { newCookieClient } from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import { newClient } from '../../security/parties.ts'

/** Tests the setting for which fields users and their applications may edit (spec/account-centre#fields). */

type Change = { field: (typeof accountFields)[number]; method: string; path: string; body?: unknown }

/** The calls of the account API that change a field, each with a body that the schema accepts. */
const changes: Change[] = [
  { field: 'name', method: 'PATCH', path: '', body: { name: 'Ada' } },
  { field: 'avatar', method: 'PATCH', path: '', body: { avatar: null } },
  { field: 'username', method: 'PATCH', path: '', body: { username: 'ada' } },
  { field: 'profile', method: 'PATCH', path: '', body: { profile: { nickname: 'Ada' } } },
  { field: 'password', method: 'POST', path: '/password', body: { password: 'other-horse-8' } },
  { field: 'password', method: 'PUT', path: '/password', body: { password: 'other-horse-8' } },
  { field: 'identities', method: 'DELETE', path: '/identities/google' },
  { field: 'passkeys', method: 'POST', path: '/passkeys/options', body: {} },
  { field: 'passkeys', method: 'POST', path: '/passkeys', body: {} },
  { field: 'passkeys', method: 'PATCH', path: '/passkeys/any', body: { name: 'Ring' } },
  { field: 'passkeys', method: 'DELETE', path: '/passkeys/any' },
  { field: 'factors', method: 'POST', path: '/factors/totp' },
  { field: 'factors', method: 'PUT', path: '/factors/totp', body: {} },
  { field: 'factors', method: 'POST', path: '/factors/backup-codes' },
  { field: 'factors', method: 'DELETE', path: '/factors' },
  { field: 'factors', method: 'DELETE', path: '/trusted-browsers/any' },
  { field: 'sessions', method: 'DELETE', path: '/sessions/any' },
  { field: 'applications', method: 'DELETE', path: '/consents/any' },
]

const openWith = async (policy: 'off' | 'readOnly') => {
  const app = openTestApp({}, { hasCalmDatabase: true })
  const fields = Object.fromEntries(accountFields.map((field) => [field, policy]))
  await setTenantSettings(app, { accountCentre: { enabled: true, fields } })
  // This call makes the app load and cache its settings.
  await app.fetch('/account')
  return app
}

let app: TestApp
let member: Member
let visitor: AccountVisitor
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  await setTenantSettings(app, { accountCentre: { enabled: true } })
  member = await storeMember(app)
  visitor = await visitAccount(app, { client: member.client, username: member.username })
})

describe('a read-only field', () => {
  let readOnly: TestApp
  beforeAll(async () => {
    readOnly = await openWith('readOnly')
  })

  it.each(changes)('cannot be changed by an application: $method /api/me$path, $field', async (change) => {
    const { method, path, body, field } = change
    const answer = await asBearer(readOnly, member.token)(method, path, body)
    expect(await outcomeOf(answer)).toEqual([403, 'user.field_not_editable', { field }])
  })

  it('can be read by applications, which can still verify the user', async () => {
    const call = asBearer(readOnly, member.token)
    for (const path of ['', '/passkeys', '/factors', '/sessions', '/consents', '/identities'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 200])
    const wrong = await call('POST', '/password/verify', { password: 'wrong-horse-8' })
    expect(await outcomeOf(wrong)).toEqual([422, 'session.invalid_credentials'])
  })

  it('is shown without a form, and a form from an older page is rejected', async () => {
    const client = newCookieClient(readOnly)
    for (const [name, cookie] of visitor.client.cookies) client.cookies.set(name, cookie)
    // This creates a second session for the test to end.
    await visitAccount(app, { username: visitor.username })
    for (const { path, intent } of [
      { path: '/account/profile', intent: 'save' },
      { path: '/account/email', intent: 'send' },
      { path: '/account/phone', intent: 'send' },
      { path: '/account/sessions', intent: 'endOthers' },
      { path: '/account/applications', intent: 'withdraw' },
      { path: '/account/passkeys', intent: 'remove' },
      { path: '/account/factors', intent: 'renew' },
      { path: '/account/browsers', intent: 'forgetAll' },
      { path: '/account/identities', intent: 'link' },
    ]) {
      const page = await client.get(path)
      const html = await page.text()
      expect([path, page.status, html.includes('name="intent"')]).toEqual([path, 200, false])
      const refused = await client.post(path, { intent, id: 'any', name: 'Ada' })
      expect([path, refused.status]).toEqual([path, 403])
    }
    // Passwords are never shown, and pages that would contain only a form return 404.
    for (const path of ['password', 'passkeys/new', 'factors/app', 'factors/key', 'data'])
      expect([path, (await client.get(`/account/${path}`)).status]).toEqual([path, 404])
  })
})

it.each(['data', 'deletion'] as const)('the data page is shown if only %s is enabled', async (field) => {
  const one = openTestApp({}, { hasCalmDatabase: true })
  const fields = { data: 'off', deletion: 'off', [field]: 'edit' } as const
  await setTenantSettings(one, { accountCentre: { enabled: true, fields } })
  await one.fetch('/account')
  const client = newCookieClient(one)
  for (const [name, cookie] of visitor.client.cookies) client.cookies.set(name, cookie)
  const html = await (await client.get('/account/data')).text()
  const there = ['value="download"', 'edit=deletion', 'href="/account/data"'].map((text) =>
    html.includes(text),
  )
  expect(there).toEqual([field === 'data', field === 'deletion', true])
})

it('the page of a disabled field and the links to it are hidden', async () => {
  const none = await openWith('off')
  const client = newCookieClient(none)
  for (const [name, cookie] of visitor.client.cookies) client.cookies.set(name, cookie)
  const linksOn = async (path: string) =>
    new Set((await (await client.get(path)).text()).match(/(?<=href=")\/account[^"]*/g))
  const left = new Set(['/account', '/account/profile', '/account/sign-in'])
  expect([await linksOn('/account'), await linksOn('/account/sign-in')]).toEqual([left, left])
  for (const path of [
    '/account/email',
    '/account/phone/code',
    '/account/password',
    '/account/sessions',
    '/account/applications',
    '/account/data',
  ])
    expect([path, (await client.get(path)).status]).toEqual([path, 404])
  const call = asBearer(none, member.token)
  expect(await outcomeOf(await call('DELETE', '/sessions/any'))).toEqual([
    403,
    'user.field_not_editable',
    { field: 'sessions' },
  ])
})

describe('an application', () => {
  it.each(changes)(
    'needs more than the scope `openid` for $method /api/me$path',
    async ({ method, path, body }) => {
      narrow ??= await newMember(app, { scope: 'openid', client: member.client, username: member.username })
      expect(await outcomeOf(await narrow.call(method, path, body))).toEqual([403, 'auth.forbidden'])
    },
  )
  let narrow: Member | undefined

  it('cannot change an account if it is a third party, regardless of its scopes', async () => {
    const shop = await newClient(app, 'SPA', { custom: { isThirdParty: true } })
    const foreign = await storeMember(app)
    // This simulates consent to all scopes. Other tests cover the consent itself.
    await app.env.DB.prepare(
      "update oidc_model_instances set payload = replace(payload, 'demo-app', ?) where account_id = ?",
    )
      .bind(shop.id, foreign.userId)
      .run()
    const answers = await Promise.all(
      changes.map(async ({ method, path, body }) => outcomeOf(await foreign.call(method, path, body))),
    )
    expect(answers).toEqual(changes.map(() => [403, 'auth.forbidden']))
  })
})
