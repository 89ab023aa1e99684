import type { Experience } from '../../src/contract/experience/experience.ts'
import type { Identifier } from '../../src/contract/interactions/identifiers.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import type { PhraseKey } from '../context/phrases.ts'
import type { PageKind } from '../layout/frame.tsx'
import type { LoadPage } from './loaded-pages.tsx'

type AllJourneys = typeof import('../journeys/all.ts')['formJourneys']

export type PageRow = {
  /** The path. Its last segment is a parameter if it begins with a colon. */
  path: string
  /** The name of the page's file in `pages/`, under which the build lists the modules that it needs. */
  page: string
  load: LoadPage
  /**
   * What the page's forms do, by intent. Journeys run in the browser, or on the server for forms that were posted
   * without script. `own` journeys are part of the page's module.
   */
  journeys?: keyof AllJourneys | 'own'
  kind: PageKind
  /** The title of the document (spec/pages#titles). */
  title: PhraseKey | ((navigation: NavigationState | null) => PhraseKey)
  /** What a request must bring: an interaction, or also what the previous page has learned (spec/pages#guard). */
  needs: 'nothing' | 'interaction' | 'navigation'
  /** The path of the page before this one. */
  back?: string | ((navigation: NavigationState | null) => string)
  /** The paths to which most users go next. Their pages are loaded ahead. */
  next?: readonly string[]
  /** Returns false if the operator's settings leave the page nothing to do. */
  isOffered?: (experience: Experience) => boolean
  /** Returns false if the settings do not allow the page for this identifier. */
  allowsIdentifier?: (identifier: Identifier, experience: Experience) => boolean
  /** Returns the path to which the operator's settings redirect this page, or null. */
  redirectTo?: (experience: Experience) => string | null
}
