import { Route } from 'wouter'
import { Routes } from '../../not-found.tsx'
import { HookList } from './hook-list.tsx'
import { HookPage } from './hook-page.tsx'

export default function Hooks() {
  return (
    <Routes>
      <Route path="/hooks" component={HookList} />
      <Route path="/hooks/:id">{({ id }) => <HookPage key={id} id={id} />}</Route>
    </Routes>
  )
}
