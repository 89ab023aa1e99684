import type { TermsAgreement } from '../contract/interaction.ts'
import type { Statements } from '../storage/batches.ts'
import type { Condition } from '../storage/conditions.ts'
import type { BrowserSignIn } from '../storage/trusted-browsers.ts'
import type { AccountRow } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'

/** What a submit does to the account (spec/interaction#submit-effects). */
export type SubmitEffects = {
  userId: string
  /** Epoch milliseconds; after a password reset. */
  revokedAt: number | undefined
  /** What the account now records (spec/accounts#terms-agreement). */
  termsAgreement?: TermsAgreement | undefined
  /** Of the interaction. `ts` in epoch seconds; a password reset signs no user in. */
  result: { login: { accountId: string; ts: number } } | { reset: string }
  statements: Statements
}

export type EffectContext = {
  tenantId: string
  /** Of all statements: the interaction is still open. */
  condition: Condition
  /** When the submit began, epoch milliseconds. */
  at: number
  accounts: readonly AccountRow[]
  /** What an account of this submit records, unless it has the same already. */
  newAgreement: (recorded: TermsAgreement | null) => TermsAgreement | undefined
  /** The browser of the call. */
  signsInWith: Pick<BrowserSignIn, 'browserId' | 'userAgent'>
  defaultRoles: readonly { id: string }[]
}

export type EffectDependencies = Pick<Dependencies, 'db' | 'now' | 'settings'>
