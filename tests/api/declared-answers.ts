import { expect } from 'vitest'
import { z } from 'zod'
import { errorCatalogue } from '../../src/contract/errors.ts'
import { type OpenApi, type Operation, schemaChecks } from '../kit/openapi-document.ts'

export type { OpenApi, Operation }

/** Checks answers against the document. None may fail on the server, and none may have undeclared parts. */
export function createCheck(document: OpenApi) {
  const checkOf = schemaChecks(document, nothingElse)

  return async ({ responses }: Operation, response: Response): Promise<void> => {
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    expect([200, 201, 204, 302, 304, 400, 401, 403, 404, 409, 413, 415, 422, 429, 501]).toContain(
      response.status,
    )
    const declared = responses[response.status]
    expect(Object.keys(responses)).toContain(String(response.status))

    const text = await response.text()
    const schema = declared?.content?.['application/json']?.schema
    if (!schema) {
      expect(text).toBe('')
      return
    }
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/)
    const body: unknown = JSON.parse(text)
    expect(checkOf(schema).safeParse(body).error?.issues ?? []).toEqual([])
    if (!response.ok) checkRefusal(body)
  }
}

/** A refusal of any call: a program must be able to read the reason. */
export function checkRefusal(body: unknown): void {
  const refusal = z
    .strictObject({
      message: z.string().min(1),
      code: z.string().refine((code) => Object.hasOwn(errorCatalogue, code)),
      data: z.unknown().optional(),
      details: z.string().optional(),
    })
    .safeParse(body)
  expect(refusal.error?.issues ?? []).toEqual([])
}

/** A property that the document does not name must not be answered, even if clients ignore it. */
function nothingElse(_: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
  return isObject && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value
}
