import './connectors.css'
import { Route, Switch } from 'wouter'
import { ForWriters, NotFound } from '../../not-found.tsx'
import { ConnectorPage } from './connector-page.tsx'
import { Gallery } from './gallery.tsx'
import { NewConnector } from './new-connector.tsx'

export default function Connectors() {
  return (
    <Switch>
      <Route path="/connectors">
        <Gallery />
      </Route>
      <Route path="/connectors/new/:factory">
        {({ factory }) => (
          <ForWriters scope="connectors:write">
            <NewConnector key={factory} factoryId={factory} />
          </ForWriters>
        )}
      </Route>
      <Route path="/connectors/:id">{({ id }) => <ConnectorPage key={id} id={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
