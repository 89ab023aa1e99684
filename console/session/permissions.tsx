import { createContext, useContext } from 'react'
import type { ManagementScope } from './scopes.ts'

/** Who is signed in, and what the token may do (spec/management#own-permissions). */
export type Permissions = { userId: string; name: string | null; scopes: readonly string[] }

export const PermissionsContext = createContext<Permissions>({ userId: '', name: null, scopes: [] })

export const usePermissions = (): Permissions => useContext(PermissionsContext)

/** Whether a control is shown. The API decides for itself. */
export function useMay(scope: ManagementScope): boolean {
  const { scopes } = usePermissions()
  return scopes.includes('all') || scopes.includes(scope)
}
