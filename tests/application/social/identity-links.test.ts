import { beforeAll, expect, it } from 'vitest'
import { freshName, newCookieClient, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freshEmail, outcomeOf, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
  type SocialClient,
  userById,
} from '../../kit/clients/social-client.ts'
import { openInterruptedApp } from '../../kit/racing-app.ts'
import { newReceiver, type Receiver } from '../../kit/receiver.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests that linking a social identity at sign-in has the same effects as in the account centre (ADR-0144). */

let app: TestApp
let operator: Operator
let receiver: Receiver
beforeAll(async () => {
  const first = openTestApp()
  await setExperience(first, { methods: everyMethod })
  await setTenantSettings(first, { allowPrivateTargets: true })
  await installUpstream(first, ['oidc'])
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  receiver = await newReceiver()
  const config = { url: receiver.url, retries: 0 }
  expect((await operator.send('POST', '/hooks', { event: 'User.Updated', config })).status).toBe(200)
})

const taken = [422, 'user.identity_already_in_use']

async function newOwner() {
  const [username, email] = [freshName(), freshEmail()]
  const created = await operator.send('POST', '/users', { username, password: PASSWORD, primaryEmail: email })
  return { username, email, id: ((await created.json()) as { id: string }).id }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

/** Prepares a sign-in with the password that links an identity, up to the submit. */
async function linking(
  { username }: Owner,
  providerAccount: { id: string },
  through = app,
): Promise<SocialClient> {
  const social = await beginSocialInteraction(through, newCookieClient(through))
  await social.start('SignIn', { identifier: { username, password: PASSWORD } })
  expect((await social.proveBy('oidc', providerAccount)).status).toBe(204)
  expect((await social.call('PUT', '/profile', { connectorId: 'oidc' })).status).toBe(204)
  return social
}

const identityOf = async ({ id }: Owner) => (await userById(app, id))?.identities.oidc?.userId

/** The notices of links. The owner signs in with a new browser each time, which sends another one. */
const linkNotices = async (owner: Parameters<typeof receivedMessages>[1]) =>
  (await receivedMessages(app, owner)).filter(({ type }) => type !== 'NewSignIn')

it('[ASVS-7.5.1-4] a link made at sign-in notifies the owner and hooks, and is audited like one made in the account centre', async () => {
  const owner = await newOwner()
  const { id } = await newProviderAccount()
  const before = (await receiver.received()).length
  const social = await linking(owner, { id })
  const answer = await social.call('POST', '/submit', undefined, { 'accept-language': 'de' })
  expect(answer.status).toBe(200)
  expect(await identityOf(owner)).toBe(id)
  expect(await linkNotices(owner)).toMatchObject([{ type: 'IdentitiesChanged', language: 'de' }])
  const bodies = (await receiver.received()).slice(before).map(({ body }) => JSON.parse(body))
  expect(bodies).toMatchObject([
    { event: 'User.Updated', user: { id: owner.id, identities: { oidc: { userId: id } } } },
  ])
  const { results } = await app.env.DB.prepare(
    "select payload from logs where user_id = ? and key = 'Account.Identity.Create'",
  )
    .bind(owner.id)
    .all<{ payload: string }>()
  expect(results.map(({ payload }) => JSON.parse(payload))).toMatchObject([
    { result: 'Success', userId: owner.id, target: 'oidc', connectorId: 'oidc' },
  ])
})

it('[ASVS-7.5.1-2] a link made at sign-in does not replace the identity that the owner signs in with', async () => {
  const owner = await newOwner()
  const [own, foreign] = [await newProviderAccount(), await newProviderAccount()]
  expect((await (await linking(owner, own)).submit()).status).toBe(200)

  expect(await outcomeOf(await (await linking(owner, foreign)).submit())).toEqual(taken)
  expect(await identityOf(owner)).toBe(own.id)
  expect(await linkNotices(owner)).toHaveLength(1)
  const signingIn = await beginSocialInteraction(app)
  await signingIn.start('SignIn')
  await signingIn.proveBy('oidc', own)
  expect((await signingIn.submit()).status).toBe(200)
})

it('[ASVS-7.5.1-3] the second of two concurrent requests to link an identity is rejected and writes nothing', async () => {
  const owner = await newOwner()
  const [first, second] = [await newProviderAccount(), await newProviderAccount()]
  const winner = await linking(owner, first)
  const interrupted = openInterruptedApp('"consumed_at" = ?', async () => {
    expect((await winner.submit()).status).toBe(200)
  })
  const loser = await linking(owner, second, interrupted)
  expect(await outcomeOf(await loser.submit())).toEqual(taken)
  expect(await identityOf(owner)).toBe(first.id)
  expect(await linkNotices(owner)).toHaveLength(1)
  // The interaction is still usable, and another submit is rejected in the same way.
  expect(await outcomeOf(await loser.submit())).toEqual(taken)
})

it('a sign-in that copies a new name from the provider sends User.Updated, and one that copies the same name does not', async () => {
  const synced = await operator.send('PATCH', '/connectors/oidc', { syncProfile: true })
  expect(synced.status).toBe(200)
  const owner = await newOwner()
  const { id } = await newProviderAccount()
  expect((await (await linking(owner, { id })).submit()).status).toBe(200)
  const before = (await receiver.received()).length
  const signInAs = async (name: string) => {
    await newProviderAccount({ id, name })
    const social = await beginSocialInteraction(app)
    await social.start('SignIn')
    await social.proveBy('oidc', { id })
    expect((await social.submit()).status).toBe(200)
    return (await receiver.received()).slice(before).map(({ body }) => JSON.parse(body).user.name)
  }
  expect(await signInAs('Ada King')).toEqual(['Ada King'])
  expect(await signInAs('Ada King')).toEqual(['Ada King'])
})
