import { MAX_TOKEN_LIFETIME_SECONDS } from '../../contract/applications/applications.ts'
import { MINUTE } from '../../contract/time.ts'

/** Decides which key signs, which keys are only published, and which are deleted (spec/provider#signing-keys). */
type SigningKeySchedule = {
  jwk: { kid: string; alg: string }
  /** The time from which the key signs, in epoch milliseconds. It is published as soon as it is stored. */
  signsFrom: number
}

export type SigningKeyStatus = 'announced' | 'signing' | 'retired'
/**
 * The time for which a new key is published before it signs, because clients and caches keep a key set for some
 * minutes.
 */
export const ANNOUNCEMENT_PERIOD = 10 * MINUTE
/** The time for which a retired key stays published: until every token that it has signed has expired. */
const RETIREMENT_PERIOD = MAX_TOKEN_LIFETIME_SECONDS * 1000

export function getSigningKeyStatus(
  key: SigningKeySchedule,
  keys: readonly SigningKeySchedule[],
  now: number,
): SigningKeyStatus {
  if (key.signsFrom > now) return 'announced'
  return successorsOf(key, keys).every(({ signsFrom }) => signsFrom > now) ? 'signing' : 'retired'
}

type KeyRotation = {
  /**
   * Set if someone else may know the current keys. Announced keys, which have not signed anything yet, are dropped as
   * well.
   */
  immediately: boolean
  /** Set if the current keys were stolen. Everything that they have signed becomes invalid. */
  withdraw: boolean
}

/** Returns the keys that are still published after a rotation. */
export const keysAfterRotation = <Key extends SigningKeySchedule>(
  keys: readonly Key[],
  { immediately, withdraw }: KeyRotation,
  now: number,
): Key[] =>
  withdraw ? [] : keys.filter((key) => !isExpired(key, keys, now) && !(immediately && key.signsFrom > now))

const isExpired = (key: SigningKeySchedule, keys: readonly SigningKeySchedule[], now: number) =>
  successorsOf(key, keys).some(({ signsFrom }) => signsFrom + RETIREMENT_PERIOD <= now)

const successorsOf = ({ jwk, signsFrom }: SigningKeySchedule, keys: readonly SigningKeySchedule[]) =>
  keys.filter((other) => other.jwk.alg === jwk.alg && other.signsFrom > signsFrom)
