import type { ReactNode } from 'react'
import { Route, Switch } from 'wouter'
import { useCan } from './session/permissions.tsx'
import type { ManagementScope } from './session/scopes.ts'
import { NotFound } from './ui/page.tsx'

export { NotFound } from './ui/page.tsx'

/** The first of these routes at whose address the user is, or that there is no such page. */
export const Routes = ({ children }: { children: ReactNode }) => (
  <Switch>
    {children}
    <Route>
      <NotFound />
    </Route>
  </Switch>
)

/** A page that does nothing but change something: to users who may not, it is not there. */
export function RequireScope({ scope, children }: { scope: ManagementScope; children: ReactNode }) {
  return useCan(scope) ? children : <NotFound />
}
