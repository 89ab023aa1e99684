import type { AddressFactor, TermsAgreement } from '../../contract/interactions/interaction.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import type { Authentication } from '../../domain/interactions/authentication.ts'
import type { NewUser } from '../../domain/interactions/submit-columns.ts'
import type { Statements } from '../../storage/batches.ts'
import type { Condition } from '../../storage/conditions.ts'
import type { BrowserSignIn, RememberRule, TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import type { replacedPictureQuery, UserChanges } from '../../storage/users/user-changes.ts'
import type { AccountRow, Additions } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { passwordColumns } from '../passwords/verify.ts'
import type { Identity, IdentityLink } from '../social/identity-link.ts'

/** What a submit does to the account (spec/interaction#submit-effects). */
export type SubmitEffects = {
  userId: string
  /** Epoch milliseconds; after a password reset. */
  revokedAt: number | undefined
  /** Of which hooks are told. */
  addedFactor?: 'totp' | undefined
  /** What the account now records (spec/accounts#terms-agreement). */
  termsAgreement?: TermsAgreement | undefined
  /** Of the interaction. `ts` in epoch seconds; a password reset signs no user in. */
  result: { login: { accountId: string; ts: number } & Authentication } | { reset: string }
  statements: Statements
  /** What goes with a reset of the password. */
  removed?: RemovedCredentials | undefined
  /** What is written where an existing account gets a social identity. */
  link?: IdentityLink | undefined
  /** A picture that replaces another one. Its statements are named before the others. */
  picture?: { avatar: string; replaced: ReturnType<typeof replacedPictureQuery> } | undefined
  /** Where more must hold than that the interaction is open. */
  condition?: Condition | undefined
}

/** Ways in that a reset of the password removes (spec/accounts#reset-takes-back). */
export type RemovedCredentials = {
  /** Epoch milliseconds. */
  since: number
  /** Credential ids. */
  passkeys: readonly string[]
  /** Targets. */
  identities: readonly string[]
  hasTotp: boolean
  address: AddressFactor | null
}

export type EffectContext = {
  tenantId: string
  /** Of all statements: the interaction is still open. */
  condition: Condition
  /** When the submit began, epoch milliseconds. */
  at: number
  accounts: readonly AccountRow[]
  /** Of these accounts, where their password is reset. */
  additions: readonly Additions[]
  /** How the sign-in was proved. */
  authentication: Authentication
  /** What an account of this submit records, unless it has the same already. */
  newAgreement: (recorded: TermsAgreement | null) => TermsAgreement | undefined
  /** The browser of the call. */
  signsInWith: Pick<BrowserSignIn, 'browserId' | 'userAgent' | 'remembrance'> & {
    /** The browser under its id from before, if the sign-in gives it a new one. */
    former: TrustedBrowser | null
  }
  /** The rule by which a browser counts as remembered. */
  rememberRule: RememberRule
  /** The interaction, by which a second factor is put off, and how often an account may. */
  deferral: { interactionId: string; most: number }
  /** Where the request comes from, for accounts whose places are kept; null is one that is registered. */
  placeFor: (userId: string | null) => SignInPlace | null
  defaultRoles: readonly { id: string }[]
  /** The identity that an existing account gets, with what belongs to it. */
  linkTo: (userId: string, target: string, identity: Identity) => IdentityLink
}

export type EffectDependencies = Pick<Dependencies, 'db' | 'now' | 'seals' | 'settings'>

/** The columns of what a submit sets; a password is hashed. */
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
