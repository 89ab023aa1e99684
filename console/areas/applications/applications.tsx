import './applications.css'
import { Route, Switch } from 'wouter'
import { ApplicationList, NEW } from './application-list.tsx'
import { ApplicationPage } from './application-page.tsx'
import { NewApplication } from './new-application.tsx'

export default function Applications() {
  return (
    <Switch>
      <Route path="/applications">
        <ApplicationList />
      </Route>
      <Route path={NEW}>
        <NewApplication />
      </Route>
      <Route path="/applications/:id/:part?">
        {({ id, part }) => <ApplicationPage key={id} id={id} part={part} />}
      </Route>
    </Switch>
  )
}
