import type { BrowserContext, Request } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { type OpenApi, schemaChecks } from '../../kit/openapi-document.ts'

/** Checks the console's calls against the documented API (spec/console). */

const documents = new Map<string, Promise<OpenApi>>()

/**
 * Records every call that the console makes from now on and returns the growing list. When the test ends,
 * checks that the OpenAPI document contains each call with its operation, query keys and body. For calls that
 * were rejected because of typed values, only the keys of the body are checked.
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
        ...findProblems(call, await readDocument(new URL(call.url()).origin)).filter(
          ({ ofValue }) => !ofValue || !refused.has(call),
        ),
      )
    expect(problems.map(({ text }) => text)).toEqual([])
  })
  return calls
}

/**
 * Reports whether the console itself made the request, rather than the preview in its frame or the sign-in
 * page.
 */
const isOfConsole = (request: Request) =>
  request.frame().parentFrame() === null && new URL(request.frame().url()).pathname.startsWith('/console')

/** Reads the OpenAPI document, which is the same for all tenants. */
function readDocument(origin: string): Promise<OpenApi> {
  const { port } = new URL(origin)
  const document =
    documents.get(port) ??
    fetch(new URL('/api/openapi.json', origin)).then((answer) => answer.json() as Promise<OpenApi>)
  documents.set(port, document)
  return document
}

/** `ofValue` marks problems with a value that the user may have typed. */
type Problem = { text: string; ofValue?: boolean }

/** Returns the parts of the call that the document does not declare. */
function findProblems(request: Request, document: OpenApi): Problem[] {
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
    ...findBodyProblems(request, operation.requestBody, document).map((problem) => ({
      ...problem,
      text: `${call}: ${problem.text}`,
    })),
  ]
}

type Body = NonNullable<OpenApi['paths'][string]>[string]['requestBody']

function findBodyProblems(request: Request, declared: Body, document: OpenApi): Problem[] {
  const type = request.headers()['content-type']?.split(';')[0]
  // Chromium does not tell the content of a form with a file.
  const hasBody = request.postDataBuffer() !== null || type === 'multipart/form-data'
  if (!hasBody) return declared?.required ? [{ text: 'no body' }] : []
  const content = type === undefined ? undefined : declared?.content[type]
  if (!content) return [{ text: `no body of type ${type}` }]
  if (type !== 'application/json') return []
  const { error } = schemaChecks(document)(content.schema).safeParse(request.postDataJSON())
  return (error?.issues ?? []).map(({ path, message, code }) => ({
    text: `body ${path.join('.')}: ${message}`,
    ofValue: code !== 'unrecognized_keys',
  }))
}
