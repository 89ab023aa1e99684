import { lazy } from 'react'
import { Route } from 'wouter'
import { RequireScope, Routes } from '../../not-found.tsx'
import { UserList } from './user-list.tsx'

const ImportUsers = lazy(() => import('./import-users.tsx'))
const UserPage = lazy(() => import('./user-page.tsx'))
const ExportUsers = lazy(() => import('./export-users.tsx'))
const InvitedUsers = lazy(() => import('./invited-users.tsx'))

export default function Users() {
  return (
    <Routes>
      <Route path="/users" component={UserList} />
      <Route path="/users/import">
        <RequireScope scope="users:write">
          <ImportUsers />
        </RequireScope>
      </Route>
      <Route path="/users/export" component={ExportUsers} />
      <Route path="/users/invitations" component={InvitedUsers} />
      <Route path="/users/:id/:part?">
        {({ id, part }) => <UserPage key={id} id={id} part={part ?? 'profile'} />}
      </Route>
    </Routes>
  )
}
