import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { BODY_MAX_BYTES } from '../contract/body-limit.ts'
import { refuse } from '../contract/errors.ts'
import { invalidInput } from '../contract/invalid-input.ts'
import { RefusalError } from '../contract/refused.ts'
import { copyLocation } from '../domain/factors/sign-in-place.ts'
import { readBoundedBody } from '../outbound/bounded-body.ts'
import type { InteractionVariables } from './interactions/open-interaction.ts'
import type { DeclaredCall } from './known-routes.ts'

export const limitBodySize = (bytes: number) =>
  bodyLimit({
    maxSize: bytes,
    onError: () => {
      throw new RefusalError(refuse('guard.invalid_input', undefined, 413))
    },
  })

/** Limits the size of a request body. Runs before all other checks. */
export const limitApiBodySize = limitBodySize(BODY_MAX_BYTES)

/**
 * Accepts JSON bodies. An empty body is treated as `{}` (spec/interaction#bodies). Outside the interaction API, calls
 * that require a body reject an empty one (spec/management#conventions). A malformed body is rejected only after the
 * interaction has been looked up, like any other invalid body.
 */
export const acceptJsonBody: MiddlewareHandler<{
  Variables: Partial<InteractionVariables> & DeclaredCall
}> = async (c, next) => {
  const text = new TextDecoder().decode(await c.req.arrayBuffer())
  if (text === '') {
    if (c.var.requiresBody && !c.var.interaction) {
      throw invalidInput({ issues: [{ code: 'custom', path: [], message: 'is missing' }] })
    }
    const headers = new Headers(c.req.raw.headers)
    headers.set('content-type', 'application/json')
    headers.delete('content-length')
    c.req.raw = new Request(c.req.url, {
      method: c.req.method,
      headers,
      body: '{}',
      ...copyLocation(c.req.raw),
    })
    c.req.bodyCache = {}
    return next()
  }
  const status = !isJson(c.req.header('content-type')) ? 415 : isParsable(text) ? null : 400
  if (status === null) return next()
  await c.var.interaction?.row()
  throw new RefusalError(refuse('guard.invalid_input', undefined, status))
}

/** The number of bytes allowed for the headers and boundaries of `multipart/form-data` parts. */
const MULTIPART_OVERHEAD = 16 * 1024

/**
 * Accepts a form with one file of at most `maxBytes`. The bytes are counted as they are read, because `Content-Length`
 * may be wrong.
 */
export function acceptFileUpload(maxBytes: number): MiddlewareHandler {
  return async (c, next) => {
    if (!isMultipart(c.req.header('content-type')))
      throw new RefusalError(refuse('guard.invalid_input', undefined, 415))
    const { content, isWhole } = await readBoundedBody(c.req.raw.body, maxBytes + MULTIPART_OVERHEAD)
    if (!isWhole) throw new RefusalError(refuse('guard.file_size_exceeded'))
    const headers = new Headers(c.req.raw.headers)
    headers.delete('content-length')
    c.req.raw = new Request(c.req.url, { method: c.req.method, headers, body: content })
    await next()
  }
}

const isMultipart = (contentType = '') => /^multipart\/form-data\s*;/i.test(contentType)

const isJson = (contentType = '') => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)

function isParsable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
