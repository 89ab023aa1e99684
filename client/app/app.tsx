import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { updateTitleAndFocus } from '../browser/arrival.ts'
import { BootProvider, useBoot, useCurrentPage, useInteractionPath } from '../context/boot.tsx'
import { endsInteraction } from '../context/boot-error.ts'
import { MissingPageContext } from '../context/missing-page.ts'
import type { PhraseKey } from '../context/phrases.ts'
import { useLayoutClass, usePlatform } from '../context/platform.ts'
import { type PageKind, Shell } from '../layout/frame.tsx'
import { ReactionProvider, useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import type { PageTable } from '../reactions/reaction-effects.ts'
import { Spinner, useIsLongerThan } from '../ui/loading.tsx'
import { findJourney } from './find-journey.ts'
import { hasOpenDialog, LazyDialog, loadDialog } from './late-dialog.tsx'
import { LoadedPage, type LoadPage, loadPage } from './loaded-pages.tsx'
import { choosePage, ENDING, findPageToShow, findPreviousPath } from './page-choice.ts'
import { pageTitle } from './page-title.ts'
import { findPage } from './routes.ts'

/** Loads the page that is shown when the interaction cannot continue. */
const loadEnding: LoadPage = () => import('../pages/ending.tsx')

/** The time for which the browser may take to leave a finished sign-in before a page says where it goes. */
const HAND_OVER_MS = 1000 // spec/limits#page-timings

const table: PageTable = {
  findJourney,
  previousPath: findPreviousPath,
  load: loadPageAt,
  loadEnding: () => loadPage(loadEnding),
  loadDialog,
  Dialog: LazyDialog,
}

/** The sign-in experience, rendered by the server and hydrated by the browser from the same boot data. */
export function App({ boot }: { boot: BootData }) {
  return (
    <Router ssrPath={boot.path} ssrSearch={boot.search}>
      <PageContext boot={boot}>
        <ReactionProvider table={table}>
          <CurrentPage />
        </ReactionProvider>
      </PageContext>
    </Router>
  )
}

/** Loads the modules that are needed to render a document. */
export async function loadDocument(boot: BootData): Promise<void> {
  await Promise.all([
    loadPage(findPageToShow(boot)?.load ?? loadEnding),
    hasOpenDialog(boot.notice) && loadDialog(),
  ])
}

/**
 * Loads the module of the page at a path, so that the browser can navigate there without loading a document. Does
 * nothing if no page has this path.
 */
export async function loadPageAt(path: string): Promise<void> {
  const row = findPage(path)
  if (row) await loadPage(row.load)
}

/**
 * Provides the boot data. Notices, form values and errors from the server disappear when the user leaves the
 * first page, except for an error that ended the interaction.
 */
function PageContext({ boot, children }: { boot: BootData; children: ReactNode }) {
  const [path] = useLocation()
  const [hasMoved, setMoved] = useState(false)
  if (path !== boot.path && !hasMoved) setMoved(true)
  const current = useMemo(() => (hasMoved ? withoutNotices(boot) : boot), [boot, hasMoved])
  return <BootProvider value={current}>{children}</BootProvider>
}

const withoutNotices = (boot: BootData): BootData => ({
  ...boot,
  notice: null,
  values: {},
  navigation: boot.navigation && { ...boot.navigation, flash: undefined },
  error: boot.error && endsInteraction(boot.error) ? boot.error : null,
  logout: null,
  consent: null,
})

function CurrentPage() {
  const boot = useBoot()
  const { path, navigation } = useCurrentPage()
  const { ended, externalRedirect, running } = useReactionDispatcher()
  const isHandedOver = useIsLongerThan(HAND_OVER_MS, running?.isDone) || externalRedirect
  const address = useInteractionPath()
  useLayoutClass()
  const arrive = useArrival(
    ended ? 'vestibule.expired_title' : isHandedOver ? 'vestibule.consent_title' : null,
  )

  const pageOf = (key: string, load: LoadPage, kind: PageKind) => (
    <Shell kind={kind}>
      <LoadedPage key={key} load={load} waiting={<Spinner />} onLate={arrive} />
    </Shell>
  )
  const ending = pageOf(ENDING, loadEnding, 'step')
  if (ended || isHandedOver || boot.error || boot.logout || boot.alreadySignedIn) return ending

  const choice = choosePage(path, { experience: boot.experience, navigation })
  switch (choice.kind) {
    case 'page':
      return pageOf(path, choice.row.load, boot.consent ? 'question' : choice.row.kind)
    case 'redirect':
      return <Redirect to={address(choice.path)} replace />
    case 'navigationMissing':
    case 'notFound':
      return <MissingPageContext value={choice.kind}>{ending}</MissingPageContext>
  }
}

/**
 * Updates the title and the focus when the content changes without a page load: when the user navigates to another
 * path, or when content with the title `override` replaces the page. Returns a function that repeats the update after
 * a lazily loaded page has been rendered.
 */
function useArrival(override: PhraseKey | null): () => void {
  const boot = useBoot()
  const { path, navigation } = useCurrentPage()
  const platform = usePlatform()
  const content = override ?? path
  const last = useRef<string | null>(null)

  const arrive = useEffectEvent((isLoad: boolean) =>
    updateTitleAndFocus({
      isLoad,
      title: pageTitle({ ...boot, path, navigation, notice: null }, override),
      // On a phone, focusing a field opens the keyboard, which would cover the top of the page.
      focusesField: platform === 'web',
    }),
  )
  useEffect(() => {
    if (last.current === content) return
    arrive(last.current === null)
    last.current = content
  }, [content])
  return () => arrive(false)
}
