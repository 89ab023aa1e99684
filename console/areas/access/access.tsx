import { Route, Switch } from 'wouter'
import { NotFound } from '../../not-found.tsx'
import { Administrators } from './administrators.tsx'
import { ApiList } from './api-list.tsx'
import { ApiPage } from './api-page.tsx'
import { RoleList } from './role-list.tsx'
import { RolePage } from './role-page.tsx'

export default function Access() {
  return (
    <Switch>
      <Route path="/access">
        <RoleList />
      </Route>
      <Route path="/access/apis">
        <ApiList />
      </Route>
      <Route path="/access/administrators">
        <Administrators />
      </Route>
      <Route path="/access/roles/:id">{({ id }) => <RolePage key={id} id={id} />}</Route>
      <Route path="/access/apis/:id">{({ id }) => <ApiPage key={id} id={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
