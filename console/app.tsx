import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { I18nProvider } from 'react-aria-components'
import { Route, Router } from 'wouter'
import { ApiProblem } from './api/problem.ts'
import { queryClient, useApi } from './api/queries.ts'
import { areaRows } from './areas.ts'
import { Routes } from './not-found.tsx'
import { useLanguage } from './phrases.ts'
import { type Permissions, PermissionsContext } from './session/permissions.tsx'
import { NotAnAdministrator } from './session/sign-in.tsx'
import { isAreaVisible, Shell } from './shell.tsx'
import { Loading } from './ui/page.tsx'
import { PageBoundary } from './ui/page-boundary.tsx'
import { Notifications } from './ui/toast.tsx'

type TokenPermissions = Pick<Permissions, 'userId' | 'scopes'>

/** The console of a signed-in user. `granted` holds the user and the scopes of the token. */
export function App({ granted }: { granted: TokenPermissions }) {
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={useLanguage()}>
        <Notifications>
          <Areas granted={granted} />
        </Notifications>
      </I18nProvider>
    </QueryClientProvider>
  )
}

function Areas({ granted }: { granted: TokenPermissions }) {
  const { data, error, refetch } = useApi<Permissions>('/my-permissions')
  if (error instanceof ApiProblem && error.status === 403) return <NotAnAdministrator />
  // Pages start with the scopes of the token and don't wait for this response.
  const canStart =
    !error && areaRows.some((row) => row.needs.length > 0 && isAreaVisible(row, granted.scopes))
  const permissions = data?.data ?? (canStart ? { ...granted, name: null } : null)
  if (!permissions) return <Loading failure={error} onRetry={refetch} />
  return (
    <PermissionsContext value={permissions}>
      <Router base="/console">
        <Shell>
          <PageBoundary>
            <Suspense fallback={<Loading />}>
              <Routes>
                {areaRows
                  .filter((row) => isAreaVisible(row, permissions.scopes))
                  .map(({ path, isOnePage, name, Page }) => (
                    <Route key={name} path={isOnePage ? path : `${path}/*?`}>
                      <Page />
                    </Route>
                  ))}
              </Routes>
            </Suspense>
          </PageBoundary>
        </Shell>
      </Router>
    </PermissionsContext>
  )
}
