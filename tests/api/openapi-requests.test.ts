import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createApi } from '../../src/api/index.ts'
import type { Dependencies } from '../../src/application/dependencies.ts'
import { describeIssue, type Issue } from '../../src/contract/issue-sentences.ts'
import { type OpenApi, schemaChecks, withoutReferences } from '../kit/openapi-document.ts'
import { openTestApp } from '../kit/test-app.ts'
import { fittingValue, type Schema } from './requests-from-schemas.ts'

/**
 * Generates requests that match the OpenAPI document and validates them as the server does. The server may reject one
 * only for a reason that the document names (spec/management#openapi).
 */

const { seed, isExhaustive } = env.TEST_SWEEP
const VALUES = isExhaustive ? 1_000 : 200

const document: OpenApi = withoutReferences(await (await openTestApp().fetch('/api/openapi.json')).json())
const checkOf = schemaChecks(document)

const noAuthorization = () => Promise.reject(new Error('The declarations are only read'))

/** The declarations need no services: they are only read. */
const declarations = createApi(inertDependencies(), noAuthorization).openAPIRegistry.definitions

function inertDependencies(): Dependencies {
  const inert: unknown = new Proxy(() => {}, {
    get: (_, key) => (typeof key === 'symbol' ? undefined : inert),
  })
  return inert as Dependencies
}

type Part = { part: string; schema: Schema; declared: z.ZodType }

const parts: Part[] = declarations.flatMap((definition) => {
  if (definition.type !== 'route') return []
  const { method, path, request = {} } = definition.route
  const call = `${method.toUpperCase()} ${path}`
  const operation = document.paths[`/api${path.replace(/(.)\/$/, '$1')}`]?.[method]
  const media = request.body?.content['application/json']
  const body = media && 'schema' in media ? media.schema : undefined
  const documented = operation?.requestBody?.content['application/json']?.schema
  const parameters = (place: string) =>
    operation?.parameters?.filter((parameter) => parameter.in === place) ?? []
  const withObject = (place: string, declared: unknown): Part[] =>
    parameters(place).length > 0 && declared instanceof z.ZodType
      ? [{ part: `the ${place} of ${call}`, declared, schema: objectOf(parameters(place)) }]
      : []
  return [
    ...(documented && body instanceof z.ZodType
      ? [{ part: `the body of ${call}`, schema: documented, declared: body }]
      : []),
    ...withObject('path', request.params),
    ...withObject('query', request.query),
  ]
})

/** Returns the schema of all parameters. In a URL, every value is text. */
function objectOf(parameters: readonly { name: string; required?: boolean; schema?: Schema }[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}

const toText = (value: unknown): unknown =>
  Object.fromEntries(
    Object.entries(value ?? {}).map(([name, item]) => [
      name,
      ['number', 'boolean'].includes(typeof item) ? String(item) : item,
    ]),
  )

/** Returns the descriptions in a schema, which name the rules that JSON Schema cannot express. */
function descriptionsIn(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return ''
  return Object.entries(schema)
    .map(([key, value]) =>
      key === 'description' && typeof value === 'string' ? value : descriptionsIn(value),
    )
    .join(' ')
}

/** Returns the problem without its subject, which is how the document names a rule. */
const predicateOf = (issue: Issue) =>
  describeIssue({ ...issue, path: [] }).replace(
    /^The body (?:is not valid: `[^`]+` |is not a permitted key: it )?(.*)\.$/s,
    '$1',
  )

describe('a request that matches the OpenAPI document', () => {
  it.each(parts)(
    'is rejected only for a reason that the document names: $part',
    ({ part, schema, declared }) => {
      const named = descriptionsIn(schema)
      const check = checkOf(schema)
      const isBody = part.startsWith('the body')
      const values = fc
        .sample(fittingValue(schema), { seed, numRuns: VALUES })
        .map((value) => JSON.parse(JSON.stringify(value)))
        .filter((value) => JSON.stringify(value).isWellFormed() && check.safeParse(value).success)
      const reasons = values.flatMap((value) => {
        const { error } = declared.safeParse(isBody ? value : toText(value))
        return (error?.issues ?? []).map((issue) => ({ issue, value }))
      })
      const unnamed = reasons.filter(({ issue }) => !named.includes(predicateOf(issue)))
      const [first] = unnamed
      expect(
        first ? `${describeIssue(first.issue)} The document permits ${JSON.stringify(first.value)}` : '',
      ).toBe('')
    },
  )

  it('can be generated for each part', () => {
    const without = parts.filter(({ schema }) => {
      const check = checkOf(schema)
      return !fc
        .sample(fittingValue(schema), { seed, numRuns: 200 })
        .some((value) => check.safeParse(value).success)
    })
    expect(without.map(({ part }) => part)).toEqual([])
    expect(parts.length).toBeGreaterThan(150)
  })
})
