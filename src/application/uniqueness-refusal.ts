import { type ErrorCode, refuse } from '../contract/errors.ts'
import { Refused } from '../contract/refused.ts'
import { type TakenField, takenField } from '../storage/users.ts'

const codes: Record<Exclude<TakenField, 'id'>, ErrorCode> = {
  username: 'user.username_already_in_use',
  email: 'user.email_already_in_use',
  phone: 'user.phone_already_in_use',
  identity: 'user.identity_already_in_use',
}

/** Two who choose the same name at once: the second hears what a check would have said (decision 14). */
export function asTaken(error: unknown): never {
  const taken = takenField(error)
  if (taken === null || taken === 'id') throw error
  throw new Refused(refuse(codes[taken]))
}
