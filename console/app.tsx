import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { I18nProvider } from 'react-aria-components'
import { Route, Router, Switch } from 'wouter'
import { ApiProblem } from './api/problem.ts'
import { queryClient, useApi } from './api/queries.ts'
import { areaRows } from './areas.ts'
import { NotFound } from './not-found.tsx'
import { useLanguage } from './phrases.ts'
import { type Permissions, PermissionsContext } from './session/permissions.tsx'
import { NoAdministrator } from './session/sign-in.tsx'
import { isShown, Shell } from './shell.tsx'
import { Loading } from './ui/page.tsx'
import { Notifications } from './ui/toast.tsx'

/** The console of a user who has signed in. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={useLanguage()}>
        <Notifications>
          <Areas />
        </Notifications>
      </I18nProvider>
    </QueryClientProvider>
  )
}

function Areas() {
  const { data, error, refetch } = useApi<Permissions>('/my-permissions')
  if (error instanceof ApiProblem && error.status === 403) return <NoAdministrator />
  if (!data) return <Loading failure={error} onRetry={refetch} />
  return (
    <PermissionsContext value={data.data}>
      <Router base="/console">
        <Shell>
          <Suspense fallback={<Loading />}>
            <Switch>
              {areaRows
                .filter((row) => isShown(row, data.data.scopes))
                .map(({ path, name, Page }) => (
                  <Route key={name} path={path === '/' ? path : `${path}/*?`}>
                    <Page />
                  </Route>
                ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </Shell>
      </Router>
    </PermissionsContext>
  )
}
