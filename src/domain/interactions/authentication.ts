/** How strongly a sign-in was proved, as tokens say it (spec/provider#authentication-levels). */
import type { Interaction, PasskeyProof, Proof } from '../../contract/interactions/interaction.ts'
import type { SecondFactorKind } from '../../contract/tenants/settings.ts'
import { channelsOfReset } from '../passwords/password-reset.ts'
import { isOfProfile } from './proofs.ts'

/** Values of `acr`, the weakest first. `phr` is that of OpenID Connect Extended Authentication Profile ACR Values 1.0 §2. */
export const authenticationLevels = ['urn:vestibule:acr:1fa', 'urn:vestibule:acr:2fa', 'phr'] as const
export type AuthenticationLevel = (typeof authenticationLevels)[number]

/** `amr`: method references of RFC 8176; none where the standard has no name for the method. */
export type Authentication = { acr: AuthenticationLevel; amr: string[] }

type Method = {
  /** Proofs of the same factor count once. */
  factor: string
  amr: readonly string[]
}

const methods: Record<Exclude<Proof['kind'], 'passkey'>, Method> = {
  // A password, or a social account in its place: something that is known.
  account: { factor: 'known', amr: ['pwd'] },
  social: { factor: 'known', amr: [] },
  email: { factor: 'email', amr: ['otp'] },
  phone: { factor: 'phone', amr: ['otp', 'sms'] },
  totp: { factor: 'app', amr: ['otp'] },
  // In place of the app: RFC 8176 has no name for it.
  backupCode: { factor: 'app', amr: [] },
  // The same mailbox or telephone twice is one factor.
  emailFactor: { factor: 'email', amr: ['otp'] },
  phoneFactor: { factor: 'phone', amr: ['otp', 'sms'] },
}

function methodOf(proof: Proof, { profile, afterReset }: Interaction): Method {
  if (proof.kind === 'passkey') return byPasskey(proof)
  // A password is worth what it was just set by: whoever has the mailbox has both.
  if (proof.kind === 'account') return { ...methods.account, ...factorOfReset(afterReset, proof.userId) }
  // An address that the social account of the user reports is proved by that account; a social account that is only being
  // linked is made by whoever has the mailbox.
  const isReported =
    (proof.kind === 'email' || proof.kind === 'phone') &&
    proof.connectorId !== undefined &&
    proof.connectorId !== profile?.connectorId
  return methods[isReported ? 'social' : proof.kind]
}

function factorOfReset(afterReset: string | undefined, userId: string): { factor: string } | undefined {
  const [factor] = channelsOfReset(afterReset, userId)
  return factor === undefined ? undefined : { factor }
}

/** A key that a device alone has, or that is copied to others; with its user it is two factors in one. */
const byPasskey = ({ isUserVerified, isBackedUp }: PasskeyProof): Method => ({
  factor: 'passkey',
  amr: [isBackedUp ? 'swk' : 'hwk', ...(isUserVerified ? ['mfa', 'user'] : [])],
})

/** Nothing that another page could have asked for in our name, and with its user verified two factors. */
const isPhishingResistant = (proof: Proof): boolean => proof.kind === 'passkey' && proof.isUserVerified

/**
 * What the proofs of an interaction say about its sign-in. Two proofs of different factors are two factors where one of them
 * is a second factor that the tenant takes, and so is an authenticator app that was set up in between. A proof of an address
 * that the sign-in adds proves nothing about the account, and a registration without such an app has one factor.
 */
export function authenticationOf(
  interaction: Interaction,
  taken: readonly SecondFactorKind[],
): Authentication {
  const { event, proofs, profile = {}, enrolment } = interaction
  const isRegistration = event === 'Register'
  const counted = proofs.filter((proof) => isRegistration || !isOfProfile(proof, profile))
  const hasNewApp = enrolment?.proven !== undefined
  const used = [...counted.map((proof) => methodOf(proof, interaction)), ...(hasNewApp ? [methods.totp] : [])]
  const factors = new Set(used.map(({ factor }) => factor))
  const isTwofold = isRegistration ? hasNewApp : factors.size > 1 && [...factors].some(isSecond(taken))
  const amr = new Set(used.flatMap((method) => method.amr))
  if (isRegistration && profile.password !== undefined) amr.add('pwd')
  if (isTwofold) amr.add('mfa')
  return {
    acr: levelOf(!isRegistration && counted.some(isPhishingResistant), isTwofold),
    amr: [...amr].sort(),
  }
}

/** A code to an address is one only where the tenant says so: its mailbox may be what resets the password. */
const isSecond = (taken: readonly SecondFactorKind[]) => (factor: string) =>
  factor === 'app' || factor === 'passkey' || taken.some((kind) => kind === factor)

function levelOf(isPhishingResistant: boolean, isTwofold: boolean): AuthenticationLevel {
  if (isPhishingResistant) return 'phr'
  return isTwofold ? 'urn:vestibule:acr:2fa' : 'urn:vestibule:acr:1fa'
}

export const isAuthenticationLevel = (value: unknown): value is AuthenticationLevel =>
  authenticationLevels.some((level) => level === value)

/** A session from before levels were recorded had one factor. A stronger level is enough for a weaker one. */
export const reachesLevel = (reached: string | undefined, required: AuthenticationLevel): boolean =>
  authenticationLevels.indexOf(isAuthenticationLevel(reached) ? reached : authenticationLevels[0]) >=
  authenticationLevels.indexOf(required)

/** Whether a request asks for two factors and takes nothing less; its parameters have passed the checks of the provider. */
export function asksForTwoFactors(request: Record<string, unknown>): boolean {
  return asksForMoreThanOne(request) && levelsAskedFor(request).includes('urn:vestibule:acr:2fa')
}

/** Whether a request takes nothing that one factor reaches. */
export function asksForMoreThanOne(request: Record<string, unknown>): boolean {
  const levels = levelsAskedFor(request)
  return levels.some(isAuthenticationLevel) && !levels.includes('urn:vestibule:acr:1fa')
}

const levelsAskedFor = ({ acr_values: values, claims }: Record<string, unknown>): readonly unknown[] =>
  typeof values === 'string' ? values.split(' ') : essentialLevels(claims)

/** What `claims` of a request ask for as an essential `acr` (OIDC Core §5.5.1.1). */
export function essentialLevels(claims: unknown): readonly unknown[] {
  if (typeof claims !== 'string') return []
  const { id_token: { acr } = {} }: { id_token?: { acr?: AcrRequest | null } } = JSON.parse(claims)
  if (!acr?.essential) return []
  return acr.values ?? [acr.value]
}

type AcrRequest = { essential?: boolean; value?: unknown; values?: readonly unknown[] }
