import { scopeKey } from '../../../operator/config/state.ts'
import type { ApiResponse } from '../../api/client.ts'
import { call } from '../../api/client.ts'
import { apiQuery, queryClient } from '../../api/queries.ts'
import type { EntityAccess } from '../../api/save-draft.ts'

type Scope = { id: string; name: string; resourceId: string }

/** The permissions of a role, by `resource/scope`. In changes, null removes a permission. */
export type Permissions = Record<string, true | null>

export const permissionKey = ({ resourceId, name }: Scope): string => scopeKey(resourceId, name)

/**
 * Reads and writes the permissions of a role for a form. Only the differences are sent, so two operators who change
 * different permissions at the same time don't undo each other's changes.
 */
export const permissionsAccess = (rolePath: string): EntityAccess<Permissions> => {
  const path = `${rolePath}/scopes`
  const read = async () => toPermissions(await call<Scope[]>(path))
  return {
    read,
    async write({ changes }) {
      const [assigned, known] = await Promise.all([
        call<Scope[]>(path),
        call<{ scopes: Scope[] }[]>('/resources', { query: { includeScopes: true } }),
      ])
      const { added, removed } = planPermissionChanges(changes, {
        assigned: assigned.data,
        known: known.data.flatMap(({ scopes }) => scopes),
      })
      // Scopes are added first, because this needs a recent sign-in. If the sign-in is too old, nothing has changed.
      if (added.length > 0) await call(path, { method: 'POST', body: { scopeIds: added } })
      for (const id of removed) await call(`${path}/${id}`, { method: 'DELETE' })
      await queryClient.invalidateQueries({ queryKey: apiQuery(path).queryKey })
      return read()
    },
  }
}

/** Returns the ids of the scopes to add and to remove, given the scopes that the role has now. */
export function planPermissionChanges(
  changes: Partial<Permissions>,
  { assigned, known }: { assigned: readonly Scope[]; known: readonly Scope[] },
): { added: string[]; removed: string[] } {
  const ids = new Set(assigned.map(({ id }) => id))
  const changed = known.filter((scope) => permissionKey(scope) in changes)
  const isSelected = (scope: Scope) => changes[permissionKey(scope)] === true
  return {
    added: changed.filter((scope) => isSelected(scope) && !ids.has(scope.id)).map(({ id }) => id),
    removed: changed.filter((scope) => !isSelected(scope) && ids.has(scope.id)).map(({ id }) => id),
  }
}

const toPermissions = (answer: ApiResponse<Scope[]>): ApiResponse<Permissions> => ({
  ...answer,
  data: Object.fromEntries(answer.data.map((scope) => [permissionKey(scope), true])),
})
