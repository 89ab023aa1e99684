import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AccountVisitor, visitAccount } from '../../kit/account-centre.ts'
import { type Member, newMember } from '../../kit/clients/account-client.ts'
import { freshEmail, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { addPasskey, RP_ID } from '../../kit/clients/passkey-client.ts'
import { newReceiver, type Receiver } from '../../kit/receiver.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests how users and hooks are notified when users end sessions, consents or remembered browsers
 * (spec/accounts#repeated-notices).
 */

let app: TestApp
let operator: Operator
let receiver: Receiver
let visitor: AccountVisitor
let member: Member
let email: string
let partners: string[]
let passkeyId: string

const events = ['SessionsEnded', 'ConsentWithdrawn', 'BrowsersForgotten', 'PasskeyRenamed'] as const

beforeAll(async () => {
  await setTenantSettings(openTestApp(), {
    allowPrivateTargets: true,
    accountCentre: { enabled: true },
    passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: false },
  })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  receiver = await newReceiver()
  for (const event of events) {
    const config = { url: receiver.url, retries: 0 }
    const made = await operator.send('POST', '/hooks', { event: `User.${event}`, config })
    expect(made.status).toBe(200)
  }
  partners = await Promise.all(['Partner', 'Other partner'].map(newPartner))
  visitor = await storeVisitor(app)
  member = await newMember(app, visitor)
  ;({
    listed: { id: passkeyId },
  } = await addPasskey(app, member))
  email = freshEmail()
  const profile = JSON.stringify({ locale: 'de' })
  await app.env.DB.prepare('update users set primary_email = ?, profile = ? where id = ?')
    .bind(email, profile, member.userId)
    .run()
})
afterAll(async () => {
  await app.env.DB.prepare('delete from hooks').run()
  await setTenantSettings(app, {})
})

async function newPartner(name: string): Promise<string> {
  const oidcClientMetadata = { redirectUris: ['https://partner.example/back'] }
  const customClientMetadata = { isThirdParty: true }
  const application = { name, type: 'SPA', oidcClientMetadata, customClientMetadata }
  const made = await operator.send('POST', '/applications', application)
  return ((await made.json()) as { id: string }).id
}

const consentTo = (id: string) =>
  app.env.DB.prepare(
    "insert into consents (tenant_id, user_id, application_id, resource, scope, created_at) values ('default', ?, ?, '', 'openid', 1)",
  )
    .bind(member.userId, id)
    .run()

async function idsOf(path: string): Promise<string[]> {
  const listed = await member.call('GET', path)
  return ((await listed.json()) as { id: string; isCurrent?: boolean }[]).flatMap(({ id, isCurrent }) =>
    isCurrent ? [] : id,
  )
}

const press = async (page: string, form: Record<string, string>) =>
  expect((await visitor.client.post(`/account/${page}`, form)).status).toBe(303)

async function notificationsOf(change: () => Promise<unknown>) {
  const before = [await receivedMessages(app, { email }), await receiver.received()].map(
    ({ length }) => length,
  )
  await change()
  const mails = await receivedMessages(app, { email })
  const hooks = (await receiver.received()).slice(before[1]).map(({ body }) => JSON.parse(body))
  return { mails: mails.slice(0, mails.length - (before[0] ?? 0)), hooks }
}

/** Backdates the previous changes, as if the next change happened much later. */
const later = () =>
  app.env.DB.prepare('update logs set created_at = created_at - 600001 where user_id = ?')
    .bind(member.userId)
    .run()

const signInAgain = () => visitAccount(app, { username: visitor.username })

it('sessions that a user ends one by one are combined in one email but reported to hooks separately', async () => {
  for (let count = 0; count < 3; count++) await signInAgain()
  const [first = '', second = '', third = ''] = await idsOf('/sessions')
  const sent = await notificationsOf(async () => {
    await press('sessions', { intent: 'end', id: first })
    expect((await member.call('DELETE', `/sessions/${second}`)).status).toBe(204)
  })
  expect(sent.mails).toMatchObject([{ type: 'SessionsEnded', language: 'de' }])
  expect(sent.hooks).toMatchObject([
    { event: 'User.SessionsEnded', userId: member.userId, sessionIds: [first] },
    { event: 'User.SessionsEnded', userId: member.userId, sessionIds: [second] },
  ])
  await later()
  const again = await notificationsOf(() => press('sessions', { intent: 'end', id: third }))
  expect([again.mails.length, again.hooks.length]).toEqual([1, 1])
})

it('withdrawn consents are combined in one email but reported to hooks separately', async () => {
  const [first = '', second = ''] = partners
  await consentTo(first)
  await consentTo(second)
  const sent = await notificationsOf(async () => {
    await press('applications', { intent: 'withdraw', id: first })
    expect((await member.call('DELETE', `/consents/${second}`)).status).toBe(204)
    expect((await member.call('DELETE', `/consents/${second}`)).status).toBe(404)
  })
  expect(sent.mails).toMatchObject([{ type: 'ConsentWithdrawn', language: 'de' }])
  expect(sent.hooks).toMatchObject([{ withdrawnApplicationId: first }, { withdrawnApplicationId: second }])
})

it('forgotten browsers are reported, whether the user forgets them one by one or all at once', async () => {
  await signInAgain()
  await signInAgain()
  const all = await idsOf('/trusted-browsers')
  const [first = '', ...others] = all
  const sent = await notificationsOf(async () => {
    await press('browsers', { intent: 'forget', id: first })
    await press('browsers', { intent: 'forgetAll' })
    await press('browsers', { intent: 'forgetAll' })
  })
  expect(sent.mails).toMatchObject([{ type: 'BrowsersForgotten' }])
  expect(sent.hooks.map(({ trustedBrowserIds: ids }) => ids.toSorted())).toEqual([[first], others.toSorted()])
  const { results } = await app.env.DB.prepare(
    "select payload from logs where key = 'TriggerHook.User.BrowsersForgotten'",
  ).all<{ payload: string }>()
  expect(results.map(({ payload }) => payload).join()).toContain(first)
})

it('a renamed passkey is reported with its new name', async () => {
  const sent = await notificationsOf(() =>
    press('passkeys', { intent: 'rename', id: passkeyId, [`name-${passkeyId}`]: 'Mine' }),
  )
  expect(sent.mails).toMatchObject([{ type: 'PasskeyRenamed' }])
  expect(sent.hooks).toMatchObject([{ event: 'User.PasskeyRenamed', passkey: { name: 'Mine' } }])
})

it('the user gets no notice when an operator ends access', async () => {
  await later()
  await signInAgain()
  const [session = ''] = await idsOf('/sessions')
  const [browser = ''] = await idsOf('/trusted-browsers')
  const [partner = ''] = partners
  await consentTo(partner)
  const user = `/users/${member.userId}`
  const sent = await notificationsOf(async () => {
    for (const path of [`sessions/${session}`, `trusted-browsers/${browser}`, `consents/${partner}`])
      expect([path, (await operator.send('DELETE', `${user}/${path}`)).status]).toEqual([path, 204])
  })
  expect(sent).toEqual({ mails: [], hooks: [] })
})

// This test comes last, because a sign-in in the same second as a revocation is invalid.
it('ending all other sessions is reported as one event, and not at all if there are none', async () => {
  await later()
  await signInAgain()
  await signInAgain()
  const others = await idsOf('/sessions')
  expect(others.length).toBeGreaterThan(1)
  const sent = await notificationsOf(() => press('sessions', { intent: 'endOthers' }))
  expect(sent.mails).toMatchObject([{ type: 'SessionsEnded' }])
  expect(sent.hooks).toMatchObject([{ event: 'User.SessionsEnded' }])
  expect(sent.hooks[0].sessionIds.toSorted()).toEqual(others.toSorted())
  await app.env.DB.prepare('update users set revoked_at = revoked_at - 600000 where id = ?')
    .bind(member.userId)
    .run()
  const nothing = await notificationsOf(() => press('sessions', { intent: 'endOthers' }))
  expect(nothing).toEqual({ mails: [], hooks: [] })
})
