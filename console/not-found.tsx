import type { ReactNode } from 'react'
import { Route, Switch } from 'wouter'
import { useCan } from './session/permissions.tsx'
import type { ManagementScope } from './session/scopes.ts'
import { NotFound } from './ui/page.tsx'

export { NotFound } from './ui/page.tsx'

/** Shows the first route that matches the address, or a page that says that the address doesn't exist. */
export const Routes = ({ children }: { children: ReactNode }) => (
  <Switch>
    {children}
    <Route>
      <NotFound />
    </Route>
  </Switch>
)

/** A page whose only purpose is to change something. Users without the scope see that it doesn't exist. */
export function RequireScope({ scope, children }: { scope: ManagementScope; children: ReactNode }) {
  return useCan(scope) ? children : <NotFound />
}
