import './applications.css'
import { Route } from 'wouter'
import { ForWriters, NotFound, Routes } from '../../not-found.tsx'
import { ApplicationList, NEW } from './application-list.tsx'
import { ApplicationPage } from './application-page.tsx'
import { NewApplication } from './new-application.tsx'

export default function Applications() {
  return (
    <Routes>
      <Route path="/applications" component={ApplicationList} />
      <Route path={NEW}>
        <ForWriters scope="applications:write">
          <NewApplication />
        </ForWriters>
      </Route>
      <Route path="/applications/:id/:part?">
        {({ id, part }) =>
          part === undefined || part === 'guide' ? (
            <ApplicationPage key={id} id={id} part={part} />
          ) : (
            <NotFound />
          )
        }
      </Route>
    </Routes>
  )
}
