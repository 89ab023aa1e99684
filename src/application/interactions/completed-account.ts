import type { NewUser } from '../../domain/interactions/submit-columns.ts'
import { insertAddressChangeIf } from '../../storage/account/address-changes.ts'
import { newChangeId } from '../../storage/account/undoable-addresses.ts'
import type { Condition } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import {
  datedProfile,
  replacedPicture,
  type UserChanges,
  updateUserIf,
} from '../../storage/users/user-changes.ts'
import { userColumnsOf } from './user-columns.ts'

type Completed = {
  tenantId: string
  userId: string
  condition: Condition
  changes: NewUser
  /** What else the sign-in records of the user. */
  records: UserChanges
  now: number
}

/** What a sign-in completes of the account that signs in. */
export async function completedAccount(
  db: Database,
  { tenantId, userId, condition, changes, records, now }: Completed,
) {
  const { avatar } = changes
  const columns = datedProfile(await userColumnsOf(changes), now)
  const values = { ...columns, ...records }
  const added = (['email', 'phone'] as const).filter((type) => changes[type] !== undefined)
  return {
    picture: avatar
      ? { avatar, replaced: replacedPicture(db, tenantId, condition, { id: userId, avatar }) }
      : undefined,
    statements: {
      // Since when they are there: the undo of a change takes them back (spec/account-centre#undo).
      addresses: added.map((type) => {
        const change = { id: newChangeId(), userId, type, previous: null, now }
        return insertAddressChangeIf(db, tenantId, condition, change)
      }),
      user: updateUserIf(db, tenantId, condition, userId, values),
    },
  }
}
