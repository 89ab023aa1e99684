import { useQueries } from '@tanstack/react-query'
import { ADMINISTRATOR_ROLES } from '../../src/contract/access/management-scopes.ts'
import { MANAGEMENT_RESOURCE, SERVICES_RESOURCE } from '../../src/contract/product.ts'
import { missingScopes } from '../../src/domain/access/administration.ts'
import { apiQuery, retryOf } from '../api/queries.ts'
import { isOpen, usePermissions } from './permissions.tsx'

/** A scope as roles have it. */
export type HeldScope = { resourceId: string; name: string }

const ownApis = [MANAGEMENT_RESOURCE, SERVICES_RESOURCE]

/** Whether a user with the `own` scopes decides about who has the `held` ones (spec/management#escalation). The API decides for itself. */
export function mayDecide(own: readonly string[], heldScopes: readonly HeldScope[]): boolean {
  const ofOwnApis = heldScopes.flatMap(({ resourceId, name }) =>
    ownApis.filter(({ id }) => id === resourceId).map(({ indicator }) => ({ indicator, name })),
  )
  return missingScopes(new Set(own), ofOwnApis).length === 0
}

export type Authority = {
  /** Null until that is known. */
  mayDecide: boolean | null
  /** Why it is not known; `retry` reads again what has failed. */
  failure: Error | null
  retry: () => void
}

/**
 * Whether the user decides about who has these roles. The scopes of the operator's own roles are read; to who may not read them they
 * count as nothing.
 */
export function useMayDecide(roleIds: readonly string[] | undefined): Authority {
  const { scopes } = usePermissions()
  const isOwner = scopes.includes('all')
  const mayRead = !isOwner && isOpen(scopes, 'roles:read')
  const ownRoles = mayRead ? (roleIds ?? []).filter((id) => !isAdministratorRole(id)) : []
  const read = useQueries({ queries: ownRoles.map((id) => apiQuery<HeldScope[]>(`/roles/${id}/scopes`)) })
  const authority = { failure: null, retry: retryOf(...read) }
  if (isOwner) return { ...authority, mayDecide: true }
  const unread = read.filter(({ data }) => data === undefined)
  if (!roleIds || unread.length > 0)
    return { ...authority, mayDecide: null, failure: unread.find(({ error }) => error)?.error ?? null }
  const heldScopes = [...heldByAdministratorRoles(roleIds), ...read.flatMap(({ data }) => data?.data ?? [])]
  return { ...authority, mayDecide: mayDecide(scopes, heldScopes) }
}

const isAdministratorRole = (id: string): boolean => ADMINISTRATOR_ROLES.some((role) => role.id === id)

const heldByAdministratorRoles = (ids: readonly string[]): HeldScope[] =>
  ADMINISTRATOR_ROLES.filter(({ id }) => ids.includes(id)).flatMap(({ scopes }) =>
    scopes.map((name) => ({ resourceId: MANAGEMENT_RESOURCE.id, name })),
  )

/** What the role gives is known without a call, where it is one of administrators; `own` are the scopes of the user. */
export const isAboveByItself = (roleId: string, own: readonly string[]): boolean =>
  !mayDecide(own, heldByAdministratorRoles([roleId]))
