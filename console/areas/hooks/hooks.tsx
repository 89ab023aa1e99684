import { Route, Switch } from 'wouter'
import { NotFound } from '../../not-found.tsx'
import { HookList } from './hook-list.tsx'
import { HookPage } from './hook-page.tsx'

export default function Hooks() {
  return (
    <Switch>
      <Route path="/hooks">
        <HookList />
      </Route>
      <Route path="/hooks/:id">{({ id }) => <HookPage key={id} id={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
