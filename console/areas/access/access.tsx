import { Route } from 'wouter'
import { Routes } from '../../not-found.tsx'
import { Administrators } from './administrators.tsx'
import { ApiList } from './api-list.tsx'
import { ApiPage } from './api-page.tsx'
import { RoleList } from './role-list.tsx'
import { RolePage } from './role-page.tsx'

export default function Access() {
  return (
    <Routes>
      <Route path="/access" component={RoleList} />
      <Route path="/access/apis" component={ApiList} />
      <Route path="/access/administrators" component={Administrators} />
      <Route path="/access/roles/:id">{({ id }) => <RolePage key={id} id={id} />}</Route>
      <Route path="/access/apis/:id">{({ id }) => <ApiPage key={id} id={id} />}</Route>
    </Routes>
  )
}
