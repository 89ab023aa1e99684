import { createContext, type ReactNode, useContext } from 'react'
import type { ManagementScope } from './scopes.ts'

/** The signed-in user and what the token allows (spec/management#own-permissions). */
export type Permissions = { userId: string; name: string | null; scopes: readonly string[] }

export const PermissionsContext = createContext<Permissions>({ userId: '', name: null, scopes: [] })

export const usePermissions = (): Permissions => useContext(PermissionsContext)

export const hasScope = (scopes: readonly string[], scope: ManagementScope): boolean =>
  scopes.includes('all') || scopes.includes(scope)

/** Tells whether the user has a scope, and so sees the controls that need it. The API enforces this as well. */
export const useCan = (scope: ManagementScope): boolean => hasScope(usePermissions().scopes, scope)

/**
 * Hides a scope from the children if `when` is true. Used for entities that this user may not change although they
 * have the scope (spec/management#escalation).
 */
export function WithoutScope({
  scope,
  when,
  children,
}: {
  scope: ManagementScope
  when: boolean
  children: ReactNode
}) {
  const permissions = usePermissions()
  const scopes = permissions.scopes.filter((each) => each !== scope)
  return (
    <PermissionsContext value={when ? { ...permissions, scopes } : permissions}>
      {children}
    </PermissionsContext>
  )
}
