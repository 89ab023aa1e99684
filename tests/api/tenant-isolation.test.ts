import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Collection,
  createTenantFixture,
  managedCollections,
  rowsOf,
  type TenantFixture,
} from '../kit/tenant-fixture.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

type Operation = {
  security?: Record<string, string[]>[]
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> }
}
type Call = { method: string; path: string; kind: Kind; body: Record<string, unknown> | undefined }
type Kind = 'management' | 'services' | 'account' | 'interaction' | 'public'

let app: TestApp
let alpha: TenantFixture
let beta: TenantFixture
let calls: Call[]
beforeAll(async () => {
  app = openTestApp()
  alpha = await createTenantFixture(app, 'alpha', 'fr')
  beta = await createTenantFixture(app, 'beta', 'de')
  const document: { paths: Record<string, Record<string, Operation>> } = await (
    await app.fetch('/api/openapi.json')
  ).json()
  calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      kind: kindOf(operation),
      body: operation.requestBody?.content['application/json']?.example,
    })),
  )
}, 60_000)

function kindOf({ security }: Operation): Kind {
  if (!security) return 'interaction'
  const [requirement] = security
  if (!requirement) return 'public'
  const kind = (['management', 'services', 'account'] as const).find((name) => name in requirement)
  if (!kind) throw new Error(`Which token is ${JSON.stringify(requirement)}?`)
  return kind
}

/** The path parameters that are the same in all tenants. */
const shared: Record<string, string> = {
  accounts: 'entry',
  factoryId: 'http-sms',
  'connector-factories': 'http-sms',
}

/** A place in a call that contains an id: a path parameter or a list in the body. */
type Slot = { where: string; collection: Collection }

/**
 * Returns the slots of a call. Throws for an unknown collection: add it to `managedCollections`, with an entity in both
 * tenants.
 */
function slotsOf({ path, body = {} }: Call): Slot[] {
  const inPath = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].flatMap(([, word = '', name = '']) =>
    (shared[name] ?? shared[word]) ? [] : [{ where: name, collection: collectionIn(path, word) }],
  )
  const inBody = Object.keys(body).flatMap((name) => {
    const word = /^(\w+)Ids$/.exec(name)?.[1]
    return word ? [{ where: name, collection: collectionIn(path, `${word}s`) }] : []
  })
  return [...inPath, ...inBody]
}

/** Organisations have roles, applications and scopes of their own, whose paths have the same words. */
function collectionIn(path: string, word: string): Collection {
  if (path.includes('/resource-scopes')) return collectionNamed(word === 'resource-scopes' ? 'scopes' : word)
  const isOfOrganizations =
    path.includes('/organizations/{id}/') || path.includes('/organization-roles/{id}/')
  return collectionNamed(
    isOfOrganizations && `organization-${word}` in alpha.ids ? `organization-${word}` : word,
  )
}

function collectionNamed(word: string): Collection {
  const collection = managedCollections.find((name) => name === word)
  if (!collection) throw new Error(`There is no collection named ${word}.`)
  return collection
}

/** Fills each slot of the call with the id of an entity that belongs to the tenant `of(slot)`. */
function fillSlots(call: Call, of: (slot: Slot) => TenantFixture) {
  const values = new Map(slotsOf(call).map((slot) => [slot.where, of(slot).ids[slot.collection]]))
  const path = call.path.replaceAll(
    /([\w-]+)\/\{(\w+)\}/g,
    (_, word: string, name: string) => `${word}/${values.get(name) ?? shared[name] ?? shared[word]}`,
  )
  const body =
    call.body &&
    Object.fromEntries(
      Object.entries(call.body).map(([name, value]) => [name, values.has(name) ? [values.get(name)] : value]),
    )
  return { path, body }
}

function send(
  to: TenantFixture,
  { method }: Call,
  { path, body }: { path: string; body: unknown },
  headers: Record<string, string>,
): Promise<Response> {
  return to.site.fetch(path, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const cookiesOf = ({ client }: TenantFixture) => client.cookieHeader()

/** The values that only this tenant can return. */
const wordsOf = ({ id, mark, ids, origin }: TenantFixture) => [
  mark,
  `"${id}"`,
  origin,
  ...Object.entries(ids).flatMap(([collection, id]) => (collection === 'custom-phrases' ? [] : [id])),
]

/** Checks that `run` changes no row of the tenant. */
async function expectUnchanged(tenant: TenantFixture, run: () => Promise<void>): Promise<void> {
  const before = await rowsOf(app, tenant.id)
  expect(Object.values(before).flat().length).toBeGreaterThan(40)
  await run()
  expect(await rowsOf(app, tenant.id)).toEqual(before)
}

// These tests run first, because later tests make callers send foreign ids, which then appear in their own tenant's
// log.
describe('a tenant’s lists', () => {
  it('[ASVS-8.4.1] contain no data from other tenants', async () => {
    const lists = calls.filter(
      (call) => call.method === 'GET' && call.kind !== 'interaction' && slotsOf(call).length === 0,
    )
    expect(lists.length).toBeGreaterThan(15)
    for (const call of lists) {
      const headers =
        call.kind === 'public' || call.kind === 'interaction' ? {} : bearer(beta.tokens[call.kind])
      const response = await send(
        beta,
        call,
        fillSlots(call, () => beta),
        headers,
      )
      const text = await response.text()
      for (const word of wordsOf(alpha)) expect(text, `${call.path} contains ${word}`).not.toContain(word)
    }
  })

  it.each([
    (ids: TenantFixture['ids']) => `/users?search.id=${ids.users}&mode.id=exact`,
    (ids: TenantFixture['ids']) => `/logs?userId=${ids.users}`,
    (ids: TenantFixture['ids']) => `/logs?applicationId=${ids.applications}`,
    (ids: TenantFixture['ids']) => `/roles?search.id=${ids.roles}&mode.id=exact`,
  ])('return no entities from other tenants when searched: %s', async (search) => {
    expect(await (await beta.operator.get(search(beta.ids))).json()).not.toEqual([])
    expect(await (await beta.operator.get(search(alpha.ids))).json()).toEqual([])
  })
})

describe('a call with another tenant’s ids', () => {
  /**
   * Both tenants can have phrases for the same language, so this call stores new phrases. The test then deletes them.
   */
  const createsOwnEntity = 'PUT /api/custom-phrases/{tag}'
  const answersForEachEntity = 'POST /api/users/bulk'

  it('[ASVS-8.2.2] cannot read or change that tenant’s data', async () => {
    let attempts = 0
    await expectUnchanged(alpha, async () => {
      for (const call of calls) {
        const { kind } = call
        if (kind === 'public' || kind === 'interaction') continue
        for (const foreign of slotsOf(call)) {
          const request = fillSlots(call, (slot) => (slot.where === foreign.where ? alpha : beta))
          const response = await send(beta, call, request, bearer(beta.tokens[kind]))
          const text = await response.text()
          const name = `${call.method} ${call.path} with a foreign ${foreign.where}`
          attempts++
          if (`${call.method} ${call.path}` === createsOwnEntity) {
            expect(
              (await send(beta, { ...call, method: 'DELETE' }, request, bearer(beta.tokens[kind]))).status,
            ).toBe(204)
            continue
          }
          if (`${call.method} ${call.path}` === answersForEachEntity) {
            const { results } = JSON.parse(text) as {
              results: { error?: { code: string } }[]
            }
            expect([name, results.map(({ error }) => error?.code)]).toEqual([name, ['entity.not_found']])
            continue
          }
          // Only the default tenant can manage other tenants. To a user, an organisation that does not exist is one without
          // the user.
          const isRefused = foreign.collection === 'tenants' || call.path.startsWith('/api/me/organizations')
          const expected = isRefused ? 403 : 404
          expect([name, response.status]).toEqual([name, expected])
          expect(text.replaceAll(alpha.ids[foreign.collection], ''), name).not.toContain(alpha.mark)
        }
      }
    })
    expect(attempts).toBeGreaterThan(50)
  })
})

describe('a tenant’s credentials', () => {
  it('[ASVS-8.4.1-2] cannot change either tenant through the other tenant’s host', async () => {
    await expectUnchanged(alpha, () =>
      expectUnchanged(beta, async () => {
        for (const call of calls) {
          const { kind } = call
          if (kind === 'public') continue
          for (const owner of [alpha, beta]) {
            const headers =
              kind === 'interaction'
                ? { cookie: cookiesOf(alpha), Interaction: alpha.interaction.uid }
                : bearer(alpha.tokens[kind])
            const response = await send(
              beta,
              call,
              fillSlots(call, () => owner),
              headers,
            )
            const { code } = (await response.json()) as { code: string }
            expect([call.method, call.path, response.status, code]).toEqual([
              call.method,
              call.path,
              ...(kind === 'interaction' ? [400, 'session.not_found'] : [401, 'auth.unauthorized']),
            ])
          }
        }
      }),
    )
  })

  it('do not expose the tenant’s data in public calls to another tenant', async () => {
    for (const call of calls.filter(({ kind }) => kind === 'public')) {
      const headers = { cookie: cookiesOf(alpha), ...bearer(alpha.tokens.management) }
      const text = await (
        await send(
          beta,
          call,
          fillSlots(call, () => beta),
          headers,
        )
      ).text()
      for (const word of wordsOf(alpha)) expect(text, call.path).not.toContain(word)
    }
  })

  it('are accepted by their own tenant', async () => {
    expect((await alpha.operator.get(`/users/${alpha.ids.users}`)).status).toBe(200)
    expect((await alpha.site.fetch('/api/me', { headers: bearer(alpha.tokens.account) })).status).toBe(200)
    const step = await alpha.client.send(
      'PUT',
      '/api/interaction/step',
      { identifier: { type: 'username', value: 'ann' } },
      { Interaction: alpha.interaction.uid },
    )
    expect(step.status).toBe(204)
  })
})
