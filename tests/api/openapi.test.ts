import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { hc } from 'hono/client'
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type ApiRoutes, createApi } from '../../src/api/index.ts'
import { responseExamples } from '../../src/api/openapi/openapi-answer-examples.ts'
import { bodyExamples } from '../../src/api/openapi/openapi-examples.ts'
import { createDeliveryService } from '../../src/application/hooks/outbox-deliveries.ts'
import { readSettings } from '../../src/application/settings.ts'
import { errorCatalogue } from '../../src/contract/errors.ts'
import { createLogoutToken } from '../../src/oidc/sessions/logout-token.ts'
import { createCache } from '../../src/storage/cache.ts'
import { openD1 } from '../../src/storage/d1.ts'
import { createBrandPictureCache } from '../../src/storage/experience/brand-picture-cache.ts'
import { readCompleteExperience } from '../../src/storage/experience/experience.ts'
import { createPhraseBook } from '../../src/storage/experience/phrase-book.ts'
import { createInteractionStore } from '../../src/storage/interactions/interactions.ts'
import { createOrganizationExperiences } from '../../src/storage/organisations/experiences.ts'
import { createPublicDocuments } from '../../src/storage/public-documents.ts'
import { createSeals } from '../../src/storage/seal.ts'
import { readTenantSettings } from '../../src/storage/tenants/settings.ts'
import { readSigningKeys } from '../../src/storage/tenants/signing-keys.ts'
import { createTenantDirectory } from '../../src/storage/tenants/tenant-directory.ts'
import { ORIGIN } from '../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { accountTable, managementTable, serviceTable } from './management-table.ts'
import { operatorProofs } from './operator-proofs.ts'

let app: TestApp
let document: OpenApi
beforeAll(async () => {
  app = openTestApp()
  document = await (await app.fetch('/api/openapi.json')).json()
})

type Content = Record<string, { example?: unknown; schema?: NamedSchema }>
type NamedSchema = { $ref?: string; type?: string; items?: NamedSchema }
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; example?: unknown }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; headers?: Record<string, unknown>; content?: Content }>
}
type OpenApi = {
  openapi: string
  info: { title: string; version: string }
  tags: { name: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, NamedSchema>; securitySchemes: Record<string, unknown> }
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      name: `${method.toUpperCase()} ${path}`,
    })),
  )

const duplicates = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index)

describe('the OpenAPI document', () => {
  it('has version 3.1, and its former URL redirects to the current one', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Vestibule' } })
    const old = await app.fetch('/api/swagger.json')
    expect([old.status, old.headers.get('location')]).toEqual([302, '/api/openapi.json'])
  })

  it('declares a tag, responses and path parameters for each operation', () => {
    const tags = document.tags.map(({ name }) => name)
    expect(operations()).not.toEqual([])
    for (const { path, name, operation } of operations()) {
      expect(tags, name).toContain(operation.tags?.[0])
      expect(Object.keys(operation.responses).length, name).toBeGreaterThan(0)
      for (const [status, { description }] of Object.entries(operation.responses)) {
        expect(status, name).toMatch(/^[1-5]\d\d$/)
        expect(description, name).toMatch(/\w/)
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const declared = operation.parameters?.filter((parameter) => parameter.in === 'path') ?? []
      expect(
        declared.map((parameter) => parameter.name),
        name,
      ).toEqual(inPath)
    }
  })

  it('names each operation uniquely, by a verb that fits its method', () => {
    const verbs: Record<string, RegExp> = {
      get: /^(?:get|list|count|export|redirectTo)[A-Z]/,
      post: /^(?!get|list|count|export|update|delete)[a-z]+[A-Z]/,
      put: /^(?:start|update|replace|set|verify)[A-Z]/,
      patch: /^(?:update|set|add)[A-Z]/,
      delete: /^(?:delete|remove|reset|end|forget|unlink|withdraw|cancel)[A-Z]/,
    }
    const ids = operations().map(({ operation }) => operation.operationId ?? '')
    for (const { name, method, operation } of operations()) {
      expect(operation.operationId, `${name} needs an operationId such as listUsers`).toMatch(
        /^[a-z]+[A-Za-z]+$/,
      )
      expect(operation.operationId, `the operationId of ${name}`).toMatch(verbs[method] ?? /^$/)
      const isList = operation.responses[200]?.content?.['application/json']?.schema?.type === 'array'
      if (method === 'get')
        expect(operation.operationId?.startsWith('list'), `${name} returns a list, or is named so`).toBe(
          isList,
        )
    }
    expect(duplicates(ids)).toEqual([])
  })

  it('names the schema of each body and response, and no two schemas of the same shape', () => {
    const isNamed = (schema: NamedSchema | undefined): boolean =>
      schema?.$ref !== undefined || (schema?.type === 'array' && isNamed(schema.items))
    for (const { name, operation } of operations()) {
      const responses = Object.entries(operation.responses).map(
        ([status, { content }]) => [status, content] as const,
      )
      for (const [part, content = {}] of [['body', operation.requestBody?.content] as const, ...responses])
        for (const { schema } of Object.values(content))
          expect(isNamed(schema), `the schema of ${name}, ${part}, needs a name: .meta({ id: 'User' })`).toBe(
            true,
          )
    }
    const shapes = Map.groupBy(Object.entries(document.components.schemas), ([, schema]) =>
      JSON.stringify(schema),
    )
    const twins = [...shapes.values()].filter((schemas) => schemas.length > 1)
    expect(twins.map((schemas) => schemas.map(([name]) => name))).toEqual([])
    for (const name of Object.keys(document.components.schemas))
      expect(name).toMatch(/^[A-Z][a-z]+[A-Za-z]*$/)
  })

  it('has a short summary for each operation, which is unique within its tag', () => {
    for (const { name, operation } of operations()) {
      expect(operation.summary, name).toMatch(/^[A-Z][^.?!]{5,}$/)
      expect(operation.summary?.length, name).toBeLessThanOrEqual(60)
    }
    const summaries = operations().map(({ operation }) => `${operation.tags?.[0]}: ${operation.summary}`)
    expect(duplicates(summaries)).toEqual([])
  })

  it('[ASVS-2.1.1-2] has a unique description for each operation', () => {
    for (const { name, operation } of operations()) {
      const [description = ''] = operation.description?.split('\n\n') ?? []
      expect(description, name).toMatch(/^[A-Z].*[.)]$/)
      expect(description.length, name).toBeGreaterThanOrEqual(40)
    }
    expect(duplicates(operations().map(({ operation }) => operation.description ?? ''))).toEqual([])
  })

  it('[ASVS-8.1.1] states who may call each operation', () => {
    for (const { name, operation } of operations())
      expect(operation.description, name).toMatch(/\n\nOpen to [^\n]+\.$/)
  })

  it('[ASVS-2.1.1] has an example for each body, response and path parameter', () => {
    const hasExample = (content: Content = {}) =>
      Object.values(content).every(({ example }) => example !== undefined)
    for (const { name, operation } of operations()) {
      expect(hasExample(operation.requestBody?.content), `the body of ${name}`).toBe(true)
      for (const status of [200, 201])
        expect(hasExample(operation.responses[status]?.content), `the response ${status} of ${name}`).toBe(
          true,
        )
      for (const parameter of operation.parameters ?? [])
        if (parameter.in === 'path')
          expect(parameter.example, `${parameter.name} of ${name}`).toMatch(/^\S+$/)
    }
  })

  it('states for each call whether the operator must have signed in recently', () => {
    const protectedCalls = Object.entries(operatorProofs).filter(([, { needs }]) => needs)
    const undocumented = protectedCalls.filter(([call]) => {
      const { operation } = operations().find(({ name }) => name.replace('/api', '') === call) ?? {}
      return !/ A user who [^.]+ must have signed in within the last hour \(401 /.test(
        operation?.description ?? '',
      )
    })
    expect(undocumented.map(([call]) => call)).toEqual([])
  })

  it('has examples only for existing operations', () => {
    const known = new Set(operations().map(({ name }) => name.replace('/api', '')))
    expect(
      [...Object.keys(bodyExamples), ...Object.keys(responseExamples)].filter((name) => !known.has(name)),
    ).toEqual([])
  })

  const tables = { management: managementTable, services: serviceTable, account: accountTable }
  it.each(['management', 'services', 'account'] as const)(
    'contains exactly the calls that spec/management lists: %s',
    (scheme) => {
      const served = operations().filter(({ operation }) =>
        operation.security?.some((requirement) => requirement[scheme]),
      )
      const calls = served.map(({ path, method }) => `${method.toUpperCase()} ${path.slice('/api'.length)}`)
      expect(calls.sort()).toEqual(tables[scheme].map(([call]) => call).sort())
    },
  )

  const rows = [...managementTable, ...serviceTable, ...accountTable].map(
    ([call, paging, ...errorCodes]) => ({
      call,
      paging,
      errorCodes,
    }),
  )
  it.each(rows)('declares the errors that $call can return', ({ call, paging, errorCodes }) => {
    const [method = '', path = ''] = call.split(' ')
    const operation = document.paths[`/api${path}`]?.[method.toLowerCase()]
    if (!operation) throw new Error('It is not in the document')
    const declared = Object.keys(operation.responses).map(Number)
    const hasJson = operation.requestBody?.content['application/json'] !== undefined
    expect(declared).toEqual(
      expect.arrayContaining([400, 401, 403, 500, 503, ...(hasJson ? [413, 415] : [])]),
    )
    for (const code of errorCodes) expect(declared, code).toContain(errorCatalogue[code].status)

    const isPaged = operation.parameters?.some(({ name }) => name === 'page_size') ?? false
    expect(isPaged).toBe(paging !== '')
    const headers = Object.keys(operation.responses[200]?.headers ?? {})
    if (isPaged) expect(headers).toEqual(expect.arrayContaining(['Total-Number', 'Link']))
  })

  it('contains only operations that the server supports', async () => {
    for (const { path, method, name } of operations()) {
      const response = await app.fetch(path.replaceAll(/\{\w+\}/g, 'x'), { method: method.toUpperCase() })
      expect([404, 405], name).not.toContain(response.status)
      expect(response.status, name).toBeLessThan(500)
    }
  })

  it('declares a type for each header and page parameters for each paged list', () => {
    for (const { name, operation } of operations()) {
      for (const { headers = {} } of Object.values(operation.responses))
        for (const header of Object.values(headers))
          expect(JSON.stringify(header), name).toMatch(/"schema":\{"type":"(?:string|integer)"/)
      const isPaged = 'Total-Number' in (operation.responses[200]?.headers ?? {})
      const inQuery = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? []
      const pageQuery = inQuery.filter((parameter) => /^page(?:_size)?$/.test(parameter.name))
      expect(pageQuery.length, name).toBe(isPaged ? 2 : 0)
    }
  })

  it('contains the target of each of its references', () => {
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

  it('[ASVS-8.1.1-2] declares the security scheme of each operation', () => {
    const unauthenticated = /^\/api\/(?:status|openapi\.json|swagger\.json|\.well-known)(?:\/|$)/
    const others = { account: /^\/api\/me(?:\/|$)/, services: /^\/api\/(?:tenants|services)(?:\/|$)/ }
    const ownerOf = (path: string) =>
      Object.entries(others).find(([, paths]) => paths.test(path))?.[0] ?? 'management'
    const schemes = new Set(Object.keys(document.components.securitySchemes))
    for (const { path, operation } of operations()) {
      const security = operation.security ?? document.security
      for (const name of security.flatMap((requirement) => Object.keys(requirement)))
        expect(schemes).toContain(name)
      const kinds = [...new Set(security.flatMap((requirement) => Object.keys(requirement)))]
      if (path.startsWith('/api/interaction')) expect(kinds, path).toContain('interactionCookie')
      else expect(kinds, path).toEqual(unauthenticated.test(path) ? [] : [ownerOf(path)])
    }
    expect(document.components.schemas).toHaveProperty('ErrorBody')
  })

  it('[ASVS-15.3.1] has no password field in the user schema', () => {
    expect(JSON.stringify(document.components.schemas.User)).not.toMatch(/password/i)
  })
})

describe('an API path', () => {
  it.each(['/api', '/api/nothing', '/api/users/a/b/c', '/api/interaction/nothing', '/api/interactions'])(
    'results in a 404 if it does not exist: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const response = await app.fetch(path, { method })
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
    { path: '/api/users/any-user', method: 'PUT', allow: 'GET, PATCH, DELETE, HEAD, OPTIONS' },
    { path: '/api/status', method: 'POST', allow: 'GET, HEAD, OPTIONS' },
  ])(
    '[ASVS-4.1.4] lists the allowed methods if an unsupported one is used: $method $path',
    async ({ path, method, allow }) => {
      const response = await app.fetch(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
      expect(await response.json()).toMatchObject({
        code: 'request.invalid_input',
        message: expect.stringMatching(/\w/),
      })

      const options = await app.fetch(path, { method: 'OPTIONS' })
      expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([200, allow, ''])
    },
  )

  it('responds to HEAD without a body', async () => {
    const response = await app.fetch('/api/status', { method: 'HEAD' })
    expect(response.status).toBe(204)
  })
})

describe('an example in the OpenAPI document', () => {
  const routes = () =>
    openApi().openAPIRegistry.definitions.flatMap((definition) =>
      definition.type === 'route' ? [definition.route] : [],
    )
  const schemaOf = (name: string, part: 'body' | 'answer') => {
    const route = routes().find(({ method, path }) => name === `${method.toUpperCase()} ${path}`)
    const answer = route?.responses[200]
    const content =
      part === 'body' ? route?.request?.body?.content : answer && 'content' in answer && answer.content
    const media = content ? content['application/json'] : undefined
    const schema = media && 'schema' in media ? media.schema : undefined
    return schema instanceof z.ZodType ? schema : undefined
  }

  it.each(Object.entries(bodyExamples))('matches the schema of its request body: %s', (name, example) => {
    expect(schemaOf(name, 'body')?.safeParse(example)).toMatchObject({ success: true })
  })

  it.each(Object.entries(responseExamples))(
    'matches the schema of its response and is complete: %s',
    (name, example) => {
      const parsed = schemaOf(name, 'answer')?.safeParse(example)
      expect(parsed).toMatchObject({ success: true })
      expect(parsed?.data).toEqual(example)
    },
  )
})

/** Creates only the API, without the rest of the app. */
function openApi() {
  const db = openD1(env.DB)
  const seals = createSeals('a root secret for this test, long enough')
  const { now } = Date
  const services = {
    settings: readSettings(env),
    db,
    tenants: createTenantDirectory(db, { now }),
    seals,
    now,
    interactions: createInteractionStore(env.INTERACTIONS, seals),
    publicDocuments: createPublicDocuments(env.INTERACTIONS, { now }),
    social: createCache(async () => [], { now }),
    tenantSettings: createCache(() => readTenantSettings(db, seals, 'default'), { now }),
    experience: createCache(() => readCompleteExperience(db, 'default'), { now }),
    organizationExperiences: createOrganizationExperiences(db, { now }),
    phrases: createPhraseBook(db, { now }),
    brandPictures: createBrandPictureCache(db, { now }),
    applications: createCache(async () => null, { now }),
    signingKeys: createCache(() => readSigningKeys({ db, seals, now }, 'default'), { now }),
    network: { fetch },
    floodLimits: {},
  }
  const faults = { fetch, logoutToken: createLogoutToken, wait: async () => {} }
  const noAuthorization = () => Promise.reject(new Error('No test finishes an authorization here'))
  return createApi({ ...services, deliveries: createDeliveryService(services, faults) }, noAuthorization)
}

describe('the API that the pages call', () => {
  it('checks the interaction and adds a request id to the response', async () => {
    const response = await openApi().fetch(
      new Request(`${ORIGIN}/api/interaction/submit`, { method: 'POST' }),
      env,
      createExecutionContext(),
    )
    expect(response.status).toBe(400)
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(await response.json()).toMatchObject({ code: 'session.not_found' })
  })
})

it('the typed client includes every API call', () => {
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
