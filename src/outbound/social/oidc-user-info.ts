import { ConnectorFailure } from '../failure.ts'
import { parseJsonResponse } from '../provider-answer.ts'
import { isTrue, StandardClaims } from './oidc-claims.ts'
import type { SocialContext } from './social.ts'
import { fetchProfile } from './social-call.ts'

type UserInfoRequest = {
  /** The userinfo endpoint, if the provider or the configuration names one. */
  endpoint: string | undefined
  accessToken: string
  scopes: readonly string[]
}

/**
 * Adds the claims of userinfo (OIDC Core §5.3) to those of an ID token, which take precedence. Userinfo is only
 * requested if the ID token lacks a claim that the connector reads and that belongs to a requested scope. The ID token
 * has already proven who the user is, so the sign-in continues without the missing claims if the call fails
 * (spec/connectors#userinfo).
 */
export async function addUserInfo(
  claims: StandardClaims,
  { endpoint, accessToken, scopes }: UserInfoRequest,
  context: SocialContext,
): Promise<StandardClaims> {
  const isRequested = (scope: keyof typeof scopeClaims) => scopes.includes(scope)
  const requestedClaims = (['profile', 'email', 'phone'] as const)
    .filter(isRequested)
    .flatMap((scope) => scopeClaims[scope])
  const isIncomplete = requestedClaims.some((claim) => isMissing(claims[claim]))
  const userInfo = isIncomplete && endpoint ? await fetchUserInfo(endpoint, accessToken, context) : null
  if (userInfo && userInfo.sub !== claims.sub)
    throw new ConnectorFailure('invalid_response', { detail: 'userinfo belongs to another account' })

  const completed = userInfo ? mergeClaims(claims, userInfo) : claims
  if (isRequested('email') && !isMissing(completed.email) && !isTrue(completed.email_verified))
    context.remark?.('emailUnverified')
  if (isRequested('email') && isMissing(completed.email)) {
    if (!endpoint) context.remark?.('userInfoAbsent')
    if (userInfo) context.remark?.('emailAbsent')
  }
  return completed
}

/** The claims of each scope that a connector reads (OIDC Core §5.4). */
const scopeClaims = {
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
} as const

const isMissing = (value: unknown) => value === undefined || value === null || value === ''

/** Returns null if the provider does not respond with readable claims. The reason is reported. */
async function fetchUserInfo(
  endpoint: string,
  accessToken: string,
  context: SocialContext,
): Promise<StandardClaims | null> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' }
  try {
    const response = await fetchProfile(endpoint, { headers }, context)
    if (JWT.test(response.text.trim()))
      throw new ConnectorFailure('invalid_response', {
        detail: 'userinfo is a JWT; register the client without userinfo_signed_response_alg',
      })
    return parseJsonResponse(response, StandardClaims)
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    context.remark?.('userInfoFailed', error)
    return null
  }
}

/**
 * A signed or encrypted response (RFC 7515 §3.1, RFC 7516 §3.1), which providers only send to clients that ask for it.
 */
const JWT = /^[\w-]+(?:\.[\w-]*){2,4}$/

type Address = { value: StandardClaims['email']; isVerified: StandardClaims['email_verified'] }

function mergeClaims(own: StandardClaims, userInfo: StandardClaims): StandardClaims {
  const email = mergeAddress(
    { value: own.email, isVerified: own.email_verified },
    { value: userInfo.email, isVerified: userInfo.email_verified },
  )
  const phone = mergeAddress(
    { value: own.phone_number, isVerified: own.phone_number_verified },
    { value: userInfo.phone_number, isVerified: userInfo.phone_number_verified },
  )
  return {
    sub: own.sub,
    name: own.name || userInfo.name,
    picture: own.picture || userInfo.picture,
    email: email.value,
    email_verified: email.isVerified,
    phone_number: phone.value,
    phone_number_verified: phone.isVerified,
  }
}

/** Combines an address with its own verification only, so that one address is never verified by another. */
function mergeAddress(own: Address, other: Address): Address {
  if (isMissing(own.value)) return other
  const isVerified = own.isVerified ?? (other.value === own.value ? other.isVerified : null)
  return { value: own.value, isVerified }
}
