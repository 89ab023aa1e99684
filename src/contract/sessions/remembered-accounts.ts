import type { IdentifierType } from '../interactions/identifiers.ts'

/** The page that welcomes users whose account the browser remembers (spec/pages#returning). */
export const RETURNING_PATH = '/sign-in/account'

/** The name of the form field with the entry of a remembered account. */
export const ACCOUNT_FIELD = 'account'

/** The sign-in method with which a remembered account continues. */
export type ReturningWay = 'password' | 'code' | 'passkey' | 'social'

/**
 * A remembered account as its page shows it. The page learns neither the account nor its identifier, only the mask. The
 * mask is empty for an account without identifiers, which its provider names.
 */
export type ReturningAccount = {
  /** The id of the entry in this browser's cookie. No other browser and no other tenant has this id. */
  id: string
  type: IdentifierType | null
  mask: string
  way: ReturningWay
  /** The social connector, if the account continues at one. */
  connectorId?: string | undefined
}
