import { createContext, type ReactNode, useContext } from 'react'
import type { ManagementScope } from './scopes.ts'

/** Who is signed in, and what the token may do (spec/management#own-permissions). */
export type Permissions = { userId: string; name: string | null; scopes: readonly string[] }

export const PermissionsContext = createContext<Permissions>({ userId: '', name: null, scopes: [] })

export const usePermissions = (): Permissions => useContext(PermissionsContext)

export const hasScope = (scopes: readonly string[], scope: ManagementScope): boolean =>
  scopes.includes('all') || scopes.includes(scope)

/** Whether a control is shown. The API decides for itself. */
export const useCan = (scope: ManagementScope): boolean => hasScope(usePermissions().scopes, scope)

/** Below it the scope counts as not held where `when`: for what is above the user, who may change others (spec/management#escalation). */
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
