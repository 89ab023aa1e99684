import './connectors.css'
import { lazy, Suspense } from 'react'
import { Route } from 'wouter'
import { RequireScope, Routes } from '../../not-found.tsx'
import { Loading } from '../../ui/page.tsx'
import { ConnectorPage } from './connector-page.tsx'
import { Gallery } from './gallery.tsx'

const NewConnector = lazy(() => import('./new-connector.tsx'))

export default function Connectors() {
  return (
    <Routes>
      <Route path="/connectors" component={Gallery} />
      <Route path="/connectors/new/:factory">
        {({ factory }) => (
          <RequireScope scope="connectors:write">
            <Suspense fallback={<Loading />}>
              <NewConnector key={factory} factoryId={factory} />
            </Suspense>
          </RequireScope>
        )}
      </Route>
      <Route path="/connectors/:id">{({ id }) => <ConnectorPage key={id} id={id} />}</Route>
    </Routes>
  )
}
