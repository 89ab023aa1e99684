import { z } from 'zod'
import { ConnectorFailure } from './failure.ts'
import type { ProviderResponse } from './provider-call.ts'

type Shape<T> = Pick<z.ZodType<T>, 'safeParse'>

/** Parses a JSON response. Throws if it does not match the schema. */
export const parseJsonResponse = <T>({ text }: ProviderResponse, shape: Shape<T>): T =>
  parseShape(parseJson(text), shape)

/** Parses a form-encoded response, which some token endpoints return. Throws if it does not match the schema. */
export const parseFormResponse = <T>({ text }: ProviderResponse, shape: Shape<T>): T =>
  parseShape(parseForm(text), shape)

/**
 * Validates a value. The error names the invalid fields, but not their values, which may be tokens or personal
 * data.
 */
export function parseShape<T>(value: unknown, shape: Shape<T>): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const detail = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
  throw new ConnectorFailure('invalid_response', { detail })
}

/**
 * The id of an account at the provider, as a string. Numbers above 2^53 are rejected: `JSON.parse` rounds them, so
 * several accounts could become one identity.
 */
export const ProviderAccountId = z.union([z.string(), z.int()]).transform(String)

export const parseForm = (text: string): unknown => Object.fromEntries(new URLSearchParams(text))

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
