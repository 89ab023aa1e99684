import {
  acceptedSteps,
  encodeMovingFactor,
  fromBase32,
  parseTotpCode,
  TOTP_SECRET_BYTES,
  toBase32,
  truncateHmac,
} from '../../domain/factors/totp.ts'

/** Implements the part of RFC 6238 that needs the platform: random secrets and HMAC-SHA-1. */

/** Returns a random secret in Base32, the format that authenticator apps expect. */
export const generateTotpSecret = (): string =>
  toBase32(crypto.getRandomValues(new Uint8Array(TOTP_SECRET_BYTES)))

/** Returns the time step of a code, or null if the code belongs to no step that is currently accepted. */
export async function findMatchingTotpStep(
  secret: string,
  typed: string,
  now: number,
): Promise<number | null> {
  const code = parseTotpCode(typed)
  const bytes = fromBase32(secret)
  if (!code || !bytes) return null
  // All steps are always computed, so that the timing does not reveal which step matches.
  const steps = await Promise.all(
    acceptedSteps(now).map(async (step) => ({ step, code: await computeTotpCode(bytes, step) })),
  )
  return steps.find((candidate) => candidate.code === code)?.step ?? null
}

export async function computeTotpCode(
  secret: Uint8Array<ArrayBuffer>,
  step: number,
  digits?: number,
): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  return truncateHmac(new Uint8Array(await crypto.subtle.sign('HMAC', key, encodeMovingFactor(step))), digits)
}
