import { refuseWith } from '../../contract/refused.ts'
import { roleQuery } from '../../storage/access/role-list.ts'
import type { Dependencies } from '../dependencies.ts'

/** A list of what is linked with a role, read at the same time as the role, which must exist. */
export async function readListOfRole<T>(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, roleId }: { tenantId: string; roleId: string },
  list: Promise<T>,
): Promise<T> {
  const [[role], found] = await Promise.all([roleQuery(db, tenantId, roleId), list])
  return role ? found : refuseWith('entity.not_exists_with_id', { id: roleId })
}
