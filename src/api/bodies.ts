import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { refuse } from '../contract/errors.ts'
import { Refused } from '../contract/refused.ts'
import type { InteractionVariables } from './open-interaction.ts'

/** Decision 10. */
const MOST_BYTES = 64 * 1024

export const bodyOfAtMost = (bytes: number) =>
  bodyLimit({
    maxSize: bytes,
    onError: () => {
      throw new Refused(refuse('guard.invalid_input', undefined, 413))
    },
  })

/** Before anything else is looked at. */
export const boundedBody = bodyOfAtMost(MOST_BYTES)

/**
 * Bodies are JSON, or absent, which counts as `{}` (contract 1.1, decision 10). What cannot be read is refused after
 * the interaction was looked up, like any other body that does not fit.
 */
export const jsonBody: MiddlewareHandler<{ Variables: Partial<InteractionVariables> }> = async (c, next) => {
  const text = new TextDecoder().decode(await c.req.arrayBuffer())
  if (text === '') {
    const headers = new Headers(c.req.raw.headers)
    headers.set('content-type', 'application/json')
    headers.delete('content-length')
    c.req.raw = new Request(c.req.url, { method: c.req.method, headers, body: '{}' })
    c.req.bodyCache = {}
    return next()
  }
  const status = !isJson(c.req.header('content-type')) ? 415 : isParsable(text) ? null : 400
  if (status === null) return next()
  await c.var.interaction?.row()
  throw new Refused(refuse('guard.invalid_input', undefined, status))
}

/** Room for what `multipart/form-data` puts around its parts. */
const MULTIPART_FRAME = 16 * 1024

/** A form with one file of so many bytes at most. Counted while it is read, whatever its length was said to be. */
export function fileBody(mostBytes: number): MiddlewareHandler {
  return async (c, next) => {
    if (!isMultipart(c.req.header('content-type')))
      throw new Refused(refuse('guard.invalid_input', undefined, 415))
    const body = await readAtMost(c.req.raw.body, mostBytes + MULTIPART_FRAME)
    if (!body) throw new Refused(refuse('guard.file_size_exceeded'))
    const headers = new Headers(c.req.raw.headers)
    headers.delete('content-length')
    c.req.raw = new Request(c.req.url, { method: c.req.method, headers, body })
    await next()
  }
}

const isMultipart = (contentType = '') => /^multipart\/form-data\s*;/i.test(contentType)

/** Null when there is more. */
async function readAtMost(body: ReadableStream<Uint8Array> | null, most: number): Promise<Blob | null> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  if (!body) return new Blob(parts)
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts)
    size += value.byteLength
    if (size > most) {
      await reader.cancel()
      return null
    }
    parts.push(new Uint8Array(value))
  }
}

const isJson = (contentType = '') => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)

function isParsable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
