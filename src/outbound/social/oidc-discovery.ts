import { discoveryRequest, processDiscoveryResponse } from 'oauth4webapi'
import { z } from 'zod'
import { MINUTE } from '../../contract/time.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { WebEndpoint } from '../fields.ts'
import { parseShape } from '../provider-answer.ts'
import { libraryCallOptions, toConnectorFailure } from './oauth-library.ts'
import type { SocialContext } from './social.ts'

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: WebEndpoint,
  token_endpoint: WebEndpoint,
  jwks_uri: WebEndpoint,
  /** Sign-ins work without userinfo, so an invalid endpoint counts as absent. */
  userinfo_endpoint: WebEndpoint.optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
})
type Metadata = z.infer<typeof Metadata>

const CACHE_TIME = 10 * MINUTE // ms; spec/connectors#oidc
const MAX_ISSUERS = 100

const metadataCache = new BoundedMap<string, { readAt: number; metadata: Metadata }>(MAX_ISSUERS)

/**
 * Returns the metadata that an OpenID Provider publishes about itself, from the cache if possible (OIDC Discovery
 * §4).
 */
export async function discoverProvider(issuer: string, context: SocialContext): Promise<Metadata> {
  const cached = metadataCache.get(issuer)
  if (cached && context.now() - cached.readAt < CACHE_TIME) return cached.metadata

  const metadata = parseShape(await fetchMetadata(issuer, context), Metadata)
  metadataCache.set(issuer, { readAt: context.now(), metadata })
  return metadata
}

/**
 * Fetches the metadata. OIDC Discovery §4.3 requires the issuer to be identical to the configured one. We ignore a
 * trailing slash, because operators often add or omit it.
 */
async function fetchMetadata(issuer: string, context: SocialContext): Promise<unknown> {
  try {
    const response = await discoveryRequest(new URL(issuer), libraryCallOptions(context))
    const alternativeIssuer = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`
    return await processDiscoveryResponse(new URL(issuer), response.clone()).catch(() =>
      processDiscoveryResponse(new URL(alternativeIssuer), response),
    )
  } catch (error) {
    throw toConnectorFailure(error)
  }
}
