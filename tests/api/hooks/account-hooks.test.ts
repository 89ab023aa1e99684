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

/** What hooks are told of passkeys and second factors (spec/connectors#hook-events). */
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

/** One hook for each event, all at one receiver. */
async function listen(): Promise<void> {
  receiver = await newReceiver()
  for (const event of [...accountHookEvents, 'PostRegister', 'PostSignIn']) {
    const config = { url: receiver.url, retries: 0 }
    expect((await operator.send('POST', '/hooks', { event, config })).status).toBe(200)
  }
}
const told = async (): Promise<Message[]> => (await receiver.received()).map(({ body }) => JSON.parse(body))
const eventsTold = async () => (await told()).map(({ event }) => event).toSorted()

/** Who has one factor needs both to change them. */
async function newMember(wanted?: Parameters<typeof newUser>[1]): Promise<Member> {
  const member = wanted ? await newUser(app, wanted) : await storeMember(app)
  await raiseLevel(app, member)
  return member
}

const prove = ({ call }: Member) => call('POST', '/password/verify', { password: PASSWORD })

async function setUpApp(member: Member): Promise<Response> {
  await prove(member)
  const begun = await member.call('POST', '/factors/totp')
  const { secret, enrolment } = (await begun.json()) as { secret: string; enrolment: string }
  const set = await member.call('PUT', '/factors/totp', { enrolment, totpCode: await codeOf(secret) })
  expect(set.status).toBe(200)
  return set
}

describe('hooks are told', () => {
  it('once that a passkey was added, and as it was when it is removed', async () => {
    const redirectUri = 'https://shop.example.com/back'
    const application = await operator.send('POST', '/applications', {
      ...{ name: 'Shop', type: 'SPA', oidcClientMetadata: { redirectUris: [redirectUri] } },
    })
    const { id: clientId } = (await application.json()) as { id: string }
    const member = await newMember({ clientId, redirectUri })
    await listen()
    const { listed } = await addPasskey(app, member)
    const common = {
      hookId: expect.any(String),
      createdAt: expect.any(String),
      userId: member.userId,
      user: expect.objectContaining({ id: member.userId, username: member.username }),
      application: { id: clientId, type: 'SPA', name: 'Shop', description: null },
    }
    expect(await told()).toEqual([{ ...common, event: 'User.PasskeyAdded', passkey: listed }])

    await member.call('PATCH', `/passkeys/${listed.id}`, { name: 'Mine' })
    expect((await member.call('DELETE', `/passkeys/${listed.id}`)).status).toBe(204)
    const passkey = { ...listed, name: 'Mine' }
    expect((await told()).slice(1)).toEqual([
      { ...common, event: 'User.PasskeyRenamed', passkey },
      { ...common, event: 'User.PasskeyRemoved', passkey },
    ])
  })

  it('once of a passkey that is sent twice, or at the same time', async () => {
    const member = await newMember()
    await prove(member)
    const { attestation } = await createPasskey(await creationOptions(member), { origin: app.origin })
    await listen()
    const sent = await Promise.all([1, 2, 3].map(() => member.call('POST', '/passkeys', attestation)))
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    expect(await eventsTold()).toEqual(['User.PasskeyAdded'])
  })

  it('of a passkey that an operator removes, and not of one that is not there', async () => {
    const member = await newMember()
    const { listed } = await addPasskey(app, member)
    await listen()
    const remove = () => operator.send('DELETE', `/users/${member.userId}/passkeys/${listed.id}`)
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    const [message, ...others] = await told()
    expect(message).toMatchObject({ event: 'User.PasskeyRemoved', passkey: listed })
    expect(message).not.toHaveProperty('application')
    expect(others).toEqual([])
  })

  it('of an app that is set up, replaced and removed, and of new backup codes; never of a secret', async () => {
    const member = await newMember()
    await listen()
    await setUpApp(member)
    expect(await told()).toMatchObject([{ event: 'User.FactorAdded', factor: { kind: 'totp' } }])
    await setUpApp(member)
    expect(await eventsTold()).toEqual(['User.FactorAdded', 'User.FactorAdded', 'User.FactorRemoved'])
    await member.call('POST', '/factors/backup-codes')
    expect((await told()).at(-1)).toMatchObject({ event: 'User.FactorAdded', factor: { kind: 'backupCode' } })
    await member.call('DELETE', '/factors')
    expect((await told()).at(-1)).toMatchObject({ event: 'User.FactorRemoved', factor: { kind: 'totp' } })
    expect(await told()).toHaveLength(5)
    const names = new Set((await told()).flatMap((message) => Object.keys(message)))
    expect([...names].toSorted()).toEqual(['createdAt', 'event', 'factor', 'hookId', 'user', 'userId'])
    const { results } = await app.env.DB.prepare(
      "select payload from logs where key = 'TriggerHook.User.FactorRemoved'",
    ).all<{ payload: string }>()
    expect(results.some(({ payload }) => payload.includes('"kind":"totp"'))).toBe(true)
  })

  it('once of an identity that is unlinked, with the user as it is then', async () => {
    const member = await newMember()
    await app.env.DB.prepare('update users set identities = ? where id = ?')
      .bind(JSON.stringify({ github: { userId: 'g' }, google: { userId: member.userId } }), member.userId)
      .run()
    await prove(member)
    await listen()
    const unlinked = await Promise.all([1, 2].map(() => member.call('DELETE', '/identities/github')))
    expect(unlinked.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(await told()).toMatchObject([
      { event: 'User.Updated', user: { identities: { google: { userId: member.userId } } } },
    ])
  })

  it('of a password that its user changes', async () => {
    const member = await newMember()
    await prove(member)
    await listen()
    expect((await member.call('POST', '/password', { password: 'other-horse-8' })).status).toBe(204)
    expect(await eventsTold()).toEqual(['User.Updated'])
  })

  it('of a reset by an operator, where there was something to reset', async () => {
    const [holder, other] = [await newMember(), await newMember()]
    await setUpApp(holder)
    await listen()
    for (const { userId } of [holder, other])
      expect((await operator.send('DELETE', `/users/${userId}/factors`)).status).toBe(204)
    expect(await told()).toMatchObject([{ event: 'User.FactorRemoved', userId: holder.userId }])
  })

  it('of each passkey that a reset removes, where the operator says so', async () => {
    const holder = await newMember()
    const passkeys = [await addPasskey(app, holder), await addPasskey(app, holder)]
    await setUpApp(holder)
    await listen()
    const path = `/users/${holder.userId}`
    const kept = async () => ((await (await operator.get(`${path}/passkeys`)).json()) as object[]).length
    expect((await operator.send('DELETE', `${path}/factors?passkeys=yes`)).status).toBe(400)
    expect((await operator.send('DELETE', `${path}/factors`)).status).toBe(204)
    expect([await kept(), await eventsTold()]).toEqual([2, ['User.FactorRemoved']])
    expect((await operator.send('DELETE', `${path}/factors?passkeys=true`)).status).toBe(204)
    expect([await kept(), (await told()).length]).toEqual([0, 3])
    expect((await told()).slice(1)).toEqual(
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

  it('of an app that is set up while signing in or registering, with the submit', async () => {
    const { username, userId } = await newMember()
    await setTenantSettings(app, {
      allowPrivateTargets: true,
      secondFactor: { policy: 'required' },
    })
    const strict = openTestApp({}, { hasCalmDatabase: true })
    await listen()
    const signIn = await signInByPassword(strict, username)
    expect((await signIn.submit()).status).toBe(422)
    await enrol(signIn)
    expect(await told()).toEqual([])
    expect((await signIn.submit()).status).toBe(200)
    expect(await eventsTold()).toEqual(['PostSignIn', 'User.FactorAdded'])
    expect((await told()).find(({ factor }) => factor)).toMatchObject({
      ...{ userId, factor: { kind: 'totp' }, interactionEvent: 'SignIn' },
    })

    const registration = await beginInteraction(strict)
    const profile = { username: freshName(), password: PASSWORD }
    await registration.call('PUT', '', { event: 'Register', profile })
    await enrol(registration)
    expect((await registration.submit()).status).toBe(200)
    expect((await eventsTold()).slice(0, 1)).toEqual(['PostRegister'])
    expect((await told()).find(({ user, factor }) => factor && user.id !== userId)).toMatchObject({
      ...{ event: 'User.FactorAdded', user: { username: profile.username }, interactionEvent: 'Register' },
    })
  })
})

describe('a hook for an event of accounts', () => {
  it.each([...accountHookEvents])('is created, listed, changed and tested: %s', async (event) => {
    receiver = await newReceiver()
    const config = { url: receiver.url, retries: 0 }
    const created = (await (await operator.send('POST', '/hooks', { event, config })).json()) as {
      id: string
      event: string
    }
    const shown = async () => (await operator.get(`/hooks/${created.id}`)).json()
    expect([created.event, await shown()]).toMatchObject([event, { event }])
    expect(await (await operator.get('/hooks')).json()).toMatchObject([{ event }])
    await operator.send('PATCH', `/hooks/${created.id}`, { config: { retries: 1 } })
    expect(await shown()).toMatchObject({ event, config: { retries: 1 } })
    await operator.send('POST', `/hooks/${created.id}/test`)
    const subject = {
      ...(event.includes('Passkey') && { passkey: { id: 'test' } }),
      ...(event.includes('Factor') && { factor: { kind: 'totp' } }),
    }
    expect(await told()).toMatchObject([{ event, ...subject }])
    for (const other of ['PostSignIn', event]) {
      await operator.send('PATCH', `/hooks/${created.id}`, { event: other })
      expect(await shown()).toMatchObject({ event: other })
    }
  })
})
