import type { ReactNode } from 'react'
import { useMay } from './session/permissions.tsx'
import type { ManagementScope } from './session/scopes.ts'
import { NotFound } from './ui/page.tsx'

export { NotFound } from './ui/page.tsx'

/** A page that does nothing but change something: to users who may not, it is not there. */
export function ForWriters({ scope, children }: { scope: ManagementScope; children: ReactNode }) {
  return useMay(scope) ? children : <NotFound />
}
