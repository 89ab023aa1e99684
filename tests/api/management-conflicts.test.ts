import { beforeAll, describe, expect, it } from 'vitest'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { openInterruptedApp } from '../kit/racing-app.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * Tests changes that are applied only if nobody else has changed the entity in the meantime
 * (spec/management#conflicts).
 */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const createEntity = async (path: string, body: object) =>
  ((await (await operator.send('POST', path, body)).json()) as { id: string }).id

const mail = (secret: string) => ({
  endpoint: `https://mail.example/${secret}`,
  authentication: 'Bearer',
  secret,
})
const redirectUris = ['https://app.example/callback']

/** Each kind of entity, with its path and a function that returns a different change for each number. */
const kinds = {
  application: {
    path: async () =>
      `/applications/${await createEntity('/applications', { name: 'One', type: 'SPA', oidcClientMetadata: { redirectUris } })}`,
    method: 'PATCH',
    change: (n: number) => ({ name: `Application ${n}` }),
    isDeletable: true,
  },
  connector: {
    path: async () =>
      `/connectors/${await createEntity('/connectors', { connectorId: 'http-email', config: mail('first') })}`,
    method: 'PATCH',
    change: (n: number) => ({ config: mail(`secret-${n}`) }),
    isDeletable: true,
  },
  role: {
    path: async () => `/roles/${await createEntity('/roles', { name: 'First', description: 'First' })}`,
    method: 'PATCH',
    change: (n: number) => ({ description: `Role ${n}` }),
    isDeletable: true,
  },
  resource: {
    path: async () =>
      `/resources/${await createEntity('/resources', { name: 'API', indicator: 'https://conflict.example' })}`,
    method: 'PATCH',
    change: (n: number) => ({ name: `API ${n}` }),
    isDeletable: true,
  },
  organization: {
    path: async () => `/organizations/${await createEntity('/organizations', { name: 'First' })}`,
    method: 'PATCH',
    change: (n: number) => ({ name: `Organization ${n}` }),
    isDeletable: true,
  },
  'role of organizations': {
    path: async () =>
      `/organization-roles/${await createEntity('/organization-roles', { name: `First ${crypto.randomUUID()}` })}`,
    method: 'PATCH',
    change: (n: number) => ({ description: `Role ${n}` }),
    isDeletable: true,
  },
  'domain of an organization': {
    path: async () => {
      const organization = await createEntity('/organizations', { name: 'First' })
      await operator.send('POST', `/organizations/${organization}/domains`, {
        domain: 'conflicting-acme.com',
      })
      return `/organizations/${organization}/domains/conflicting-acme.com`
    },
    method: 'PATCH',
    change: (n: number) => ({ join: n % 2 === 1 ? 'suggest' : 'automatic' }),
    isDeletable: true,
  },
  'roles of a member': {
    path: async () => {
      const userId = await createEntity('/users', { username: 'conflicting_member' })
      const organization = await createEntity('/organizations', { name: 'First' })
      await operator.send('POST', `/organizations/${organization}/users`, { userIds: [userId] })
      await createEntity('/organization-roles', { id: 'conflicting', name: 'Conflicting' })
      return `/organizations/${organization}/users/${userId}/roles`
    },
    method: 'PUT',
    change: (n: number) => ({ roleIds: n % 2 === 1 ? ['conflicting'] : [] }),
    isDeletable: false,
  },
  hook: {
    path: async () =>
      `/hooks/${await createEntity('/hooks', { event: 'PostSignIn', config: { url: 'https://hook.example', headers: { a: 'b' }, retries: 1 } })}`,
    method: 'PATCH',
    change: (n: number) => ({ config: { headers: { n: String(n) } } }),
    isDeletable: true,
  },
  user: {
    path: async () => `/users/${await createEntity('/users', { username: 'conflicted', name: 'First' })}`,
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
  'a conditional change to an entity (%s)',
  (_, { path, method, change, isDeletable }) => {
    let at: string
    beforeAll(async () => {
      at = await path()
    })

    it('succeeds with the current ETag and returns the next one', async () => {
      const first = await send(method, at, await readTag(at), change(1))
      expect(first.status).toBe(200)
      const next = first.headers.get('etag') ?? ''
      expect(next).toMatch(/^"[\da-f]{40}"$/)
      expect(await readTag(at)).toBe(next)
      expect((await send(method, at, next, change(2))).status).toBe(200)
    })

    it('fails if the entity was changed in the meantime', async () => {
      const staleTag = await readTag(at)
      expect((await operator.send(method, at, change(3))).status).toBe(200)
      const before = await (await operator.get(at)).json()
      expect(await outcome(await send(method, at, staleTag, change(4)))).toEqual(CONFLICT)
      if (isDeletable) expect(await outcome(await send('DELETE', at, staleTag))).toEqual(CONFLICT)
      expect(await (await operator.get(at)).json()).toEqual(before)
    })

    it('succeeds for only one of five concurrent calls', async () => {
      const tag = await readTag(at)
      // Each change differs from the current state.
      const bodies = Array.from({ length: 5 }, (_, n) => change(2 * n + 100))
      const answers = await Promise.all(bodies.map((body) => send(method, at, tag, body)))
      const outcomes = await Promise.all(answers.map(outcome))
      expect(outcomes.filter((result) => result === 200)).toHaveLength(1)
      expect(outcomes.filter((result) => result !== 200)).toEqual(Array.from({ length: 4 }, () => CONFLICT))
      const winner = outcomes.indexOf(200)
      expect(answers[winner]?.headers.get('etag')).toBe(await readTag(at))
    })

    it.runIf(isDeletable)('can delete the entity, but only once', async () => {
      expect(await outcome(await send('DELETE', at, await readTag(at)))).toBe(204)
      const again = await outcome(await send('DELETE', at, '*'))
      expect(again).toEqual([404, expect.stringMatching(/^entity\.not_/)])
    })

    it.runIf(isDeletable)(
      'makes a concurrent conditional deletion fail, even if the deletion has already begun',
      async () => {
        const target = await path()
        const tag = await readTag(target)
        const changeTarget = () => operator.send(method, target, change(1))
        const interrupted = openInterruptedApp('iif(', changeTarget)
        expect(await outcome(await send('DELETE', target, tag, undefined, interrupted))).toEqual(CONFLICT)
        expect((await operator.send('DELETE', target)).status).toBe(204)
      },
    )
  },
)

describe('the If-Match header', () => {
  it('can be a list or *, and is compared strongly (RFC 9110 §13.1.1)', async () => {
    const at = await kinds.role.path()
    const tag = await readTag(at)
    const patch = (header: string) => send('PATCH', at, header, {}).then(outcome)
    expect(await patch(`"other", ${tag}`)).toBe(200)
    expect(await patch('*')).toBe(200)
    for (const header of [`W/${tag}`, '"other"', tag.slice(1, -1), '', '"*"'])
      expect([header, await patch(header)]).toEqual([header, CONFLICT])
    await operator.send('DELETE', at)
  })

  it('never matches phrases that do not exist, so a call with it cannot create them', async () => {
    expect(await outcome(await send('PUT', '/custom-phrases/it', '*', {}))).toEqual(CONFLICT)
    expect((await operator.get('/custom-phrases/it')).status).toBe(404)
  })

  it('has the counterpart If-None-Match: *, which lets only one of several concurrent calls create phrases', async () => {
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
    const outcomes = await Promise.all(Array.from({ length: 4 }, (_, n) => create(n).then(outcome)))
    expect(outcomes.toSorted()).toEqual([200, ...Array.from({ length: 3 }, () => CONFLICT)])
    expect(await outcome(await create(9))).toEqual(CONFLICT)
    await operator.send('DELETE', '/custom-phrases/nl')
    expect(await outcome(await create(10))).toBe(200)
  })

  it('is evaluated only if the call would otherwise succeed (RFC 9110 §13.2.1)', async () => {
    expect(await outcome(await send('PATCH', '/roles/nobody', '"other"', { name: 'New' }))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
    expect(await outcome(await send('PATCH', '/sign-in-exp', '"other"', { color: 1 }))).toEqual([
      400,
      'guard.invalid_input',
    ])
  })

  it('is compared with an ETag that covers values in other tables, such as the administrator role', async () => {
    const at = await kinds.application.path()
    const tag = await readTag(at)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send('PATCH', at, tag, { isAdmin: true })),
    )
    const outcomes = await Promise.all(answers.map(outcome))
    expect(outcomes.filter((result) => result === 200)).toHaveLength(1)
    const changed = answers[outcomes.indexOf(200)]
    expect(await changed?.json()).toMatchObject({ isAdmin: true })
    expect(changed?.headers.get('etag')).toBe(await readTag(at))
  })

  it('must match, or the call makes no change and writes no audit entry', async () => {
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
