import type { AddressFactor, TermsAgreement } from '../../contract/interactions/interaction.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import type { Authentication } from '../../domain/interactions/authentication.ts'
import type { NewUser } from '../../domain/interactions/submit-columns.ts'
import type { Statements } from '../../storage/batches.ts'
import type { Condition } from '../../storage/conditions.ts'
import type { BrowserSignIn, RememberRule, TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import type { replacedPictureQuery, UserChanges } from '../../storage/users/user-changes.ts'
import type { AccountRow, CredentialAdditions } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { passwordColumns } from '../passwords/verify.ts'
import type { Identity, IdentityLink } from '../social/identity-link.ts'

/** The effects of a submit on the account (spec/interaction#submit-effects). */
export type SubmitEffects = {
  userId: string
  /** The time of the revocation after a password reset, in epoch milliseconds. */
  revokedAt: number | undefined
  /** The added factor, about which hooks receive an event. */
  addedFactor?: 'totp' | undefined
  /** The agreement that the account now records (spec/accounts#terms-agreement). */
  termsAgreement?: TermsAgreement | undefined
  /** The result of the interaction, with `ts` in epoch seconds. A password reset does not sign the user in. */
  result: { login: { accountId: string; ts: number } & Authentication } | { reset: string }
  statements: Statements
  /** The credentials that a password reset removes. */
  removed?: RemovedCredentials | undefined
  /** Set if an existing account gets a social identity. */
  link?: IdentityLink | undefined
  /** A picture that replaces another one. Its statement runs before the others. */
  picture?: { avatar: string; replaced: ReturnType<typeof replacedPictureQuery> } | undefined
  /** Set if the effects require more than an open interaction. */
  condition?: Condition | undefined
}

/** The credentials that a password reset removes (spec/accounts#reset-takes-back). */
export type RemovedCredentials = {
  /** The time from which on additions are removed, in epoch milliseconds. */
  since: number
  /** The credential ids of passkeys. */
  passkeys: readonly string[]
  /** The targets of identities. */
  identities: readonly string[]
  hasTotp: boolean
  address: AddressFactor | null
}

export type EffectContext = {
  tenantId: string
  /** The condition of all statements, which is that the interaction is still open. */
  condition: Condition
  /** The time at which the submit began, in epoch milliseconds. */
  at: number
  accounts: readonly AccountRow[]
  /** What was added to these accounts, if the password is reset. */
  additions: readonly CredentialAdditions[]
  /** How the user authenticated. */
  authentication: Authentication
  /** Returns the agreement that an account must record, or undefined if it has already recorded the same one. */
  newAgreement: (recorded: TermsAgreement | null) => TermsAgreement | undefined
  /** The browser of the call. */
  signsInWith: Pick<BrowserSignIn, 'browserId' | 'userAgent' | 'remembrance'> & {
    /** The browser with its previous id, if the sign-in gives it a new one. */
    former: TrustedBrowser | null
  }
  /** The rule that decides whether a browser is remembered. */
  rememberRule: RememberRule
  /** The interaction in which a second factor is deferred, and how often an account may defer it. */
  deferral: { interactionId: string; most: number }
  /** Returns the place of the request, for accounts whose places are stored. `userId` is null for a registration. */
  placeFor: (userId: string | null) => SignInPlace | null
  defaultRoles: readonly { id: string }[]
  /** Returns the statements and events that link an identity to an existing account. */
  linkTo: (userId: string, target: string, identity: Identity) => IdentityLink
}

export type EffectDependencies = Pick<Dependencies, 'db' | 'now' | 'seals' | 'settings'>

/** Returns the columns that a submit sets, with the password hashed. */
export async function userColumnsOf({
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
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { primaryEmail: email, emailVerified: true }),
    ...(phone === undefined ? {} : { primaryPhone: phone, phoneVerified: true }),
    ...(emailVerified && { emailVerified }),
    ...(phoneVerified && { phoneVerified }),
    ...(name === undefined ? {} : { name }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(password === undefined ? {} : await passwordColumns(password)),
  }
}
