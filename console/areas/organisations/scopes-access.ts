import { type ApiResponse, call } from '../../api/client.ts'
import { apiQuery, queryClient } from '../../api/queries.ts'
import type { EntityAccess } from '../../api/save-draft.ts'
import { permissionKey, planPermissionChanges } from '../access/permissions.ts'

export type Scope = { id: string; name: string; description: string | null; resourceId: string }

/** Stands for the resource of the scopes that belong to organisations themselves. No resource has an empty id. */
const NO_RESOURCE = ''

/** The scopes of an organisation role, by `resource/scope`. In changes, null removes a scope. */
export type LinkedScopes = Record<string, true | null>

/**
 * Reads and writes both kinds of scopes of an organisation role for one form. Only the differences are sent, so two
 * operators who change different scopes at the same time don't undo each other's changes.
 */
export const scopesAccess = (rolePath: string): EntityAccess<LinkedScopes> => {
  const own = `${rolePath}/scopes`
  const ofResources = `${rolePath}/resource-scopes`
  const readAssigned = async () => [
    ...withoutResource(await readAll(own)),
    ...(await readAll<Scope>(ofResources)),
  ]
  const read = async (): Promise<ApiResponse<LinkedScopes>> => {
    const scopes = await readAssigned()
    const data = Object.fromEntries(scopes.map((scope) => [permissionKey(scope), true as const]))
    return { data, etag: null, total: null, isCapped: false }
  }
  return {
    read,
    async write({ changes }) {
      const [assigned, known] = await Promise.all([readAssigned(), readKnownScopes()])
      const { added, removed } = planPermissionChanges(changes, { assigned, known })
      const lists = [
        { list: own, has: (scope: Scope) => scope.resourceId === NO_RESOURCE },
        { list: ofResources, has: (scope: Scope) => scope.resourceId !== NO_RESOURCE },
      ].map(({ list, has }) => {
        const ids = known.filter(has).map(({ id }) => id)
        return { list, ids }
      })
      // Scopes are added first, because this needs a recent sign-in. If the sign-in is too old, nothing has changed.
      for (const { list, ids } of lists) {
        const scopeIds = ids.filter((id) => added.includes(id))
        if (scopeIds.length > 0) await call(list, { method: 'POST', body: { scopeIds } })
      }
      for (const { list, ids } of lists)
        for (const id of ids.filter((each) => removed.includes(each)))
          await call(`${list}/${id}`, { method: 'DELETE' })
      await queryClient.invalidateQueries({ queryKey: apiQuery(rolePath).queryKey })
      return read()
    },
  }
}

/** Returns all scopes that organisation roles can have, other than those of built-in resources. */
async function readKnownScopes(): Promise<Scope[]> {
  const [own, resources] = await Promise.all([
    readAll<Omit<Scope, 'resourceId'>>('/organization-scopes'),
    call<{ scopes: Scope[] }[]>('/resources', { query: { includeScopes: true } }),
  ])
  return [...withoutResource(own), ...resources.data.flatMap(({ scopes }) => scopes)]
}

export const withoutResource = (scopes: readonly Omit<Scope, 'resourceId'>[]): Scope[] =>
  scopes.map((scope) => ({ ...scope, resourceId: NO_RESOURCE }))

const PAGE_SIZE = 100 // spec/limits#lists

async function readAll<T = Omit<Scope, 'resourceId'>>(path: string): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page++) {
    const { data } = await call<T[]>(path, { query: { page, page_size: PAGE_SIZE } })
    rows.push(...data)
    if (data.length < PAGE_SIZE) return rows
  }
}
