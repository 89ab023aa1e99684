/** The strength of a sign-in's authentication, as reported in tokens (spec/provider#authentication-levels). */
import {
  addressFactors,
  type Interaction,
  type PasskeyProof,
  type Proof,
} from '../../contract/interactions/interaction.ts'
import type { SecondFactorKind } from '../../contract/tenants/settings.ts'
import { parseResetChannels } from '../passwords/password-reset.ts'
import { isProfileProof } from './proofs.ts'

/**
 * Values of `acr`, weakest first. `phr` is defined in OpenID Connect Extended Authentication Profile ACR Values 1.0 §2.
 */
export const authenticationLevels = ['urn:vestibule:acr:1fa', 'urn:vestibule:acr:2fa', 'phr'] as const
export type AuthenticationLevel = (typeof authenticationLevels)[number]

/**
 * The authentication of a sign-in. `amr` contains the method references of RFC 8176; methods that the standard does not
 * name are left out.
 */
export type Authentication = { acr: AuthenticationLevel; amr: string[] }

type Method = {
  /** The factor that the method proves. Several proofs of the same factor count once. */
  factor: string
  /**
   * The kind of second factor that the tenant must accept for the method to count as a second factor. `true` if the
   * method always counts, and null if it never does.
   */
  acceptedAs: SecondFactorKind | true | null
  amr: readonly string[]
}

const methods: Record<Exclude<Proof['kind'], 'passkey'>, Method> = {
  // A password is something that the user knows. A social account is used instead of a password, so it counts as the
  // same factor.
  account: { factor: 'known', acceptedAs: null, amr: ['pwd'] },
  social: { factor: 'known', acceptedAs: null, amr: [] },
  email: { factor: 'email', acceptedAs: 'email', amr: ['otp'] },
  phone: { factor: 'phone', acceptedAs: 'phone', amr: ['otp', 'sms'] },
  totp: { factor: 'app', acceptedAs: true, amr: ['otp'] },
  // A backup code is used in place of the authenticator app. RFC 8176 has no method reference for backup codes.
  backupCode: { factor: 'app', acceptedAs: true, amr: [] },
  // Proving the same mailbox or phone twice counts as one factor.
  emailFactor: { factor: 'email', acceptedAs: 'email', amr: ['otp'] },
  phoneFactor: { factor: 'phone', acceptedAs: 'phone', amr: ['otp', 'sms'] },
}

function methodOf(proof: Proof, { profile, afterReset }: Interaction): Method {
  if (proof.kind === 'passkey') return byPasskey(proof)
  // Right after a password reset, the password is treated as the same factor as the channel that reset it, because
  // anyone with access to the mailbox has both.
  if (proof.kind === 'account') return { ...methods.account, ...factorOfReset(afterReset, proof.userId) }
  // An address that comes from the social account with which the user signs in is proved by that account. This does not
  // apply if the social account is only being linked, because anyone with access to the mailbox could have created it.
  const isReported =
    (proof.kind === 'email' || proof.kind === 'phone') &&
    proof.connectorId !== undefined &&
    proof.connectorId !== profile?.connectorId
  return methods[isReported ? 'social' : proof.kind]
}

function factorOfReset(afterReset: string | undefined, userId: string) {
  const [channel] = parseResetChannels(afterReset, userId)
  const factor = addressFactors.find((type) => type === channel)
  return factor && { factor, acceptedAs: factor }
}

/**
 * A hardware key exists on only one device, whereas a software key may be copied to others. With user verification,
 * either counts as two factors.
 */
const byPasskey = ({ isUserVerified, isBackedUp }: PasskeyProof): Method => ({
  factor: 'passkey',
  acceptedAs: true,
  amr: [isBackedUp ? 'swk' : 'hwk', ...(isUserVerified ? ['mfa', 'user'] : [])],
})

/**
 * Checks whether a proof comes from a passkey with user verification. No other site can request such a proof in our
 * name, and it counts as two factors.
 */
const isPhishingResistant = (proof: Proof): boolean => proof.kind === 'passkey' && proof.isUserVerified

/**
 * Returns the authentication that the proofs of an interaction add up to. Proofs of different factors count as two
 * factors if one of them is a second factor that the tenant accepts, or an authenticator app that was just set up.
 * Proofs of addresses that are being added to the account are ignored. A registration has one factor unless an app was
 * set up in it.
 */
export function deriveAuthentication(
  interaction: Interaction,
  acceptedKinds: readonly SecondFactorKind[],
): Authentication {
  const { event, proofs, profile = {}, enrolment } = interaction
  const isRegistration = event === 'Register'
  const counted = proofs.filter((proof) => isRegistration || !isProfileProof(proof, profile))
  const hasNewApp = enrolment?.proven !== undefined
  const used = [...counted.map((proof) => methodOf(proof, interaction)), ...(hasNewApp ? [methods.totp] : [])]
  const factors = new Set(used.map(({ factor }) => factor))
  const isTwofold = isRegistration ? hasNewApp : factors.size > 1 && used.some(isSecond(acceptedKinds))
  const amr = new Set(used.flatMap((method) => method.amr))
  if (isRegistration && profile.password !== undefined) amr.add('pwd')
  if (isTwofold) amr.add('mfa')
  return {
    acr: levelOf(!isRegistration && counted.some(isPhishingResistant), isTwofold),
    amr: [...amr].sort(),
  }
}

/**
 * Checks whether a method counts as a second factor. Codes sent to an address count only if the tenant accepts such
 * codes as a second factor, because the same mailbox may be able to reset the password.
 */
const isSecond =
  (acceptedKinds: readonly SecondFactorKind[]) =>
  ({ acceptedAs }: Method) =>
    acceptedAs === true || (acceptedAs !== null && acceptedKinds.includes(acceptedAs))

function levelOf(isPhishingResistant: boolean, isTwofold: boolean): AuthenticationLevel {
  if (isPhishingResistant) return 'phr'
  return isTwofold ? 'urn:vestibule:acr:2fa' : 'urn:vestibule:acr:1fa'
}

export const isAuthenticationLevel = (value: unknown): value is AuthenticationLevel =>
  authenticationLevels.some((level) => level === value)

/**
 * Checks whether a level is at least as strong as the required one. An older session without a recorded level is
 * treated as having one factor.
 */
export const reachesLevel = (reached: string | undefined, required: AuthenticationLevel): boolean =>
  authenticationLevels.indexOf(isAuthenticationLevel(reached) ? reached : authenticationLevels[0]) >=
  authenticationLevels.indexOf(required)

/** Checks whether a request requires two factors. The provider has already validated its parameters. */
export function requestsTwoFactors(request: Record<string, unknown>): boolean {
  return requiresMultipleFactors(request) && requestedLevels(request).includes('urn:vestibule:acr:2fa')
}

/** Checks whether a request rejects every level that a single factor can reach. */
export function requiresMultipleFactors(request: Record<string, unknown>): boolean {
  const levels = requestedLevels(request)
  return levels.some(isAuthenticationLevel) && !levels.includes('urn:vestibule:acr:1fa')
}

const requestedLevels = ({ acr_values: values, claims }: Record<string, unknown>): readonly unknown[] =>
  typeof values === 'string' ? values.split(' ') : essentialLevels(claims)

/** Returns the `acr` values that the `claims` parameter of a request demands as essential (OIDC Core §5.5.1.1). */
export function essentialLevels(claims: unknown): readonly unknown[] {
  if (typeof claims !== 'string') return []
  const { id_token: { acr } = {} }: { id_token?: { acr?: AcrRequest | null } } = JSON.parse(claims)
  if (!acr?.essential) return []
  return acr.values ?? [acr.value]
}

type AcrRequest = { essential?: boolean; value?: unknown; values?: readonly unknown[] }
