import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { userFields } from '../../../src/contract/users/user-fields.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
/** An operator in production mode, in which private addresses need a setting. */
let productionOperator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  productionOperator = await newOperator(openTestApp({ ENVIRONMENT: 'production' }))
})

const URL = 'https://hooks.example.com/vestibule'

type Hook = { id: string; event: string; events: string[]; config: Record<string, unknown>; secret?: string }

async function create(config: object = {}): Promise<Required<Hook>> {
  const body = { event: 'PostSignIn', config: { url: URL, retries: 3, ...config } }
  const response = await operator.send('POST', '/hooks', body)
  expect(response.status).toBe(200)
  return response.json()
}

const read = async (response: Response): Promise<Hook> => response.json()
const codeOf = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}

describe('a hook', () => {
  it('[ASVS-13.3.1-2] is created with a secret that is never returned again', async () => {
    const { secret, ...hook } = await create({ headers: { 'x-key': 'v' } })
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(hook).toEqual({
      tenantId: 'default',
      id: expect.stringMatching(/^\w{21}$/),
      event: 'PostSignIn',
      events: ['PostSignIn'],
      config: { url: URL, retries: 3, headers: { 'x-key': 'v' } },
      createdAt: expect.any(Number),
    })
    expect(await read(await operator.get(`/hooks/${hook.id}`))).toEqual(hook)
    expect(await (await operator.get('/hooks')).json()).toContainEqual(hook)
    const { results } = await app.env.DB.prepare('select * from hooks where id = ?').bind(hook.id).all()
    expect(JSON.stringify(results)).not.toContain(secret)
    expect(JSON.stringify(results)).not.toContain(secret.slice('whsec_'.length))
  })

  it('is returned without its headers if they cannot be decrypted, and can be given new ones', async () => {
    const { id } = await create({ headers: { one: '1' } })
    await app.env.DB.prepare(
      "update hooks set config = json_set(config, '$.sealedHeaders', 'v1.nothing') where id = ?",
    )
      .bind(id)
      .run()
    const listed = (await (await operator.get('/hooks')).json()) as Hook[]
    expect(listed.find((hook) => hook.id === id)?.config).toEqual({ url: URL, retries: 3 })
    expect((await read(await operator.get(`/hooks/${id}`))).config).toEqual({ url: URL, retries: 3 })
    const changed = await operator.send('PATCH', `/hooks/${id}`, { config: { retries: 1 } })
    expect([changed.status, (await read(changed)).config]).toEqual([200, { url: URL, retries: 1 }])
    await operator.send('PATCH', `/hooks/${id}`, { config: { headers: { two: '2' } } })
    expect((await read(await operator.get(`/hooks/${id}`))).config.headers).toEqual({ two: '2' })
  })

  it('can be changed key by key, except that its headers are replaced as a whole', async () => {
    const { id } = await create({ headers: { one: '1', two: '2' } })
    const patch = { event: 'PostRegister', config: { retries: 0, headers: { two: '3' } } }
    expect(await read(await operator.send('PATCH', `/hooks/${id}`, patch))).toMatchObject({
      event: 'PostRegister',
      config: { url: URL, retries: 0, headers: { two: '3' } },
    })
    const unchanged = await read(await operator.send('PATCH', `/hooks/${id}`, {}))
    expect(unchanged.config).toEqual({ url: URL, retries: 0, headers: { two: '3' } })
    expect(unchanged).not.toHaveProperty('secret')
  })

  it('does not expose its headers in the database or the log', async () => {
    const key = 'receiver-key-0123456789'
    const { id } = await create({ headers: { authorization: `Bearer ${key}` } })
    const row = () =>
      app.env.DB.prepare('select * from hooks where id = ?').bind(id).first<{ config: string }>()
    expect(JSON.stringify(await row())).not.toContain(key)
    await operator.send('PATCH', `/hooks/${id}`, { config: { headers: { 'x-key': `${key}-2` } } })
    expect(JSON.stringify(await row())).not.toContain(key)
    expect((await read(await operator.get(`/hooks/${id}`))).config.headers).toEqual({ 'x-key': `${key}-2` })
    await operator.send('PATCH', `/hooks/${id}`, { config: { headers: {} } })
    expect((await read(await operator.get(`/hooks/${id}`))).config.headers).toEqual({})

    const { results } = await app.env.DB.prepare('select * from logs').all()
    expect(JSON.stringify(results)).not.toContain(key)
  })

  it('keeps unencrypted headers stored by an older version until they are changed', async () => {
    const { id } = await create()
    await app.env.DB.prepare("update hooks set config = json_set(config, '$.headers', json(?)) where id = ?")
      .bind('{"x-old":"value-of-old"}', id)
      .run()
    expect((await read(await operator.get(`/hooks/${id}`))).config.headers).toEqual({
      'x-old': 'value-of-old',
    })
    await operator.send('PATCH', `/hooks/${id}`, { config: { headers: { 'x-new': 'value-of-new' } } })
    const config = await app.env.DB.prepare('select config from hooks where id = ?')
      .bind(id)
      .first<string>('config')
    expect(config).not.toMatch(/value-of/)
    expect((await read(await operator.get(`/hooks/${id}`))).config.headers).toEqual({
      'x-new': 'value-of-new',
    })
  })

  it('keeps both of two concurrent changes', async () => {
    const { id } = await create()
    const changes = [{ retries: 1 }, { headers: { a: 'b' } }]
    await Promise.all(changes.map((config) => operator.send('PATCH', `/hooks/${id}`, { config })))
    const { config } = await read(await operator.get(`/hooks/${id}`))
    expect(config).toEqual({ url: URL, retries: 1, headers: { a: 'b' } })
  })

  it('cannot be deleted twice', async () => {
    const { id } = await create()
    expect((await operator.send('DELETE', `/hooks/${id}`)).status).toBe(204)
    expect(await codeOf(await operator.send('DELETE', `/hooks/${id}`))).toEqual([404, 'entity.not_found'])
  })

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/secret'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ])('results in a 404 if its id is unknown: %s /hooks/{id}%s', async (method, path) => {
    const body = method === 'PATCH' ? { event: 'PostSignIn' } : undefined
    expect(await codeOf(await operator.send(method, `/hooks/unknown${path}`, body))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
  })

  it('results in a 404 if an unknown delivery is resent', async () => {
    const { id } = await create()
    const response = await operator.send('POST', `/hooks/${id}/deliveries/nothing/resend`)
    expect(await codeOf(response)).toEqual([404, 'entity.not_found'])
  })

  it.each([
    { what: 'an unknown event', body: { event: 'PostLunch', config: { url: URL, retries: 0 } } },
    { what: 'no URL', body: { event: 'PostSignIn', config: { retries: 0 } } },
    { what: 'four retries', body: { event: 'PostSignIn', config: { url: URL, retries: 4 } } },
    { what: 'half a retry', body: { event: 'PostSignIn', config: { url: URL, retries: 0.5 } } },
    { what: 'an http URL', body: { event: 'PostSignIn', config: { url: 'http://a.example', retries: 0 } } },
    { what: 'a loopback URL', body: { event: 'PostSignIn', config: { url: 'https://[::1]/', retries: 0 } } },
    { what: 'a file URL', body: { event: 'PostSignIn', config: { url: 'file:///etc', retries: 0 } } },
    {
      what: 'a header with a line break',
      body: { event: 'PostSignIn', config: { url: URL, retries: 0, headers: { a: 'b\r\nc: d' } } },
    },
    {
      what: 'a header with an invalid name',
      body: { event: 'PostSignIn', config: { url: URL, retries: 0, headers: { 'a b': 'c' } } },
    },
    { what: 'no event', body: { config: { url: URL, retries: 0 } } },
    { what: 'an empty list of events', body: { events: [], config: { url: URL, retries: 0 } } },
    {
      what: 'the same event twice',
      body: { events: ['PostSignIn', 'PostSignIn'], config: { url: URL, retries: 0 } },
    },
    {
      what: 'an event that is not the first of its events',
      body: { event: 'PostRegister', events: ['PostSignIn'], config: { url: URL, retries: 0 } },
    },
  ])('cannot be created with $what', async ({ body }) => {
    const response = await productionOperator.send('POST', '/hooks', body)
    expect(await codeOf(response)).toEqual([400, 'guard.invalid_input'])
  })

  it('has several events, of which the first one is also its event', async () => {
    const events = ['User.Created', 'PostSignIn', 'User.RolesChanged']
    const created = await operator.send('POST', '/hooks', { events, config: { url: URL, retries: 0 } })
    const { id, ...hook } = await read(created)
    expect(hook).toMatchObject({ event: 'User.Created', events })
    const patch = async (body: object) => read(await operator.send('PATCH', `/hooks/${id}`, body))
    expect(await patch({ events: ['PostSignIn', 'User.Created'] })).toMatchObject({ event: 'PostSignIn' })
    // A client that knows only one event replaces all of them.
    expect(await patch({ event: 'PostRegister' })).toMatchObject({ events: ['PostRegister'] })
    // A client may send back what it has read.
    expect(await patch({ event: 'User.Created', events })).toMatchObject({ events })
    expect((await operator.send('PATCH', `/hooks/${id}`, { event: 'PostSignIn', events })).status).toBe(400)
    expect((await read(await operator.get(`/hooks/${id}`))).events).toEqual(events)
  })

  it.each([
    ['https://2130706433/', 'is on a private network, which the setting allowPrivateTargets has to allow'],
    ['http://hooks.example.com/', 'is an http URL, which the setting allowPrivateTargets has to allow'],
    ['https://hooks.example.com:22/', 'must not lead to the port of another service'],
    ['https://a:b@localhost/', 'must not contain a user name or a password'],
  ])('can use %s in production only with the setting', async (url, message) => {
    const { id } = await create()
    const move = () => productionOperator.send('PATCH', `/hooks/${id}`, { config: { url } })
    const refused = await move()
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { data: { issues: [{ path: ['config', 'url'], message }] } },
    ])
    await productionOperator.send('PATCH', '/configs/settings', { allowPrivateTargets: true })
    expect((await move()).status).toBe(url.includes('@') ? 400 : 200)
    await productionOperator.send('PATCH', '/configs/settings', { allowPrivateTargets: false })
  })

  it('can use http and private addresses in development without a setting', async () => {
    const { id } = await create()
    const moved = await operator.send('PATCH', `/hooks/${id}`, { config: { url: 'http://localhost:3000/' } })
    expect(moved.status).toBe(200)
  })

  it('writes an audit entry for each change, without its secret', async () => {
    const { id, secret } = await create()
    await operator.send('POST', `/hooks/${id}/secret`)
    await operator.send('DELETE', `/hooks/${id}`)
    const logs = await Promise.all(
      ['Create', 'Update', 'Delete'].map(async (change) => {
        const response = await operator.get(`/logs?logKey=Management.Hook.${change}`)
        const entries = (await response.json()) as { payload: { hookId: string } }[]
        return entries.filter(({ payload }) => payload.hookId === id)
      }),
    )
    expect(logs.map(({ length }) => length)).toEqual([1, 1, 1])
    expect(JSON.stringify(logs)).not.toContain(secret)
  })
})

describe('a test message', () => {
  it('is signed with the current secret and reports the receiver’s response', async () => {
    const receiver = await newReceiver({ status: 202, body: '{"thanks":true}' })
    const { id, secret: old } = await create({ url: receiver.url })
    const rotated = await read(await operator.send('POST', `/hooks/${id}/secret`))
    expect(rotated.secret).not.toBe(old)

    const response = await operator.send('POST', `/hooks/${id}/test`)
    expect([response.status, await response.json()]).toEqual([
      200,
      { result: 'Success', response: { statusCode: 202, body: { thanks: true } } },
    ])
    const [received] = await receiver.received()
    const verify = (secret = '') => new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})
    expect(verify(rotated.secret)).toMatchObject({
      hookId: id,
      event: 'PostSignIn',
      interactionEvent: 'SignIn',
      user: { username: 'test' },
      application: { id: 'test' },
    })
    expect(Object.keys(JSON.parse(received?.body ?? '').user).sort()).toEqual([...userFields].sort())
    expect(() => verify(old)).toThrow('No matching signature found')
  })

  it('contains the hook’s headers, which are not logged even if the receiver echoes them', async () => {
    const key = 'receiver-key-9876543210'
    const receiver = await newReceiver({
      status: 200,
      body: JSON.stringify({ seen: [`token ${key}`], [key]: 1 }),
    })
    const { id } = await create({ url: receiver.url, headers: { authorization: `Bearer ${key}` } })
    const report = await (await operator.send('POST', `/hooks/${id}/test`)).json()
    expect(report).toMatchObject({ result: 'Success', response: { body: { seen: ['token ******'] } } })
    const [received] = await receiver.received()
    expect(received?.headers.authorization).toBe(`Bearer ${key}`)
    const { results } = await app.env.DB.prepare('select * from logs').all()
    expect(JSON.stringify(results)).not.toContain(key)
  })

  it.each([
    { manner: { status: 500, body: 'no' }, answer: { response: { statusCode: 500, body: 'no' } } },
    { manner: { isDown: true }, answer: { error: expect.any(String) } },
  ])('reports the receiver’s error if the receiver’s behaviour is $manner', async ({ manner, answer }) => {
    const receiver = await newReceiver(manner)
    const { id } = await create({ url: receiver.url })
    const response = await operator.send('POST', `/hooks/${id}/test`)
    expect(await response.json()).toMatchObject({ result: 'Error', ...answer })
    // A test message is not retried.
    await app.sweep()
    expect((await receiver.received()).length).toBeLessThanOrEqual(1)
  })
})
