import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { withQuery } from '../with-query.ts'
import type { AuthorizationRequest, SocialAuthorization, SocialContext } from './social.ts'

type AuthorizationServer = {
  endpoint: string
  clientId: string
  scope?: string | undefined
  hasPkce?: boolean
  hasNonce?: boolean
  /** Additional parameters, which cannot override the standard ones. */
  parameters?: Record<string, string>
}

/**
 * Creates an authorization request (RFC 6749 §4.1.1). It has a code challenge (RFC 7636 §4.3) and a nonce (OIDC
 * Core §3.1.2.1) if the provider supports them.
 */
export async function createAuthorizationRequest(
  { endpoint, clientId, scope, hasPkce = false, hasNonce = false, parameters }: AuthorizationServer,
  { state, redirectUri }: AuthorizationRequest,
  context: Pick<SocialContext, 'random'>,
): Promise<Required<SocialAuthorization>> {
  const challenge = hasPkce ? await createCodeChallenge(context) : null
  const sessionValues = { ...(hasNonce && { nonce: context.random() }), ...challenge?.kept }
  const uri = withQuery(endpoint, {
    ...parameters,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    nonce: sessionValues.nonce,
    ...challenge?.parameters,
  })
  return { uri, kept: sessionValues }
}

/** Creates a code challenge and its verifier, which is stored in the sealed connector session (RFC 7636 §4.1, §4.2). */
export async function createCodeChallenge({ random }: Pick<SocialContext, 'random'>) {
  const codeVerifier = random()
  const challenge = await calculatePKCECodeChallenge(codeVerifier)
  return {
    kept: { codeVerifier },
    parameters: { code_challenge: challenge, code_challenge_method: 'S256' },
  }
}
