import { toBase64Url } from '../../domain/base64.ts'
import type { Network } from '../connector-context.ts'
import type { SocialContext } from './social.ts'

const TIMEOUT = 5_000 // ms; spec/connectors#provider-calls
/**
 * The time limit for all provider calls of one request, in milliseconds. Our pages wait for ten seconds. Up to four
 * calls are made, one after the other: for discovery, tokens, keys and userinfo.
 */
const ALL_CALLS_MS = 8_000
/** 32 bytes, which yield a PKCE verifier of 43 characters (RFC 7636 §4.1). */
const RANDOM_BYTES = 32

/** Returns the context of the social connectors for one request. The time limit starts with this call. */
export const createSocialContext = ({
  network,
  now,
  settings,
}: {
  network: Network
  now(): number
  settings: { environment: string }
}): SocialContext => ({
  fetch: network.fetch,
  now,
  timeout: TIMEOUT,
  deadline: AbortSignal.timeout(ALL_CALLS_MS),
  allowPrivateTargets: settings.environment === 'development',
  random: () => toBase64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))),
})
