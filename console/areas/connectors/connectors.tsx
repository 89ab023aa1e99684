import './connectors.css'
import { Route } from 'wouter'
import { RequireScope, Routes } from '../../not-found.tsx'
import { ConnectorPage } from './connector-page.tsx'
import { Gallery } from './gallery.tsx'
import { NewConnector } from './new-connector.tsx'

export default function Connectors() {
  return (
    <Routes>
      <Route path="/connectors" component={Gallery} />
      <Route path="/connectors/new/:factory">
        {({ factory }) => (
          <RequireScope scope="connectors:write">
            <NewConnector key={factory} factoryId={factory} />
          </RequireScope>
        )}
      </Route>
      <Route path="/connectors/:id">{({ id }) => <ConnectorPage key={id} id={id} />}</Route>
    </Routes>
  )
}
