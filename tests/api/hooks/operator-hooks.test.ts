import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_ROLE } from '../../../src/contract/product.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  PASSWORD,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { newReceiver, type Receiver } from '../../kit/receiver.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the hook events about users whom operators change (spec/connectors#hook-events). */
let app: TestApp
let operator: Operator
let receiver: Receiver
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})
afterEach(() => app.env.DB.prepare('delete from hooks').run())

const operatorEvents = [
  'User.Created',
  'User.Updated',
  'User.Suspended',
  'User.Reinstated',
  'User.RolesChanged',
  'User.Deleted',
]

async function subscribe(events = operatorEvents): Promise<void> {
  receiver = await newReceiver()
  const config = { url: receiver.url, retries: 0 }
  expect((await operator.send('POST', '/hooks', { events, config })).status).toBe(200)
}

const create = async (path: string, body: object): Promise<{ id: string }> =>
  (await operator.send('POST', path, body)).json()
const newUser = () => create('/users', { username: freshName(), password: PASSWORD })
const newRole = () => create('/roles', { name: freshName(), description: '' })

type Message = Record<string, unknown> & { event: string; userId: string }
const received = async (): Promise<Message[]> =>
  (await receiver.received()).map(({ body }) => JSON.parse(body))
const events = async () => (await received()).map(({ event }) => event)
const actor = { type: 'application', id: expect.any(String) }

/** Makes a call that has to succeed. */
async function call(method: string, path: string, body?: object): Promise<void> {
  expect((await operator.send(method, path, body)).ok, `${method} ${path}`).toBe(true)
}

describe('hooks', () => {
  it('report what operators do to a user, once for each call, with the actor and without secrets', async () => {
    await subscribe()
    const { id } = await newUser()
    const user = `/users/${id}`
    await call('PATCH', user, { name: 'Ann' })
    await call('PATCH', `${user}/custom-data`, { customData: { plan: 'gold' } })
    await call('PATCH', `${user}/password`, { password: 'other-horse-8' })
    await call('PATCH', `${user}/is-suspended`, { isSuspended: true })
    await call('PATCH', `${user}/is-suspended`, { isSuspended: false })
    await call('DELETE', user)
    const messages = await received()
    const about = { userId: id, actor }
    expect(messages).toMatchObject([
      { ...about, event: 'User.Created', user: { id, name: null } },
      { ...about, event: 'User.Updated', user: { name: 'Ann' } },
      { ...about, event: 'User.Updated', user: { customData: { plan: 'gold' } } },
      { ...about, event: 'User.Updated' },
      { ...about, event: 'User.Suspended', user: { isSuspended: true } },
      { ...about, event: 'User.Reinstated', user: { isSuspended: false } },
      { ...about, event: 'User.Deleted' },
    ])
    expect(JSON.stringify(messages)).not.toMatch(/horse|password|argon|encrypted/i)
  })

  it('report the roles that a user has after a change, but nothing about a rejected change', async () => {
    const [{ id }, { id: other }, role, second] = await Promise.all([
      newUser(),
      newUser(),
      newRole(),
      newRole(),
    ])
    await subscribe()
    const roles = async () => (await received()).map(({ event, userId, roles }) => [event, userId, roles])
    const entry = (...ids: string[]) => ids.map((each) => expect.objectContaining({ id: each }))
    await call('POST', `/users/${id}/roles`, { roleIds: [role.id] })
    expect((await operator.send('POST', `/users/${id}/roles`, { roleIds: [role.id] })).status).toBe(422)
    await call('PUT', `/users/${id}/roles`, { roleIds: [second.id, ADMIN_ROLE.id] })
    await call('DELETE', `/roles/${second.id}/users/${id}`)
    expect((await operator.send('DELETE', `/users/${id}/roles/${second.id}`)).status).toBe(404)
    expect(await roles()).toEqual([
      ['User.RolesChanged', id, entry(role.id)],
      ['User.RolesChanged', id, expect.arrayContaining(entry(second.id, ADMIN_ROLE.id))],
      ['User.RolesChanged', id, entry(ADMIN_ROLE.id)],
    ])
    await call('POST', `/roles/${role.id}/users`, { userIds: [id, other] })
    expect((await roles()).slice(3)).toEqual(
      expect.arrayContaining([
        ['User.RolesChanged', id, expect.arrayContaining(entry(ADMIN_ROLE.id, role.id))],
        ['User.RolesChanged', other, entry(role.id)],
      ]),
    )
    expect(await received()).toHaveLength(5)
    expect(await received()).toMatchObject([{ actor }, { actor }, { actor }, { actor }, { actor }])
  })

  it('report no role change that changes nothing', async () => {
    const [{ id }, role] = [await newUser(), await newRole()]
    const other = await newRole()
    await call('POST', `/users/${id}/roles`, { roleIds: [role.id] })
    await subscribe(['User.RolesChanged'])
    await call('PUT', `/users/${id}/roles`, { roleIds: [role.id] })
    await call('POST', `/users/${id}/roles`, { roleIds: [] })
    expect(await received()).toEqual([])
    await call('PUT', `/users/${id}/roles`, { roleIds: [other.id] })
    await call('PUT', `/users/${id}/roles`, { roleIds: [] })
    const roles = (await received()).map((message) => message.roles)
    expect(roles).toEqual([[expect.objectContaining({ id: other.id })], []])
  })

  it('report who accepts an invitation, as a new user or with new roles', async () => {
    await setTenantSettings(openTestApp(), { accountCentre: { enabled: true } })
    const site = openTestApp({}, { hasCalmDatabase: true })
    await subscribe()
    const accept = async (client: CookieClient, intent: string, form: Record<string, string> = {}) => {
      const { url } = (await create('/administrator-invitations', {})) as unknown as { url: string }
      const token = new URL(url).searchParams.get('token') ?? ''
      const sent = await client.post('/account/invitation', { token, intent, ...form }, { origin: ORIGIN })
      expect(sent.status).toBe(303)
    }
    const { client, userId } = await storeVisitor(site)
    await accept(client, 'accept')
    // The user has the role already.
    await accept(client, 'accept')
    const passwords = { newPassword: PASSWORD, confirmPassword: PASSWORD }
    await accept(newCookieClient(site), 'create', { identifier: freshName(), ...passwords })
    await site.sweep()
    const messages = await received()
    expect(messages.map(({ event }) => event).toSorted()).toEqual(['User.Created', 'User.RolesChanged'])
    expect(messages.find(({ event }) => event === 'User.RolesChanged')).toMatchObject({
      userId,
      roles: expect.arrayContaining([expect.objectContaining({ id: ADMIN_ROLE.id })]),
    })
    expect(messages.some((message) => 'actor' in message)).toBe(false)
    await setTenantSettings(openTestApp(), {})
  })

  it('report imported users only if the call says so', async () => {
    await subscribe()
    const named = () => ({
      id: freshName().replace(/\W|_/g, '').padEnd(12, 'x').slice(-12),
      username: freshName(),
    })
    const [first, second, third] = [named(), named(), named()]
    await call('POST', '/users/import', { users: [first] })
    expect(await events()).toEqual([])
    await call('POST', '/users/import', { users: [first, second, third], withEvents: true })
    const messages = await received()
    expect(messages.map(({ event }) => event)).toEqual(['User.Created', 'User.Created'])
    expect(messages.map(({ userId }) => userId).toSorted()).toEqual([second.id, third.id].toSorted())
  })

  it('receive nothing about a change of users, and no row is written, if they subscribe to other events', async () => {
    await subscribe(['User.Deleted'])
    const { id } = await newUser()
    await call('PATCH', `/users/${id}`, { name: 'Ann' })
    expect(await received()).toEqual([])
    expect(await app.env.DB.prepare('select count(*) as rows from outbox').first('rows')).toBe(0)
  })
})
