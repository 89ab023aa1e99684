import { type SQL, sql } from 'drizzle-orm'
import { isSameAddress } from '../../domain/account/address-rules.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import {
  createVerificationCode,
  randomVerificationCode,
  type VerificationCodeOwner,
} from '../codes/verification-codes.ts'
import type { Database } from '../database.ts'
import type { Seals } from '../seal.ts'
import { passcodes } from '../tables.ts'
import type { UserRow } from '../users/users.ts'
import { getUserAddress } from './address-changes.ts'
import { recordRequestedAddress } from './former-identifiers.ts'

/** Codes for adding an address, bound to one session (spec/account-centre#addresses). */

const MARK = '/new-'

export const newAddressCodeOwner = (session: string, { type }: VerifiedAddress): VerificationCodeOwner => ({
  uid: session + MARK + type,
  type: 'SignIn',
})

/** Checks whether a row of `passcodes` is a code for a new address. */
export const isNewAddressCode: SQL = sql`${passcodes.interactionJti} like ${`%${MARK}%`}`

type AddressCodeRequest = { user: UserRow; session: string; address: VerifiedAddress; now: number }

/**
 * Creates a code, and records the address so that an erasure of the account finds it. Returns null if another request
 * has just created a newer code.
 */
export async function createNewAddressCode(
  store: { db: Database; seals: Seals },
  tenantId: string,
  { user, session, address, now }: AddressCodeRequest,
): Promise<string | null> {
  const code = randomVerificationCode()
  const owner = newAddressCodeOwner(session, address)
  const isPresent = isSameAddress(getUserAddress(user, address.type).value, address.value)
  const requested = { tenantId, userId: user.id, value: address.value, now }
  const also = isPresent ? undefined : recordRequestedAddress(store.db, requested)
  const isNewest = await createVerificationCode(store, tenantId, { owner, address, code, now, also })
  return isNewest ? code : null
}
