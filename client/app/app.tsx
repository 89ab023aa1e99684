import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import type { BootData } from '../../src/contract/boot.ts'
import { Shell } from '../layout/frame.tsx'
import { ErrorPage, isOver, StartAgain, StepMissing } from '../pages/error.tsx'
import { ExternalRedirectPage } from '../pages/external-redirect.tsx'
import { LogoutPage } from '../pages/logout.tsx'
import { NotFoundPage } from '../pages/not-found.tsx'
import { choosePage, findPage, pageBefore, pageTitle } from '../routes.ts'
import { Spinner } from '../ui/loading.tsx'
import { BootProvider, useAddress, useBoot, useHere } from './boot.tsx'
import { type PageModules, PageModulesProvider, Screen } from './page-modules.tsx'
import { useLayout, usePlatform } from './platform.ts'
import { ReactionProvider, useReactions } from './reaction-dispatcher.tsx'

/** The experience: drawn by the server and taken over by the browser, from the same boot data. */
export function App({ boot, pages }: { boot: BootData; pages: PageModules }) {
  return (
    <Router ssrPath={boot.path} ssrSearch={boot.search}>
      <PageModulesProvider value={pages}>
        <PageContext boot={boot}>
          <ReactionProvider pageBefore={pageBefore} pageAt={pageAt}>
            <CurrentPage />
          </ReactionProvider>
        </PageContext>
      </PageModulesProvider>
    </Router>
  )
}

const pageAt = (path: string) => findPage(path)?.page ?? null

/** What the server had to say about the first page is over as soon as the visitor has left it; the end of the interaction is not. */
function PageContext({ boot, children }: { boot: BootData; children: ReactNode }) {
  const [path] = useLocation()
  const [hasMoved, setMoved] = useState(false)
  if (path !== boot.path && !hasMoved) setMoved(true)
  const current = useMemo(() => (hasMoved ? elsewhere(boot) : boot), [boot, hasMoved])
  return <BootProvider value={current}>{children}</BootProvider>
}

const elsewhere = (boot: BootData): BootData => ({
  ...boot,
  notice: null,
  values: {},
  step: boot.step && { ...boot.step, told: undefined },
  error: boot.error && isOver(boot.error) ? boot.error : null,
  logout: null,
})

function CurrentPage() {
  const boot = useBoot()
  const { path, step } = useHere()
  const { ended, externalRedirect } = useReactions()
  const address = useAddress()
  useLayout()
  useArrival()

  if (ended) return shell(<StartAgain message={ended} />)
  if (externalRedirect) return shell(<ExternalRedirectPage url={externalRedirect} />)
  if (boot.error) return shell(<ErrorPage error={boot.error} />)
  if (boot.logout) return shell(<LogoutPage logout={boot.logout} />)

  const choice = choosePage(path, { experience: boot.experience, step })
  switch (choice.kind) {
    case 'page': {
      const { page, kind } = choice.row
      return (
        <Shell kind={kind}>
          <Screen key={path} name={page} waiting={<Spinner />} />
        </Shell>
      )
    }
    case 'redirect':
      return <Redirect to={address(choice.path)} replace />
    case 'stepMissing':
      return shell(<StepMissing />)
    case 'notFound':
      return shell(<NotFoundPage />)
  }
}

const shell = (page: ReactNode) => <Shell kind="step">{page}</Shell>

/** Where a typist goes on. */
const FIRST_FIELD = 'main input:not([type=hidden], [type=checkbox], [aria-hidden])'

/** A page reached without a load needs its title (product 2), and the focus where a reader and a typist go on. */
function useArrival(): void {
  const boot = useBoot()
  const { path, step } = useHere()
  const platform = usePlatform()
  const last = useRef<string | null>(null)

  useEffect(() => {
    const isLoad = last.current === null
    if (last.current === path) return
    last.current = path
    if (isLoad && document.activeElement !== document.body) return
    if (!isLoad) document.title = pageTitle({ ...boot, path, step })

    // On a phone the focus brings up the keyboard, which covers what the page says first.
    const field = platform === 'web' ? document.querySelector<HTMLElement>(FIRST_FIELD) : null
    const heading = isLoad ? null : document.querySelector<HTMLElement>('h1')
    ;(field ?? heading)?.focus()
  }, [boot, path, step, platform])
}
