import { createContext, type ReactNode, useContext } from 'react'
import type { ManagementScope } from './scopes.ts'

/** The signed-in user and what the token allows (spec/management#own-permissions). */
export type Permissions = { userId: string; name: string | null; scopes: readonly string[] }

export const PermissionsContext = createContext<Permissions>({ userId: '', name: null, scopes: [] })

export const usePermissions = (): Permissions => useContext(PermissionsContext)

export const hasScope = (scopes: readonly string[], scope: ManagementScope): boolean =>
  scopes.includes('all') || scopes.includes(scope)

/** Whether a control is shown. The API enforces this itself. */
export const useCan = (scope: ManagementScope): boolean => hasScope(usePermissions().scopes, scope)

/**
 * Withholds the scope from its children if `when` is true. It is used for entities above the user, who may change
 * others (spec/management#escalation).
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
