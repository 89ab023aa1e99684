import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { hc } from 'hono/client'
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { createDeliveries } from '../../src/api/deliveries.ts'
import { type ApiRoutes, createApi } from '../../src/api/index.ts'
import { readSettings } from '../../src/env.ts'
import { readSigningKeys } from '../../src/oidc/keys.ts'
import { makeLogoutToken } from '../../src/oidc/logout-token.ts'
import { createCache } from '../../src/storage/cache.ts'
import { openD1 } from '../../src/storage/database.ts'
import { readWholeExperience } from '../../src/storage/experience.ts'
import { createInteractionStore } from '../../src/storage/interactions.ts'
import { createPhraseBook } from '../../src/storage/phrase-book.ts'
import { createSeals } from '../../src/storage/seal.ts'
import { readTenantSettings } from '../../src/storage/settings.ts'
import { type House, openHouse } from '../house.ts'
import { ORIGIN } from '../visitor.ts'

let house: House
let document: OpenApi
beforeAll(async () => {
  house = openHouse()
  document = await (await house.fetch('/api/openapi.json')).json()
})

type Operation = {
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string }[]
  requestBody?: unknown
  responses: Record<string, { description: string }>
}
type OpenApi = {
  openapi: string
  info: { title: string; version: string }
  tags: { name: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> }
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

describe('the document', () => {
  it('is OpenAPI 3.1, and at its old address too', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Vestibule' } })
    const old = await house.fetch('/api/swagger.json')
    expect([old.status, old.headers.get('location')]).toEqual([302, '/api/openapi.json'])
  })

  it('has every route there is, each with what it needs', () => {
    expect(operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`)).toEqual(
      expect.arrayContaining([
        'PUT /api/interaction',
        'DELETE /api/interaction',
        'PUT /api/interaction/event',
        'PUT /api/interaction/step',
        'PATCH /api/interaction/identifiers',
        'PUT /api/interaction/profile',
        'PATCH /api/interaction/profile',
        'DELETE /api/interaction/profile',
        'POST /api/interaction/submit',
        'POST /api/interaction/consent',
        'GET /api/applications',
        'POST /api/applications',
        'GET /api/applications/{id}',
        'PATCH /api/applications/{id}',
        'DELETE /api/applications/{id}',
        'GET /api/hooks',
        'POST /api/hooks',
        'GET /api/hooks/{id}',
        'PATCH /api/hooks/{id}',
        'DELETE /api/hooks/{id}',
        'POST /api/hooks/{id}/secret',
        'POST /api/hooks/{id}/test',
        'GET /api/hooks/{id}/deliveries',
        'POST /api/hooks/{id}/deliveries/{deliveryId}/resend',
        'GET /api/logs',
        'GET /api/logs/{id}',
        'GET /api/sign-in-exp',
        'GET /api/.well-known/phrases',
        'GET /api/.well-known/sign-in-exp',
        'GET /api/configs/admin-console',
        'PATCH /api/configs/admin-console',
        'GET /api/configs/settings',
        'PATCH /api/configs/settings',
        'GET /api/connector-factories',
        'GET /api/connector-factories/{id}',
        'GET /api/connectors',
        'POST /api/connectors',
        'GET /api/connectors/{id}',
        'PATCH /api/connectors/{id}',
        'DELETE /api/connectors/{id}',
        'POST /api/connectors/{factoryId}/test',
        'GET /api/custom-phrases',
        'GET /api/custom-phrases/{tag}',
        'PUT /api/custom-phrases/{tag}',
        'DELETE /api/custom-phrases/{tag}',
        'GET /api/resources',
        'POST /api/resources',
        'GET /api/resources/{id}',
        'PATCH /api/resources/{id}',
        'DELETE /api/resources/{id}',
        'GET /api/resources/{id}/scopes',
        'POST /api/resources/{id}/scopes',
        'PATCH /api/resources/{id}/scopes/{scopeId}',
        'DELETE /api/resources/{id}/scopes/{scopeId}',
        'GET /api/roles',
        'POST /api/roles',
        'GET /api/roles/{id}',
        'PATCH /api/roles/{id}',
        'DELETE /api/roles/{id}',
        'GET /api/roles/{id}/applications',
        'POST /api/roles/{id}/applications',
        'DELETE /api/roles/{id}/applications/{applicationId}',
        'GET /api/roles/{id}/scopes',
        'POST /api/roles/{id}/scopes',
        'DELETE /api/roles/{id}/scopes/{scopeId}',
        'GET /api/roles/{id}/users',
        'POST /api/roles/{id}/users',
        'DELETE /api/roles/{id}/users/{userId}',
        'GET /api/users/{id}/roles',
        'POST /api/users/{id}/roles',
        'PUT /api/users/{id}/roles',
        'DELETE /api/users/{id}/roles/{roleId}',
        'POST /api/verification-codes',
        'POST /api/verification-codes/verify',
        'PATCH /api/sign-in-exp',
        'GET /api/users',
        'POST /api/users',
        'GET /api/users/{id}',
        'PATCH /api/users/{id}',
        'DELETE /api/users/{id}',
        'GET /api/users/{id}/custom-data',
        'PATCH /api/users/{id}/custom-data',
        'PATCH /api/users/{id}/password',
        'PATCH /api/users/{id}/is-suspended',
        'GET /api/status',
        'GET /api/openapi.json',
        'GET /api/swagger.json',
      ]),
    )
    const tags = document.tags.map(({ name }) => name)
    for (const { path, method, operation } of operations()) {
      const named = `${method} ${path}`
      expect(operation.summary, named).toMatch(/\w/)
      expect(tags, named).toContain(operation.tags?.[0])
      expect(Object.keys(operation.responses).length, named).toBeGreaterThan(0)
      for (const [status, { description }] of Object.entries(operation.responses)) {
        expect(status, named).toMatch(/^[1-5]\d\d$/)
        expect(description, named).toMatch(/\w/)
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = operation.parameters?.filter((parameter) => parameter.in === 'path') ?? []
      expect(
        declared.map(({ name }) => name),
        named,
      ).toEqual(inPath)
    }
  })

  it('answers on every one of them', async () => {
    for (const { path, method } of operations()) {
      const response = await house.fetch(path.replaceAll(/\{\w+\}/g, 'x'), { method: method.toUpperCase() })
      expect([404, 405], `${method} ${path}`).not.toContain(response.status)
      expect(response.status, `${method} ${path}`).toBeLessThan(500)
    }
  })

  it('leads nowhere that is not there', () => {
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, reference = '']) => reference)
    expect(references.length).toBeGreaterThan(0)
    for (const reference of new Set(references)) {
      const target = reference.split('/').reduce<unknown>((node, name) => {
        return typeof node === 'object' && node !== null ? Reflect.get(node, name) : undefined
      }, document)
      expect(target, reference).toBeTypeOf('object')
    }
  })

  it('says who may call what', () => {
    const forEverybody = /^\/api\/(?:status|openapi\.json|swagger\.json|\.well-known)(?:\/|$)/
    const schemes = new Set(Object.keys(document.components.securitySchemes))
    for (const { path, operation } of operations()) {
      const security = operation.security ?? document.security
      for (const name of security.flatMap((way) => Object.keys(way))) expect(schemes).toContain(name)
      const kinds = security.flatMap((way) => Object.keys(way))
      if (path.startsWith('/api/interaction')) expect(kinds, path).toContain('interactionCookie')
      else expect(kinds, path).toEqual(forEverybody.test(path) ? [] : ['management'])
    }
    expect(document.components.schemas).toHaveProperty('Error')
  })

  it('never shows what a password looks like inside', () => {
    expect(JSON.stringify(document.components.schemas.User)).not.toMatch(/password/i)
  })
})

describe('a path', () => {
  it.each(['/api', '/api/nothing', '/api/users/a/b/c', '/api/interaction/nothing', '/api/interactions'])(
    'that is none is not found: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const response = await house.fetch(path, { method })
        expect(response.status).toBe(404)
        expect(await response.json()).toEqual({
          code: 'entity.not_found',
          message: expect.stringMatching(/\w/),
        })
      }
    },
  )

  it.each([
    { path: '/api/interaction', method: 'GET', allow: 'PUT, DELETE, OPTIONS' },
    { path: '/api/interaction/submit', method: 'GET', allow: 'POST, OPTIONS' },
    { path: '/api/users', method: 'DELETE', allow: 'GET, POST, HEAD, OPTIONS' },
    { path: '/api/users/anybody', method: 'PUT', allow: 'GET, PATCH, DELETE, HEAD, OPTIONS' },
    { path: '/api/status', method: 'POST', allow: 'GET, HEAD, OPTIONS' },
  ])('asked the wrong way says which ways there are: $method $path', async ({ path, method, allow }) => {
    const refused = await house.fetch(path, { method })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, allow])
    expect(await refused.json()).toMatchObject({
      code: 'request.invalid_input',
      message: expect.stringMatching(/\w/),
    })

    const asked = await house.fetch(path, { method: 'OPTIONS' })
    expect([asked.status, asked.headers.get('allow'), await asked.text()]).toEqual([200, allow, ''])
  })

  it('is asked for its headers alone', async () => {
    const response = await house.fetch('/api/status', { method: 'HEAD' })
    expect(response.status).toBe(204)
  })
})

describe('the API by itself, as pages call it', () => {
  it('knows who asks and gives its answer an id', async () => {
    const db = openD1(env.DB)
    const seals = createSeals('a root secret for this test, long enough')
    const { now } = Date
    const services = {
      settings: readSettings(env),
      db,
      seals,
      now,
      interactions: createInteractionStore(env.INTERACTIONS, seals),
      social: createCache(async () => [], { now }),
      tenantSettings: createCache(() => readTenantSettings(db, seals, 'default'), { now }),
      experience: createCache(() => readWholeExperience(db, 'default'), { now }),
      phrases: createPhraseBook(db, { now }),
      applications: createCache(async () => null, { now }),
      signingKeys: createCache(() => readSigningKeys({ db, seals, now }, 'default'), { now }),
      network: { fetch },
    }
    const world = { fetch, logoutToken: makeLogoutToken, wait: async () => {} }
    const api = createApi({ ...services, deliveries: createDeliveries(services, world) })
    const response = await api.fetch(
      new Request(`${ORIGIN}/api/interaction/submit`, { method: 'POST' }),
      env,
      createExecutionContext(),
    )
    expect(response.status).toBe(400)
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(await response.json()).toMatchObject({ code: 'session.not_found' })
  })
})

it('the client knows every call by its type', () => {
  const { api } = hc<ApiRoutes>(ORIGIN)
  expectTypeOf(api.interaction.submit.$post).toBeFunction()
  expectTypeOf(api.interaction.consent.$post).toBeFunction()
  expectTypeOf(api.interaction.$put).parameter(0).toHaveProperty('json')
  expectTypeOf<Parameters<typeof api.interaction.profile.$patch>[0]['json']>().toHaveProperty('password')
  expectTypeOf<Awaited<ReturnType<typeof api.status.$get>>['status']>().toEqualTypeOf<204>()

  type Listed = Extract<Awaited<ReturnType<typeof api.users.$get>>, { status: 200 }>
  expectTypeOf<Awaited<ReturnType<Listed['json']>>[number]['primaryEmail']>().toEqualTypeOf<string | null>()
  type Created = Extract<Awaited<ReturnType<typeof api.applications.$post>>, { status: 200 }>
  expectTypeOf<Awaited<ReturnType<Created['json']>>['oidcClientMetadata']['redirectUris']>().toEqualTypeOf<
    string[]
  >()
  expectTypeOf(api.applications[':id'].$patch).toBeFunction()
  expectTypeOf(api['sign-in-exp'].$patch).toBeFunction()
  expect(api.users.$url().pathname).toBe('/api/users')
})
