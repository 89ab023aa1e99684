import { Route, Switch } from 'wouter'
import { NotFound } from '../../not-found.tsx'
import { FailedRequests } from './failed-requests.tsx'
import { LogEntry } from './log-entry.tsx'
import { LogList } from './log-list.tsx'
import { Timeline } from './timeline.tsx'

export default function LogArea() {
  return (
    <Switch>
      <Route path="/log">
        <LogList />
      </Route>
      <Route path="/log/failed-requests">
        <FailedRequests />
      </Route>
      <Route path="/log/interactions/:id">{({ id }) => <Timeline key={id} id={id} />}</Route>
      <Route path="/log/:id">{({ id }) => <LogEntry key={id} id={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
