import { z } from 'zod'
import { ConnectorFailure } from './failure.ts'
import type { ProviderResponse } from './provider-call.ts'

type Shape<T> = Pick<z.ZodType<T>, 'safeParse'>

/** Reads a JSON response of the expected shape. */
export const readJson = <T>({ text }: ProviderResponse, shape: Shape<T>): T =>
  readShape(parseJson(text), shape)

/** Reads a form-encoded response of the expected shape, which some token endpoints return. */
export const readForm = <T>({ text }: ProviderResponse, shape: Shape<T>): T =>
  readShape(parseForm(text), shape)

/**
 * Validates a value. The failure names what is wrong but no value, because tokens and personal data pass through here.
 */
export function readShape<T>(value: unknown, shape: Shape<T>): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const detail = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
  throw new ConnectorFailure('invalid_response', { detail })
}

/**
 * The id of an account, as a string. A number above 2^53 is refused: JSON.parse has rounded it, so several accounts of
 * the provider would share one identity.
 */
export const AccountId = z.union([z.string(), z.int()]).transform(String)

export const parseForm = (text: string): unknown => Object.fromEntries(new URLSearchParams(text))

/** Returns undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
