import type { ReactNode } from 'react'
import { Route, Switch } from 'wouter'
import { useCan } from './session/permissions.tsx'
import type { ManagementScope } from './session/scopes.ts'
import { NotFound } from './ui/page.tsx'

export { NotFound } from './ui/page.tsx'

/** Shows the first route that matches the URL, or an error page if no route does. */
export const Routes = ({ children }: { children: ReactNode }) => (
  <Switch>
    {children}
    <Route>
      <NotFound />
    </Route>
  </Switch>
)

/**
 * Shows a page whose only purpose is to make a change. Users without the scope see the error page for unknown URLs.
 */
export function RequireScope({ scope, children }: { scope: ManagementScope; children: ReactNode }) {
  return useCan(scope) ? children : <NotFound />
}
