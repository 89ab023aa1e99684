import type { OpenAPIHono } from '@hono/zod-openapi'
import { getAcceptedScopes, managementScopeNames } from '../../contract/access/management-scopes.ts'
import { responseExamples } from './openapi-answer-examples.ts'
import { bodyExamples, parameterExamples } from './openapi-examples.ts'

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * Adds information to the OpenAPI document that the declarations do not contain: who may call each operation, server
 * errors and examples.
 */
export function completeOpenApiDocument(document: Document, basePath: string): Document {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item[method]
      if (!operation) continue
      addCaller(operation, requiredScopes(operation, method, path))
      addResponses(operation, method)
      addExamples(operation, method, path.slice(basePath.length))
    }
  }
  return document
}

const callers = {
  none: 'Open to everyone, without authentication.',
  management: 'Open to clients with an access token for the management API.',
  services: 'Open to clients with an access token for `urn:vestibule:services`.',
  account:
    'Open to the applications of the tenant, for the user of their access token; closed to third parties.',
  interaction: 'Open to pages of the same origin in the browser that has the cookie of the interaction.',
}

/**
 * Adds the permitted callers to each call's description, because readers often overlook a document's security schemes.
 */
function addCaller(operation: Operation, scopes: readonly string[]): void {
  const { security } = operation
  const schemes = (security ?? [{ interaction: [] }]).flatMap((way) => Object.keys(way))
  const caller = Object.entries(callers).find(([scheme]) => schemes.includes(scheme))?.[1] ?? callers.none
  const withScope =
    scopes.length > 0 ? caller.replace(/\.$/, ` with the scope ${scopes.map(quoted).join(' or ')}.`) : caller
  operation.description = [operation.description, withScope].filter(Boolean).join('\n\n')
  if (scopes.length > 0) operation.security = scopes.map((scope) => ({ management: [scope] }))
}

const quoted = (name: string) => `\`${name}\``

/**
 * Returns the management API scopes that give access to a call, or none if every scope does
 * (spec/management#scopes-of-api).
 */
function requiredScopes({ security }: Operation, method: string, path: string): readonly string[] {
  if (!security?.some((way) => way.management)) return []
  const scopes = getAcceptedScopes(method.toUpperCase(), path)
  return scopes.length === managementScopeNames.length ? [] : scopes
}

function addResponses(operation: Operation, method: (typeof methods)[number]): void {
  operation.responses ??= {}
  const isUnauthenticated = operation.security?.length === 0
  const takesJson = contentOf(operation.requestBody)?.['application/json'] !== undefined
  const statuses = [...(isUnauthenticated ? [] : [500, 503]), ...(takesJson ? [413, 415] : [])]
  for (const status of statuses) operation.responses[status] ??= refusal
  const hasTag = method === 'get' && operation.security?.some((way) => way.management ?? way.services)
  if (hasTag)
    operation.responses[304] ??= { description: 'Not modified: `If-None-Match` contains the current ETag' }
}

const refusal = {
  description: 'Rejected; `code` is one of the codes in the error catalogue',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
}

function addExamples(operation: Operation, method: string, path: string): void {
  const name = `${method.toUpperCase()} ${path}`
  const content = contentOf(operation.requestBody)
  const body = content?.['application/json']
  if (body && Object.hasOwn(bodyExamples, name)) body.example = bodyExamples[name]
  const form = content?.['multipart/form-data']
  if (form) form.example = { file: '(the bytes of logo.png)' }
  const response = contentOf(operation.responses?.[200])?.['application/json']
  if (response && Object.hasOwn(responseExamples, name)) response.example = responseExamples[name]
  for (const parameter of operation.parameters ?? []) {
    if (!('in' in parameter) || parameter.in !== 'path') continue
    const place = path.split('/').find((_, index, parts) => parts[index + 1] === `{${parameter.name}}`)
    parameter.example = parameterExamples[`${place}/{${parameter.name}}`]
  }
}

/** Returns the content of a body or response. Neither is ever a reference in this document. */
function contentOf(part: Operation['requestBody'] | NonNullable<Operation['responses']>[string]) {
  return part && 'content' in part ? part.content : undefined
}
