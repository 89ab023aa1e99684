import { lazy } from 'react'
import { Route } from 'wouter'
import { RequireScope, Routes } from '../../not-found.tsx'
import { OrganizationList } from './organisation-list.tsx'

const OrganizationPage = lazy(() => import('./organisation-page.tsx'))
const RoleList = lazy(() => import('./role-list.tsx'))
const RolePage = lazy(() => import('./role-page.tsx'))
const ScopeList = lazy(() => import('./scope-list.tsx'))

/** The pages of the template have a tilde in their paths, which no id of an organisation contains. */
export default function Organizations() {
  return (
    <Routes>
      <Route path="/organizations" component={OrganizationList} />
      <Route path="/organizations/~roles">
        <RequireScope scope="roles:read">
          <RoleList />
        </RequireScope>
      </Route>
      <Route path="/organizations/~roles/:id">
        {({ id }) => (
          <RequireScope scope="roles:read">
            <RolePage key={id} id={id} />
          </RequireScope>
        )}
      </Route>
      <Route path="/organizations/~scopes">
        <RequireScope scope="roles:read">
          <ScopeList />
        </RequireScope>
      </Route>
      <Route path="/organizations/:id/:part?">
        {({ id, part }) => <OrganizationPage key={id} id={id} part={part ?? 'settings'} />}
      </Route>
    </Routes>
  )
}
