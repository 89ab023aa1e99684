import { expect } from 'vitest'
import { z } from 'zod'
import { errorCatalogue } from '../../src/contract/errors.ts'
import { type OpenApi, type Operation, schemaChecks } from '../kit/openapi-document.ts'

export type { OpenApi, Operation }

/**
 * Returns a function that checks a response against the OpenAPI document: the response must not be a server error and
 * must contain nothing that the document does not declare.
 */
export function createCheck(document: OpenApi) {
  const checkOf = schemaChecks(document, forbidUndeclared)

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

/** Checks that an error body contains a code from the error catalogue. */
export function checkRefusal(body: unknown): void {
  const result = z
    .strictObject({
      message: z.string().min(1),
      code: z.string().refine((code) => Object.hasOwn(errorCatalogue, code)),
      data: z.unknown().optional(),
      details: z.string().optional(),
    })
    .safeParse(body)
  expect(result.error?.issues ?? []).toEqual([])
}

/** Forbids properties that are not in the schema, because the API must not return them. */
function forbidUndeclared(_: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
  return isObject && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value
}
