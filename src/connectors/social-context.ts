import { base64url } from 'jose'
import type { Dependencies } from '../application/dependencies.ts'
import type { SocialContext } from './social.ts'

const TIMEOUT = 5_000 // ms, contract 9
/** Browsers wait for ten seconds, and discovery, token and keys may come one after another. */
const ALL_CALLS_MS = 8_000
/** As many as a PKCE verifier of 43 characters carries (RFC 7636 §4.1). */
const RANDOM_BYTES = 32

/** How social connectors reach the world, from now on for one visit. */
export const socialContext = ({
  network,
  now,
  settings,
}: Pick<Dependencies, 'network' | 'now' | 'settings'>): SocialContext => ({
  fetch: network.fetch,
  now,
  timeout: TIMEOUT,
  deadline: AbortSignal.timeout(ALL_CALLS_MS),
  allowPrivateTargets: settings.environment === 'development',
  random: () => base64url.encode(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))),
})
