import type { BrowserContext, Request } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { type OpenApi, schemaChecks } from '../../kit/openapi-document.ts'

/** Calls of the console, which are those of the documented API (spec/console). */

const documents = new Map<string, Promise<OpenApi>>()

/**
 * From now on every call of a page of the console is noted; when the test ends, all of them have to be in the OpenAPI document:
 * operation, keys of the query, and body; of one that was refused, because of what somebody typed, its keys.
 * Answers them as they come.
 */
export function watchCalls(context: BrowserContext): readonly { method: string; path: string }[] {
  const requests: Request[] = []
  const refused = new Set<Request>()
  const calls: { method: string; path: string }[] = []
  context.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (!path.startsWith('/api/') || !isOfConsole(request)) return
    requests.push(request)
    calls.push({ method: request.method(), path })
  })
  context.on('response', (response) => {
    if (response.status() === 400) refused.add(response.request())
  })
  onTestFinished(async () => {
    const problems: Problem[] = []
    for (const call of requests)
      problems.push(
        ...problemsOf(call, await documentAt(new URL(call.url()).origin)).filter(
          ({ ofValue }) => !ofValue || !refused.has(call),
        ),
      )
    expect(problems.map(({ text }) => text)).toEqual([])
  })
  return calls
}

/** Not of the preview in its frame, nor of the sign-in on the way. */
const isOfConsole = (request: Request) =>
  request.frame().parentFrame() === null && new URL(request.frame().url()).pathname.startsWith('/console')

/** The same for all tenants. */
function documentAt(origin: string): Promise<OpenApi> {
  const { port } = new URL(origin)
  const document =
    documents.get(port) ??
    fetch(new URL('/api/openapi.json', origin)).then((answer) => answer.json() as Promise<OpenApi>)
  documents.set(port, document)
  return document
}

/** `ofValue`: of what may have been typed. */
type Problem = { text: string; ofValue?: boolean }

/** What of the call is not in the document. */
function problemsOf(request: Request, document: OpenApi): Problem[] {
  const { pathname, searchParams } = new URL(request.url())
  const method = request.method()
  const call = `${method} ${pathname}`
  const operation = Object.entries(document.paths)
    .filter(([template]) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname))
    .map(([, operations]) => operations[method.toLowerCase()])
    .find((each) => each !== undefined)
  if (!operation) return [{ text: `${call}: no operation` }]
  const keys = (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name)
  const unknown = [...searchParams.keys()].filter((key) => !keys.includes(key))
  return [
    ...unknown.map((key) => ({ text: `${call}: no query ${key}` })),
    ...bodyProblems(request, operation.requestBody, document).map((problem) => ({
      ...problem,
      text: `${call}: ${problem.text}`,
    })),
  ]
}

type Body = NonNullable<OpenApi['paths'][string]>[string]['requestBody']

function bodyProblems(request: Request, declared: Body, document: OpenApi): Problem[] {
  const type = request.headers()['content-type']?.split(';')[0]
  if (request.postDataBuffer() === null) return declared?.required ? [{ text: 'no body' }] : []
  const content = type === undefined ? undefined : declared?.content[type]
  if (!content) return [{ text: `no body of type ${type}` }]
  if (type !== 'application/json') return []
  const { error } = schemaChecks(document)(content.schema).safeParse(request.postDataJSON())
  return (error?.issues ?? []).map(({ path, message, code }) => ({
    text: `body ${path.join('.')}: ${message}`,
    ofValue: code !== 'unrecognized_keys',
  }))
}
