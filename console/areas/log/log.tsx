import { Route } from 'wouter'
import { Routes } from '../../not-found.tsx'
import { FailedRequests } from './failed-requests.tsx'
import { LogEntry } from './log-entry.tsx'
import { LogList } from './log-list.tsx'
import { Timeline } from './timeline.tsx'

export default function LogArea() {
  return (
    <Routes>
      <Route path="/log" component={LogList} />
      <Route path="/log/failed-requests" component={FailedRequests} />
      <Route path="/log/interactions/:id">{({ id }) => <Timeline key={id} id={id} />}</Route>
      <Route path="/log/:id">{({ id }) => <LogEntry key={id} id={id} />}</Route>
    </Routes>
  )
}
