import type { AddressFactor, TermsAgreement } from '../../contract/interactions/interaction.ts'
import type { OrganizationMethod } from '../../contract/organisations/organizations.ts'
import type { AddedSecondFactorPolicy } from '../../contract/tenants/settings.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import type { Authentication } from '../../domain/interactions/authentication.ts'
import type { NewUser } from '../../domain/interactions/submit-columns.ts'
import type { Statements } from '../../storage/batches.ts'
import type { Condition } from '../../storage/conditions.ts'
import type { BrowserSignIn, RememberRule, TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import type { replacedPictureQuery, UserChanges } from '../../storage/users/user-changes.ts'
import type { AccountRow, CredentialAdditions, UserRow } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { DomainJoining } from '../organisations/join-by-domain.ts'
import { preparePasswordColumns } from '../passwords/verify.ts'
import type { NewSignInNotice } from '../sessions/new-browser.ts'
import type { Identity, IdentityLink } from '../social/identity-link.ts'

/** The effects on the account of submitting an interaction (spec/interaction#submit-effects). */
export type SubmitEffects = {
  userId: string
  /** The user who signs in, or who registers. */
  user?: UserRow | undefined
  /** The time of the revocation that a password reset causes, in epoch milliseconds, or undefined for other events. */
  revokedAt: number | undefined
  /** The kind of factor that was added, for the hook event. */
  addedFactor?: 'totp' | undefined
  /** The agreement to the terms that the submission records on the account (spec/accounts#terms-agreement). */
  termsAgreement?: TermsAgreement | undefined
  /** The result of the interaction, with `ts` in epoch seconds. A password reset does not sign the user in. */
  result: { login: { accountId: string; ts: number } & DecidedAuthentication } | { reset: string }
  statements: Statements
  /** The credentials that a password reset removes. */
  removed?: RemovedCredentials | undefined
  /** Set if the submission links a social identity to an existing account. */
  link?: IdentityLink | undefined
  /** True if a sign-in changes the profile, the addresses or the password, other than by linking an identity. */
  isUpdate?: boolean
  /** Set for a sign-in if users are told of new browsers. */
  newSignIn?: NewSignInNotice | undefined
  /** Set if the user becomes a member of the organisation that has proved the domain of the address. */
  joins?: DomainJoining | undefined
  /** The picture that replaces the account's previous one. Its statement runs before all others. */
  picture?: { avatar: string; replaced: ReturnType<typeof replacedPictureQuery> } | undefined
  /** The condition of the statements, if they require more than an open interaction. */
  condition?: Condition | undefined
}

/** The way in which the user authenticated, and what the provider cannot derive from it. */
export type DecidedAuthentication = Authentication & {
  /**
   * Set if the policies required a second factor of the account and accepted the sign-in, even with one factor in a
   * remembered browser (spec/accounts#administrators-policy).
   */
  metRequirement?: true
  /** The method that identified the account, if `amr` does not tell (spec/organisations#policy). */
  method?: OrganizationMethod
  /** The second-factor policy of the organisation for which the user is about to act. */
  organizationPolicy?: AddedSecondFactorPolicy
}

/** The credentials that a password reset removes (spec/accounts#reset-takes-back). */
export type RemovedCredentials = {
  /** The time, in epoch milliseconds, since which added credentials are removed. */
  since: number
  /** The credential ids of the removed passkeys. */
  passkeys: readonly string[]
  /** The targets of the removed identities. */
  identities: readonly string[]
  hasTotp: boolean
  address: AddressFactor | null
}

export type EffectContext = {
  tenantId: string
  /** The condition of all statements, which is that the interaction is still open. */
  condition: Condition
  /** The time at which processing the submission began, in epoch milliseconds. */
  at: number
  accounts: readonly AccountRow[]
  /** The credentials that were recently added to these accounts. Set only for a password reset. */
  additions: readonly CredentialAdditions[]
  authentication: DecidedAuthentication
  /** Returns the agreement to record on an account, or undefined if the account already has the same one. */
  newAgreement: (recorded: TermsAgreement | null) => TermsAgreement | undefined
  /** The browser that signs in. */
  signsInWith: Pick<BrowserSignIn, 'browserId' | 'userAgent' | 'remembrance'> & {
    /** The browser under its previous id if the sign-in assigns a new one, otherwise null. */
    former: TrustedBrowser | null
  }
  /** The rule that decides whether a browser is remembered. */
  rememberRule: RememberRule
  /** The interaction in which a second factor is put off, and how often an account may do so. */
  deferral: { interactionId: string; most: number }
  /**
   * Returns the request's location if this account's locations are stored, otherwise null. `userId` is null for a
   * registration.
   */
  placeFor: (userId: string | null) => SignInPlace | null
  defaultRoles: readonly { id: string }[]
  /** Returns the statements and events that link an identity to an existing account. */
  linkTo: (userId: string, target: string, identity: Identity) => IdentityLink
  /** Makes a user with this verified address a member, if the domain of the address lets people join automatically. */
  joinByDomain: (
    owner: { userId: string; email: string | null | undefined },
    condition: Condition,
    account: 'new' | 'existing',
  ) => DomainJoining | undefined
  /** Returns the notice of a sign-in in a new browser, or undefined if users are not told of these. */
  noticeOfSignIn: (userId: string) => NewSignInNotice | undefined
}

export type EffectDependencies = Pick<Dependencies, 'db' | 'now' | 'seals' | 'settings'>

/** Returns the user columns that a submission sets. The password is hashed. */
export async function prepareUserColumns({
  username,
  email,
  phone,
  emailVerified,
  phoneVerified,
  password,
  name,
  avatar,
}: NewUser): Promise<Omit<UserChanges, 'addIdentities' | 'removeIdentity' | 'profile'>> {
  return {
    ...(username === undefined ? {} : ({ username } satisfies UserChanges)),
    ...(email === undefined ? {} : { primaryEmail: email, emailVerified: true }),
    ...(phone === undefined ? {} : { primaryPhone: phone, phoneVerified: true }),
    ...(emailVerified && { emailVerified }),
    ...(phoneVerified && { phoneVerified }),
    ...(name === undefined ? {} : ({ name } satisfies UserChanges)),
    ...(avatar === undefined ? {} : ({ avatar } satisfies UserChanges)),
    ...(password === undefined ? {} : await preparePasswordColumns(password)),
  }
}
