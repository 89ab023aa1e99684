import { useQueries } from '@tanstack/react-query'
import { ADMINISTRATOR_ROLES } from '../../src/contract/access/management-scopes.ts'
import { MANAGEMENT_RESOURCE, SERVICES_RESOURCE } from '../../src/contract/product.ts'
import { findMissingScopes } from '../../src/domain/access/administration.ts'
import { apiQuery, queryClient, retryFailed, useApi } from '../api/queries.ts'
import { hasScope, usePermissions } from './permissions.tsx'

/** A scope that a role contains. */
export type AssignedScope = { resourceId: string; name: string }

const ownApis = [MANAGEMENT_RESOURCE, SERVICES_RESOURCE]

/**
 * Tells whether a user with the `userScopes` may manage someone with these assigned scopes
 * (spec/management#escalation). The API enforces this as well.
 */
export function canManage(userScopes: readonly string[], assignedScopes: readonly AssignedScope[]): boolean {
  const ownApiScopes = assignedScopes.flatMap(({ resourceId, name }) =>
    ownApis.filter(({ id }) => id === resourceId).map(({ indicator }) => ({ indicator, name })),
  )
  return findMissingScopes(new Set(userScopes), ownApiScopes).length === 0
}

export type Authority = {
  /** True if the user may manage the other user, and null until this is known. */
  canManage: boolean | null
  /** The error that prevents the check, or null. `retry` repeats the failed reads. */
  failure: Error | null
  retry: () => void
}

/** Reads the scopes of a role. Those of an administrator role, or of no role, are known without a call. */
export function useRoleScopes(roleId: string | null) {
  const isOwn = roleId !== null && !isAdministratorRole(roleId)
  const read = useApi<AssignedScope[]>(`/roles/${roleId}/scopes`, { isEnabled: isOwn })
  const known = roleId === null ? [] : administratorRoleScopes([roleId])
  return {
    /** The scopes, or undefined until they are known. */
    scopes: isOwn ? read.data?.data : known,
    failure: isOwn && !read.data ? read.error : null,
    retry: read.refetch,
  }
}

/** Reads the scopes of a role once. */
export const readRoleScopes = async (roleId: string): Promise<readonly AssignedScope[]> =>
  isAdministratorRole(roleId)
    ? administratorRoleScopes([roleId])
    : (await queryClient.fetchQuery(apiQuery<AssignedScope[]>(`/roles/${roleId}/scopes`))).data

/** Tells whether someone with these scopes may call the product's own APIs (spec/management#replaced-credentials). */
export const permitsManagement = (scopes: readonly AssignedScope[]): boolean => !canManage([], scopes)

/**
 * Determines whether the user may manage someone with these roles. To do so, it reads the scopes of the tenant's own
 * roles, unless the user may not read roles. In that case, only administrator roles are considered.
 */
export function useCanManage(roleIds: readonly string[] | undefined): Authority {
  const { scopes } = usePermissions()
  const isOwner = scopes.includes('all')
  const mayRead = !isOwner && hasScope(scopes, 'roles:read')
  const ownRoles = mayRead ? (roleIds ?? []).filter((id) => !isAdministratorRole(id)) : []
  const read = useQueries({ queries: ownRoles.map((id) => apiQuery<AssignedScope[]>(`/roles/${id}/scopes`)) })
  const authority = { failure: null, retry: retryFailed(...read) }
  if (isOwner) return { ...authority, canManage: true }
  const unread = read.filter(({ data }) => data === undefined)
  if (!roleIds || unread.length > 0)
    return { ...authority, canManage: null, failure: unread.find(({ error }) => error)?.error ?? null }
  const assignedScopes = [
    ...administratorRoleScopes(roleIds),
    ...read.flatMap(({ data }) => data?.data ?? []),
  ]
  return { ...authority, canManage: canManage(scopes, assignedScopes) }
}

export type AdministratorRoleId = (typeof ADMINISTRATOR_ROLES)[number]['id']

export const isAdministratorRole = (id: string): id is AdministratorRoleId =>
  ADMINISTRATOR_ROLES.some((role) => role.id === id)

const administratorRoleScopes = (ids: readonly string[]): AssignedScope[] =>
  ADMINISTRATOR_ROLES.filter(({ id }) => ids.includes(id)).flatMap(({ scopes }) =>
    scopes.map((name) => ({ resourceId: MANAGEMENT_RESOURCE.id, name })),
  )

/** Tells whether an administrator role has scopes that `userScopes` don't include. This needs no call. */
export const isRoleAboveUser = (roleId: string, userScopes: readonly string[]): boolean =>
  !canManage(userScopes, administratorRoleScopes([roleId]))
