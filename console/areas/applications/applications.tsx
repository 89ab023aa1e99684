import './applications.css'
import { lazy } from 'react'
import { Route } from 'wouter'
import { NotFound, RequireScope, Routes } from '../../not-found.tsx'
import { ApplicationList, NEW_APPLICATION_PATH } from './application-list.tsx'
import { ApplicationPage } from './application-page.tsx'

const NewApplication = lazy(() => import('./new-application.tsx'))

export default function Applications() {
  return (
    <Routes>
      <Route path="/applications" component={ApplicationList} />
      <Route path={NEW_APPLICATION_PATH}>
        <RequireScope scope="applications:write">
          <NewApplication />
        </RequireScope>
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
