import { Route, Switch } from 'wouter'
import { ApplicationList } from './application-list.tsx'
import { ApplicationPage } from './application-page.tsx'

export default function Applications() {
  return (
    <Switch>
      <Route path="/applications">
        <ApplicationList />
      </Route>
      <Route path="/applications/:id">{({ id }) => <ApplicationPage key={id} id={id} />}</Route>
    </Switch>
  )
}
