import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accountHookEvents } from '../../../src/contract/hooks/hooks.ts'
import { createPasskey } from '../../kit/authenticator.ts'
import { type Member, newMember as newUser } from '../../kit/clients/account-client.ts'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { beginInteraction } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { addPasskey, creationOptions, RP_ID } from '../../kit/clients/passkey-client.ts'
import { newReceiver, type Receiver } from '../../kit/receiver.ts'
import { codeOf, enrol, raiseLevel, signInByPassword } from '../../kit/second-factor.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the hook events about passkeys and second factors (spec/connectors#hook-events). */
let app: TestApp
let operator: Operator
let receiver: Receiver
beforeAll(async () => {
  await setTenantSettings(openTestApp(), {
    allowPrivateTargets: true,
    passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: true },
    secondFactor: { policy: 'optional' },
  })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(app, {}))
afterEach(() => app.env.DB.prepare('delete from hooks').run())

type Message = { event: string; user: { id: string } } & Record<string, unknown>

/** Creates a hook for all events. */
async function subscribe(): Promise<void> {
  receiver = await newReceiver()
  const config = { url: receiver.url, retries: 0 }
  const events = [...accountHookEvents, 'PostRegister', 'PostSignIn']
  expect((await operator.send('POST', '/hooks', { events, config })).status).toBe(200)
}
const receivedMessages = async (): Promise<Message[]> =>
  (await receiver.received()).map(({ body }) => JSON.parse(body))
const receivedEvents = async () => (await receivedMessages()).map(({ event }) => event).toSorted()

/** Creates a user who signed in with two factors, because users with a factor need both to change their factors. */
async function newMember(options?: Parameters<typeof newUser>[1]): Promise<Member> {
  const member = options ? await newUser(app, options) : await storeMember(app)
  await raiseLevel(app, member)
  return member
}

const verifyPassword = ({ call }: Member) => call('POST', '/password/verify', { password: PASSWORD })

async function setUpApp(member: Member): Promise<Response> {
  await verifyPassword(member)
  const enrolmentResponse = await member.call('POST', '/factors/totp')
  const { secret, enrolment } = (await enrolmentResponse.json()) as { secret: string; enrolment: string }
  const set = await member.call('PUT', '/factors/totp', { enrolment, totpCode: await codeOf(secret) })
  expect(set.status).toBe(200)
  return set
}

describe('account hooks', () => {
  it('report a passkey when it is added, renamed or removed', async () => {
    const redirectUri = 'https://shop.example.com/back'
    const application = await operator.send('POST', '/applications', {
      name: 'Shop',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: [redirectUri] },
    })
    const { id: clientId } = (await application.json()) as { id: string }
    const member = await newMember({ clientId, redirectUri })
    await subscribe()
    const { listed } = await addPasskey(app, member)
    const common = {
      hookId: expect.any(String),
      createdAt: expect.any(String),
      userId: member.userId,
      user: expect.objectContaining({ id: member.userId, username: member.username }),
      application: { id: clientId, type: 'SPA', name: 'Shop', description: null },
    }
    expect(await receivedMessages()).toEqual([{ ...common, event: 'User.PasskeyAdded', passkey: listed }])

    await member.call('PATCH', `/passkeys/${listed.id}`, { name: 'Mine' })
    expect((await member.call('DELETE', `/passkeys/${listed.id}`)).status).toBe(204)
    const passkey = { ...listed, name: 'Mine' }
    expect((await receivedMessages()).slice(1)).toEqual([
      { ...common, event: 'User.PasskeyRenamed', passkey },
      { ...common, event: 'User.PasskeyRemoved', passkey },
    ])
  })

  it('report a passkey only once if concurrent calls add it', async () => {
    const member = await newMember()
    await verifyPassword(member)
    const { attestation } = await createPasskey(await creationOptions(member), { origin: app.origin })
    await subscribe()
    const responses = await Promise.all([1, 2, 3].map(() => member.call('POST', '/passkeys', attestation)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    expect(await receivedEvents()).toEqual(['User.PasskeyAdded'])
  })

  it('report a passkey when an operator removes it, but not if it was already removed', async () => {
    const member = await newMember()
    const { listed } = await addPasskey(app, member)
    await subscribe()
    const remove = () => operator.send('DELETE', `/users/${member.userId}/passkeys/${listed.id}`)
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    const [message, ...others] = await receivedMessages()
    const actor = { type: 'application', id: expect.any(String) }
    expect(message).toMatchObject({ event: 'User.PasskeyRemoved', passkey: listed, actor })
    expect(message).not.toHaveProperty('application')
    expect(others).toEqual([])
  })

  it('report a second factor without its secrets when it is set up, replaced or removed', async () => {
    const member = await newMember()
    await subscribe()
    await setUpApp(member)
    expect(await receivedMessages()).toMatchObject([{ event: 'User.FactorAdded', factor: { kind: 'totp' } }])
    await setUpApp(member)
    expect(await receivedEvents()).toEqual(['User.FactorAdded', 'User.FactorAdded', 'User.FactorRemoved'])
    await member.call('POST', '/factors/backup-codes')
    expect((await receivedMessages()).at(-1)).toMatchObject({
      event: 'User.FactorAdded',
      factor: { kind: 'backupCode' },
    })
    await member.call('DELETE', '/factors')
    expect((await receivedMessages()).at(-1)).toMatchObject({
      event: 'User.FactorRemoved',
      factor: { kind: 'totp' },
    })
    expect(await receivedMessages()).toHaveLength(5)
    const names = new Set((await receivedMessages()).flatMap((message) => Object.keys(message)))
    expect([...names].toSorted()).toEqual(['createdAt', 'event', 'factor', 'hookId', 'user', 'userId'])
    const { results } = await app.env.DB.prepare(
      "select payload from logs where key = 'TriggerHook.User.FactorRemoved'",
    ).all<{ payload: string }>()
    expect(results.some(({ payload }) => payload.includes('"kind":"totp"'))).toBe(true)
  })

  it('report the updated user when an identity is unlinked', async () => {
    const member = await newMember()
    await app.env.DB.prepare('update users set identities = ? where id = ?')
      .bind(JSON.stringify({ github: { userId: 'g' }, google: { userId: member.userId } }), member.userId)
      .run()
    await verifyPassword(member)
    await subscribe()
    const unlinked = await Promise.all([1, 2].map(() => member.call('DELETE', '/identities/github')))
    expect(unlinked.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(await receivedMessages()).toMatchObject([
      { event: 'User.Updated', user: { identities: { google: { userId: member.userId } } } },
    ])
  })

  it('report the updated user when an application changes custom data', async () => {
    const member = await newMember()
    await subscribe()
    expect((await member.call('PATCH', '/custom-data', { customData: { plan: 'gold' } })).status).toBe(200)
    const [message] = await receivedMessages()
    expect(message).toMatchObject({ event: 'User.Updated', user: { customData: { plan: 'gold' } } })
    expect(message).not.toHaveProperty('actor')
  })

  it('report the updated user when their password changes', async () => {
    const member = await newMember()
    await verifyPassword(member)
    await subscribe()
    expect((await member.call('POST', '/password', { password: 'other-horse-8' })).status).toBe(204)
    expect(await receivedEvents()).toEqual(['User.Updated'])
  })

  it('report an operator’s reset of second factors only if the user had any', async () => {
    const [holder, other] = [await newMember(), await newMember()]
    await setUpApp(holder)
    await subscribe()
    for (const { userId } of [holder, other])
      expect((await operator.send('DELETE', `/users/${userId}/factors`)).status).toBe(204)
    expect(await receivedMessages()).toMatchObject([{ event: 'User.FactorRemoved', userId: holder.userId }])
  })

  it('report each passkey that an operator removes together with the second factors', async () => {
    const holder = await newMember()
    const passkeys = [await addPasskey(app, holder), await addPasskey(app, holder)]
    await setUpApp(holder)
    await subscribe()
    const path = `/users/${holder.userId}`
    const countPasskeys = async () =>
      ((await (await operator.get(`${path}/passkeys`)).json()) as object[]).length
    expect((await operator.send('DELETE', `${path}/factors?passkeys=yes`)).status).toBe(400)
    expect((await operator.send('DELETE', `${path}/factors`)).status).toBe(204)
    expect([await countPasskeys(), await receivedEvents()]).toEqual([2, ['User.FactorRemoved']])
    expect((await operator.send('DELETE', `${path}/factors?passkeys=true`)).status).toBe(204)
    expect([await countPasskeys(), (await receivedMessages()).length]).toEqual([0, 3])
    expect((await receivedMessages()).slice(1)).toEqual(
      expect.arrayContaining(
        passkeys.map(({ listed }) =>
          expect.objectContaining({ event: 'User.PasskeyRemoved', passkey: listed }),
        ),
      ),
    )
    const logs = await operator.get(`/logs?logKey=Management.User.Update&userId=${holder.userId}`)
    expect(await logs.json()).toMatchObject([
      { payload: { changed: ['factors', 'passkeys'] } },
      { payload: { changed: ['factors'] } },
    ])
  })

  it('report an authenticator app set up at sign-in or registration only once the interaction is complete', async () => {
    const { username, userId } = await newMember()
    await setTenantSettings(app, {
      allowPrivateTargets: true,
      secondFactor: { policy: 'required' },
    })
    const strict = openTestApp({}, { hasCalmDatabase: true })
    await subscribe()
    const signIn = await signInByPassword(strict, username)
    expect((await signIn.submit()).status).toBe(422)
    await enrol(signIn)
    expect(await receivedMessages()).toEqual([])
    expect((await signIn.submit()).status).toBe(200)
    expect(await receivedEvents()).toEqual(['PostSignIn', 'User.FactorAdded'])
    expect((await receivedMessages()).find(({ factor }) => factor)).toMatchObject({
      userId,
      factor: { kind: 'totp' },
      interactionEvent: 'SignIn',
    })

    const registration = await beginInteraction(strict)
    const profile = { username: freshName(), password: PASSWORD }
    await registration.call('PUT', '', { event: 'Register', profile })
    await enrol(registration)
    expect((await registration.submit()).status).toBe(200)
    expect(await receivedEvents()).toEqual(expect.arrayContaining(['PostRegister', 'User.Created']))
    expect((await receivedMessages()).find(({ user, factor }) => factor && user.id !== userId)).toMatchObject(
      {
        event: 'User.FactorAdded',
        user: { username: profile.username },
        interactionEvent: 'Register',
      },
    )
  })
})

describe('a hook for an account event', () => {
  it.each([...accountHookEvents])('can be created, listed, changed and tested: %s', async (event) => {
    receiver = await newReceiver()
    const config = { url: receiver.url, retries: 0 }
    const created = (await (await operator.send('POST', '/hooks', { event, config })).json()) as {
      id: string
      event: string
    }
    const readHook = async () => (await operator.get(`/hooks/${created.id}`)).json()
    expect([created.event, await readHook()]).toMatchObject([event, { event }])
    expect(await (await operator.get('/hooks')).json()).toMatchObject([{ event }])
    await operator.send('PATCH', `/hooks/${created.id}`, { config: { retries: 1 } })
    expect(await readHook()).toMatchObject({ event, config: { retries: 1 } })
    await operator.send('POST', `/hooks/${created.id}/test`)
    const subject = {
      ...(event.includes('Passkey') && { passkey: { id: 'test' } }),
      ...(event.includes('Factor') && { factor: { kind: 'totp' } }),
    }
    expect(await receivedMessages()).toMatchObject([{ event, ...subject }])
    await operator.send('POST', `/hooks/${created.id}/test`, { event: 'PostRegister' })
    expect((await receivedMessages()).at(-1)).toMatchObject({ event: 'PostRegister' })
    for (const other of ['PostSignIn', event]) {
      await operator.send('PATCH', `/hooks/${created.id}`, { event: other })
      expect(await readHook()).toMatchObject({ event: other })
    }
  })
})
