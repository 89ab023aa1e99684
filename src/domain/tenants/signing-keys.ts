import { MAX_TOKEN_SECONDS } from '../../contract/applications/applications.ts'
import { MINUTE } from '../../contract/time.ts'

/** Which key signs, which is only published and which is dropped (spec/provider#signing-keys). */
type SigningKeySchedule = {
  jwk: { kid: string; alg: string }
  /** Epoch milliseconds. Published from the moment it is stored. */
  signsFrom: number
}

export type SigningKeyStatus = 'announced' | 'signing' | 'retired'
/** Clients and caches keep a key set for some minutes: a new key is published for that long before it signs. */
export const ANNOUNCED_FOR = 10 * MINUTE
/** A retired key is published until no token that it signed can be alive. */
const PUBLISHED_AFTER = MAX_TOKEN_SECONDS * 1000

export function signingKeyStatus(
  key: SigningKeySchedule,
  keys: readonly SigningKeySchedule[],
  now: number,
): SigningKeyStatus {
  if (key.signsFrom > now) return 'announced'
  return successorsOf(key, keys).every(({ signsFrom }) => signsFrom > now) ? 'signing' : 'retired'
}

type KeyRotation = {
  /** For when the present keys may be known to others. Announced keys, which have signed nothing yet, go as well. */
  immediately: boolean
  /** For when the present keys were stolen: nothing that they signed is accepted any more. */
  withdraw: boolean
}

/** The keys that are still published after a rotation. */
export const keysKept = <Key extends SigningKeySchedule>(
  keys: readonly Key[],
  { immediately, withdraw }: KeyRotation,
  now: number,
): Key[] =>
  withdraw ? [] : keys.filter((key) => !isExpired(key, keys, now) && !(immediately && key.signsFrom > now))

const isExpired = (key: SigningKeySchedule, keys: readonly SigningKeySchedule[], now: number) =>
  successorsOf(key, keys).some(({ signsFrom }) => signsFrom + PUBLISHED_AFTER <= now)

const successorsOf = ({ jwk, signsFrom }: SigningKeySchedule, keys: readonly SigningKeySchedule[]) =>
  keys.filter((other) => other.jwk.alg === jwk.alg && other.signsFrom > signsFrom)
