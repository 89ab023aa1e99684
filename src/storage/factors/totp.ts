import {
  acceptedSteps,
  encodeMovingFactor,
  fromBase32,
  parseTotpCode,
  TOTP_SECRET_BYTES,
  toBase32,
  truncateHmac,
} from '../../domain/factors/totp.ts'

/** The part of RFC 6238 that needs the platform: random secrets and HMAC-SHA-1. */

/** Returns a secret in Base32, as authenticator apps expect it. */
export const newTotpSecret = (): string => toBase32(crypto.getRandomValues(new Uint8Array(TOTP_SECRET_BYTES)))

/** Returns the step that this code belongs to, or null if it belongs to none that is accepted now. */
export async function matchingStep(secret: string, typed: string, now: number): Promise<number | null> {
  const code = parseTotpCode(typed)
  const bytes = fromBase32(secret)
  if (!code || !bytes) return null
  // Every step is computed, whichever of them matches, so that the time it takes reveals nothing.
  const steps = await Promise.all(
    acceptedSteps(now).map(async (step) => ({ step, code: await totpCode(bytes, step) })),
  )
  return steps.find((candidate) => candidate.code === code)?.step ?? null
}

export async function totpCode(
  secret: Uint8Array<ArrayBuffer>,
  step: number,
  digits?: number,
): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  return truncateHmac(new Uint8Array(await crypto.subtle.sign('HMAC', key, encodeMovingFactor(step))), digits)
}
