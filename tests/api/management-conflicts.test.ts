import { beforeAll, describe, expect, it } from 'vitest'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { openInterruptedApp } from '../kit/racing-app.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Changes on the condition that nobody else changed the entity (spec/management#conflicts). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const created = async (path: string, body: object) =>
  ((await (await operator.send('POST', path, body)).json()) as { id: string }).id

const mail = (secret: string) => ({
  endpoint: `https://mail.example/${secret}`,
  authentication: 'Bearer',
  secret,
})
const redirectUris = ['https://app.example/callback']

/** Each kind of entity: where it is, and a change that makes it different from the one before. */
const kinds = {
  application: {
    path: async () =>
      `/applications/${await created('/applications', { name: 'One', type: 'SPA', oidcClientMetadata: { redirectUris } })}`,
    method: 'PATCH',
    change: (n: number) => ({ name: `Application ${n}` }),
    isDeletable: true,
  },
  connector: {
    path: async () =>
      `/connectors/${await created('/connectors', { connectorId: 'http-email', config: mail('first') })}`,
    method: 'PATCH',
    change: (n: number) => ({ config: mail(`secret-${n}`) }),
    isDeletable: true,
  },
  role: {
    path: async () => `/roles/${await created('/roles', { name: 'First', description: 'First' })}`,
    method: 'PATCH',
    change: (n: number) => ({ description: `Role ${n}` }),
    isDeletable: true,
  },
  resource: {
    path: async () =>
      `/resources/${await created('/resources', { name: 'API', indicator: 'https://conflict.example' })}`,
    method: 'PATCH',
    change: (n: number) => ({ name: `API ${n}` }),
    isDeletable: true,
  },
  hook: {
    path: async () =>
      `/hooks/${await created('/hooks', { event: 'PostSignIn', config: { url: 'https://hook.example', headers: { a: 'b' }, retries: 1 } })}`,
    method: 'PATCH',
    change: (n: number) => ({ config: { headers: { n: String(n) } } }),
    isDeletable: true,
  },
  user: {
    path: async () => `/users/${await created('/users', { username: 'conflicted', name: 'First' })}`,
    method: 'PATCH',
    change: (n: number) => ({ name: `User ${n}` }),
    isDeletable: true,
  },
  'custom phrases': {
    path: async () => {
      await operator.send('PUT', '/custom-phrases/fr', { action: { sign_in: 'Entrer' } })
      return '/custom-phrases/fr'
    },
    method: 'PUT',
    change: (n: number) => ({ action: { sign_in: `Entrer ${n}` } }),
    isDeletable: true,
  },
  'sign-in experience': {
    path: async () => '/sign-in-exp',
    method: 'PATCH',
    change: (n: number) => ({ customCss: `b { order: ${n} }` }),
    isDeletable: false,
  },
  settings: {
    path: async () => '/configs/settings',
    method: 'PATCH',
    change: (n: number) => ({ previewOrigins: [`https://n${n}.example`] }),
    isDeletable: false,
  },
  checklist: {
    path: async () => '/configs/admin-console',
    method: 'PATCH',
    change: (n: number) => ({ livePreviewChecked: n % 2 === 1 }),
    isDeletable: false,
  },
} as const

const readTag = async (path: string) => (await operator.get(path)).headers.get('etag') ?? ''
const send = (method: string, path: string, tag: string, body?: object, to: TestApp = app) =>
  to.fetch(`/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${operator.token}`,
      'if-match': tag,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
const outcome = async (response: Response) =>
  response.ok ? response.status : [response.status, ((await response.json()) as { code: string }).code]
const CONFLICT = [412, 'request.precondition_failed']

describe.each(Object.entries(kinds))(
  'a change of an entity: %s',
  (_, { path, method, change, isDeletable }) => {
    let at: string
    beforeAll(async () => {
      at = await path()
    })

    it('is made while the ETag is that of the entity, and answers the next one', async () => {
      const first = await send(method, at, await readTag(at), change(1))
      expect(first.status).toBe(200)
      const next = first.headers.get('etag') ?? ''
      expect(next).toMatch(/^"[\da-f]{40}"$/)
      expect(await readTag(at)).toBe(next)
      expect((await send(method, at, next, change(2))).status).toBe(200)
    })

    it('is refused and changes nothing when another one came before', async () => {
      const seen = await readTag(at)
      expect((await operator.send(method, at, change(3))).status).toBe(200)
      const before = await (await operator.get(at)).json()
      expect(await outcome(await send(method, at, seen, change(4)))).toEqual(CONFLICT)
      if (isDeletable) expect(await outcome(await send('DELETE', at, seen))).toEqual(CONFLICT)
      expect(await (await operator.get(at)).json()).toEqual(before)
    })

    it('is made by one of twenty at the same time', async () => {
      const tag = await readTag(at)
      // Different from the state before, each.
      const bodies = Array.from({ length: 20 }, (_, n) => change(2 * n + 100))
      const answers = await Promise.all(bodies.map((body) => send(method, at, tag, body)))
      const outcomes = await Promise.all(answers.map(outcome))
      expect(outcomes.filter((one) => one === 200)).toHaveLength(1)
      expect(outcomes.filter((one) => one !== 200)).toEqual(Array.from({ length: 19 }, () => CONFLICT))
      const winner = outcomes.indexOf(200)
      expect(answers[winner]?.headers.get('etag')).toBe(await readTag(at))
    })

    it.runIf(isDeletable)('may be its deletion', async () => {
      expect(await outcome(await send('DELETE', at, await readTag(at)))).toBe(204)
      const again = await outcome(await send('DELETE', at, '*'))
      expect(again).toEqual([404, expect.stringMatching(/^entity\.not_/)])
    })

    it.runIf(isDeletable)('before the batch of a deletion prevents it', async () => {
      const changing = await path()
      const tag = await readTag(changing)
      const changed = () => operator.send(method, changing, change(1))
      const other = openInterruptedApp('iif(', changed)
      expect(await outcome(await send('DELETE', changing, tag, undefined, other))).toEqual(CONFLICT)
      expect((await operator.send('DELETE', changing)).status).toBe(204)
    })
  },
)

describe('If-Match', () => {
  it('takes a list and any tag, and compares strongly (RFC 9110 §13.1.1)', async () => {
    const at = await kinds.role.path()
    const tag = await readTag(at)
    const patched = (wanted: string) => send('PATCH', at, wanted, {}).then(outcome)
    expect(await patched(`"other", ${tag}`)).toBe(200)
    expect(await patched('*')).toBe(200)
    for (const wanted of [`W/${tag}`, '"other"', tag.slice(1, -1), '', '"*"'])
      expect([wanted, await patched(wanted)]).toEqual([wanted, CONFLICT])
    await operator.send('DELETE', at)
  })

  it('of phrases that do not exist fails: the call would create them', async () => {
    expect(await outcome(await send('PUT', '/custom-phrases/it', '*', {}))).toEqual(CONFLICT)
    expect((await operator.get('/custom-phrases/it')).status).toBe(404)
  })

  it('is joined by If-None-Match: * for phrases that must not exist yet: one of many makes them', async () => {
    const create = (n: number) =>
      app.fetch('/api/custom-phrases/nl', {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${operator.token}`,
          'content-type': 'application/json',
          'if-none-match': '*',
        },
        body: JSON.stringify({ action: { sign_in: `Inloggen ${n}` } }),
      })
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => create(n).then(outcome)))
    expect(outcomes.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => CONFLICT)])
    expect(await outcome(await create(9))).toEqual(CONFLICT)
    await operator.send('DELETE', '/custom-phrases/nl')
    expect(await outcome(await create(10))).toBe(200)
  })

  it('leaves a refusal of the call as it is (RFC 9110 §13.2.1)', async () => {
    expect(await outcome(await send('PATCH', '/roles/nobody', '"other"', { name: 'New' }))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
    expect(await outcome(await send('PATCH', '/sign-in-exp', '"other"', { color: 1 }))).toEqual([
      400,
      'guard.invalid_input',
    ])
  })

  it('holds what another table answers: the role of an administrator', async () => {
    const at = await kinds.application.path()
    const tag = await readTag(at)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('PATCH', at, tag, { isAdmin: true })),
    )
    const outcomes = await Promise.all(answers.map(outcome))
    expect(outcomes.filter((one) => one === 200)).toHaveLength(1)
    const changed = answers[outcomes.indexOf(200)]
    expect(await changed?.json()).toMatchObject({ isAdmin: true })
    expect(changed?.headers.get('etag')).toBe(await readTag(at))
  })

  it('leaves no audit entry of a change that was not made', async () => {
    const at = await kinds.role.path()
    const tag = await readTag(at)
    await Promise.all([1, 2, 3].map((n) => send('PATCH', at, tag, { description: `Audited ${n}` })))
    const { results } = await app.env.DB.prepare(
      `select json_extract(payload, '$.result') as result from logs where key = 'Management.Role.Update'
       and json_extract(payload, '$.roleId') = ?`,
    )
      .bind(at.split('/')[2] ?? '')
      .all<{ result: string }>()
    expect(results.filter(({ result }) => result === 'Success')).toHaveLength(1)
  })
})
