import { z } from 'zod'
import { ConnectorFailure } from './failure.ts'
import type { ProviderAnswer } from './provider-call.ts'

type Shape<T> = Pick<z.ZodType<T>, 'safeParse'>

/** A JSON answer of the expected shape. */
export const readJson = <T>({ text }: ProviderAnswer, shape: Shape<T>): T => readShape(parseJson(text), shape)

/** A form-encoded answer of the expected shape, as some token endpoints give it. */
export const readForm = <T>({ text }: ProviderAnswer, shape: Shape<T>): T => readShape(parseForm(text), shape)

/** The failure names what is wrong, never a value: tokens and personal data pass here. */
export function readShape<T>(value: unknown, shape: Shape<T>): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const detail = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
  throw new ConnectorFailure('invalid_response', { detail })
}

/**
 * The id of an account, as text. A number beyond 2^53 is refused: JSON.parse has rounded it, so that several accounts of
 * the provider would be one identity.
 */
export const AccountId = z.union([z.string(), z.int()]).transform(String)

export const parseForm = (text: string): unknown => Object.fromEntries(new URLSearchParams(text))

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
