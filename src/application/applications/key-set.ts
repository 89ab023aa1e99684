import { createLocalJWKSet, type JWK } from 'jose'
import type { SigningKeys } from '../../storage/tenants/signing-keys.ts'

export type KeySet = ReturnType<typeof createLocalJWKSet>

/** For as long as the keys themselves are cached. */
const keySets = new WeakMap<SigningKeys, KeySet>()

/** What verifies the tokens of a tenant. */
export function keySetOf(keys: SigningKeys): KeySet {
  const known = keySets.get(keys) ?? createLocalJWKSet({ keys: keys.jwks.keys.map(publicKeyOf) })
  keySets.set(keys, known)
  return known
}

const publicKeyOf = ({ d, p, q, dp, dq, qi, oth, k, ...rest }: JWK): JWK => rest
