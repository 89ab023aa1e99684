import type { ReactNode } from 'react'
import { Route, Switch } from 'wouter'
import { useCan } from './session/permissions.tsx'
import type { ManagementScope } from './session/scopes.ts'
import { NotFound } from './ui/page.tsx'

export { NotFound } from './ui/page.tsx'

/** Shows the first route that matches the URL, or a page that says that there is nothing at this URL. */
export const Routes = ({ children }: { children: ReactNode }) => (
  <Switch>
    {children}
    <Route>
      <NotFound />
    </Route>
  </Switch>
)

/** A page whose only purpose is to change something. For users without the scope, the page doesn't exist. */
export function RequireScope({ scope, children }: { scope: ManagementScope; children: ReactNode }) {
  return useCan(scope) ? children : <NotFound />
}
