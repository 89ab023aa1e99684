import type { OpenAPIHono } from '@hono/zod-openapi'
import { answerExamples, bodyExamples } from './openapi-examples.ts'

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * What every call has in common is said here and not at each of them: how it fails when the service does, what becomes of
 * bodies that are none, and examples.
 */
export function completeDocument(document: Document, basePath: string): Document {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item[method]
      if (!operation) continue
      addAnswers(operation, method)
      addExamples(operation, `${method.toUpperCase()} ${path.slice(basePath.length)}`)
    }
  }
  return document
}

function addAnswers(operation: Operation, method: (typeof methods)[number]): void {
  operation.responses ??= {}
  const isForEverybody = operation.security?.length === 0
  const takesJson = contentOf(operation.requestBody)?.['application/json'] !== undefined
  const statuses = [...(isForEverybody ? [] : [500, 503]), ...(takesJson ? [413, 415] : [])]
  for (const status of statuses) operation.responses[status] ??= refusal
  const isTagged = method === 'get' && operation.security?.some((way) => way.management ?? way.services)
  if (isTagged) operation.responses[304] ??= { description: 'It is as it was when `If-None-Match` was true' }
}

const refusal = {
  description: 'See the error catalogue',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function addExamples(operation: Operation, name: string): void {
  const body = contentOf(operation.requestBody)?.['application/json']
  if (body && Object.hasOwn(bodyExamples, name)) body.example = bodyExamples[name]
  const answer = contentOf(operation.responses?.[200])?.['application/json']
  if (answer && Object.hasOwn(answerExamples, name)) answer.example = answerExamples[name]
}

/** None of ours is a reference. */
function contentOf(part: Operation['requestBody'] | NonNullable<Operation['responses']>[string]) {
  return part && 'content' in part ? part.content : undefined
}
