import { type ErrorCode, refuse } from '../../contract/errors.ts'
import { RefusalError } from '../../contract/refused.ts'
import { findTakenField, type TakenField } from '../../storage/users/user-changes.ts'

const codes: Record<Exclude<TakenField, 'id'>, ErrorCode> = {
  username: 'user.username_already_in_use',
  email: 'user.email_already_in_use',
  phone: 'user.phone_already_in_use',
  identity: 'user.identity_already_in_use',
}

/**
 * Turns a violated unique constraint into the same error as a failed availability check. This happens if two concurrent
 * calls choose the same name (spec/accounts#uniqueness).
 */
export function rethrowAsConflict(error: unknown): never {
  const taken = findTakenField(error)
  if (taken === null || taken === 'id') throw error
  throw new RefusalError(refuse(codes[taken]))
}
