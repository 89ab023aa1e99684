import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { existingMembersQuery } from '../../storage/access/role-links.ts'
import { readTogether } from '../../storage/batches.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { Dependencies } from '../dependencies.ts'

/** For operators, who may ask for a user that does not exist. */
export async function passkeysOfUser(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  id: string,
): Promise<Passkey[]> {
  const { users, passkeys } = await readTogether(db, {
    users: existingMembersQuery(db, tenantId, 'user', [id]),
    passkeys: passkeysQuery(db, tenantId, id),
  })
  return users.length > 0 ? passkeys : refuseWith('entity.not_found')
}
