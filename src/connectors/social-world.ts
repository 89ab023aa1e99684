import { base64url } from 'jose'
import type { Services } from '../env.ts'
import type { SocialWorld } from './social.ts'

const TIMEOUT = 5_000 // ms, contract 9
/** As many as a PKCE verifier of 43 characters carries (RFC 7636, 4.1). */
const RANDOM_BYTES = 32

/** How social connectors reach the world. */
export const socialWorld = ({
  network,
  now,
  settings,
}: Pick<Services, 'network' | 'now' | 'settings'>): SocialWorld => ({
  fetch: network.fetch,
  now,
  timeout: TIMEOUT,
  allowPrivateTargets: settings.environment === 'development',
  random: () => base64url.encode(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))),
})
