import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { ForWriters, NotFound } from '../../not-found.tsx'
import { UserList } from './user-list.tsx'
import { UserPage } from './user-page.tsx'

const ImportUsers = lazy(() => import('./import-users.tsx'))
const ExportUsers = lazy(() => import('./export-users.tsx'))

export default function Users() {
  return (
    <Switch>
      <Route path="/users">
        <UserList />
      </Route>
      <Route path="/users/import">
        <ForWriters scope="users:write">
          <ImportUsers />
        </ForWriters>
      </Route>
      <Route path="/users/export">
        <ExportUsers />
      </Route>
      <Route path="/users/:id/:part?">
        {({ id, part }) => <UserPage key={id} id={id} part={part ?? 'profile'} />}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
