import { SignJWT } from 'jose'
import { z } from 'zod'
import type { SocialProfile } from '../../contract/interactions/interaction.ts'
import { OptionalEndpoint, OptionalText, optionalItem, RequiredText, requiredItem } from '../fields.ts'
import { parseJson, parseShape } from '../provider-answer.ts'
import { createAuthorizationRequest } from './authorization-request.ts'
import { verifyIdToken } from './id-token.ts'
import { createProfileFromClaims, StandardClaims } from './oidc-claims.ts'
import { importSigningKey, PrivateKey } from './private-key.ts'
import { type SocialCallback, type SocialContext, socialConnector } from './social.ts'
import { requestTokens } from './token-request.ts'

const ISSUER = 'https://appleid.apple.com'
const CLIENT_SECRET_LIFETIME = 5 * 60 // seconds; Apple allows up to six months, but we create a new secret for each use

/**
 * Signs in with Apple (spec/connectors#apple): https://developer.apple.com/documentation/signinwithapplerestapi.
 * If the request asks for the user's name, Apple responds with a form post. The client secret is a token signed
 * with the operator's private key.
 */
export const apple = socialConnector({
  factoryId: 'apple-universal',
  description: { en: 'Sign in with an Apple account' },
  config: z.object({
    clientId: RequiredText,
    teamId: RequiredText,
    keyId: RequiredText,
    privateKey: PrivateKey,
    scope: OptionalText,
    issuer: OptionalEndpoint,
    authorizationEndpoint: OptionalEndpoint,
    tokenEndpoint: OptionalEndpoint,
    jwksUri: OptionalEndpoint,
  }),
  formItems: [
    requiredItem('clientId', 'Services ID', 'com.example.web'),
    requiredItem('teamId', 'Team ID', '1A234BFK46'),
    requiredItem('keyId', 'Key ID', '1ABC6523AA'),
    {
      key: 'privateKey',
      label: 'Private key',
      type: 'MultilineText',
      required: true,
      isSecret: true,
      placeholder: '-----BEGIN PRIVATE KEY-----',
      description: 'The contents of the file AuthKey_….p8',
    },
    optionalItem('scope', 'Scope', 'name email'),
    optionalItem('issuer', 'Issuer'),
    optionalItem('authorizationEndpoint', 'Authorization endpoint'),
    optionalItem('tokenEndpoint', 'Token endpoint'),
    optionalItem('jwksUri', 'Key set address'),
  ],

  authorizationUri: ({ clientId, scope = 'name email', authorizationEndpoint }, request, context) =>
    createAuthorizationRequest(
      {
        endpoint: authorizationEndpoint ?? `${ISSUER}/auth/authorize`,
        clientId,
        scope,
        hasNonce: true,
        parameters: { response_mode: 'form_post' },
      },
      request,
      context,
    ),

  async profile(config, callback, context) {
    const { clientId, tokenEndpoint, jwksUri, issuer = ISSUER } = config
    const tokens = await requestTokens(
      {
        endpoint: tokenEndpoint ?? `${ISSUER}/auth/token`,
        clientId,
        clientSecret: await clientSecret({ ...config, issuer }, context),
      },
      callback,
      context,
    )
    const expected = {
      issuer,
      jwksUri: jwksUri ?? `${ISSUER}/auth/keys`,
      clientId,
      nonce: callback.kept.nonce,
    }
    const { claims } = await verifyIdToken(tokens, expected, context)
    return { ...createProfileFromClaims(parseShape(claims, StandardClaims)), ...nameIn(callback) }
  },
})

type Key = { clientId: string; teamId: string; keyId: string; privateKey: string; issuer: string }

/**
 * Creates a client secret:
 * https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
async function clientSecret(
  { clientId, teamId, keyId, privateKey, issuer }: Key,
  context: SocialContext,
): Promise<string> {
  const now = Math.floor(context.now() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + CLIENT_SECRET_LIFETIME)
    .sign(await importSigningKey(privateKey, { name: 'ECDSA', namedCurve: 'P-256' }))
}

const User = z.object({
  name: z.object({ firstName: z.string().nullish(), lastName: z.string().nullish() }).nullish(),
})

/**
 * Reads the user's name, which Apple sends only at the first sign-in. It is part of a form that users can modify, so
 * the form's email address is ignored.
 */
function nameIn({ data: { user } }: SocialCallback): Pick<SocialProfile, 'name'> {
  const { firstName, lastName } =
    User.safeParse(typeof user === 'string' ? parseJson(user) : undefined).data?.name ?? {}
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return name ? { name } : {}
}
