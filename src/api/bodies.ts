import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { refuse } from '../contract/errors.ts'
import { Refused } from '../contract/refused.ts'
import type { InteractionVariables } from './open-interaction.ts'

/** Decision 10. */
const MOST_BYTES = 64 * 1024

/** Before anything else is looked at. */
export const boundedBody = bodyLimit({
  maxSize: MOST_BYTES,
  onError: () => {
    throw new Refused(refuse('guard.invalid_input', undefined, 413))
  },
})

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

const isJson = (contentType = '') => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)

function isParsable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
