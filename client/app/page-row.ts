import type { Experience } from '../../src/contract/experience/experience.ts'
import type { Identifier } from '../../src/contract/interactions/identifiers.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import type { PhraseKey } from '../context/phrases.ts'
import type { PageKind } from '../layout/frame.tsx'
import type { LoadPage } from './loaded-pages.tsx'

type AllJourneys = typeof import('../journeys/all.ts')['formJourneys']

export type PageRow = {
  /** The path. If its last segment begins with a colon, the segment is a parameter. */
  path: string
  /** The name of the page's file in `pages/`, under which the build manifest lists the modules that it needs. */
  page: string
  load: LoadPage
  /**
   * The journeys of the page's forms, by intent. They run in the browser, or on the server if a form was posted
   * without JavaScript. `own` means that the page's module contains them.
   */
  journeys?: keyof AllJourneys | 'own'
  kind: PageKind
  /** The heading of the page, if its path does not determine the title (spec/pages#titles). */
  heading?: PhraseKey | ((search: string) => PhraseKey)
  /**
   * The state that the page requires: an interaction, and possibly the navigation state of the previous page
   * (spec/pages#guard).
   */
  needs: 'nothing' | 'interaction' | 'navigation'
  /** The path of the previous page. */
  back?: string | ((navigation: NavigationState | null) => string)
  /** The paths that most users visit next. Their pages are preloaded. */
  next?: readonly string[]
  /** Returns false if the operator's settings disable the page. */
  isOffered?: (experience: Experience) => boolean
  /** Returns false if the settings do not allow this identifier on the page. */
  allowsIdentifier?: (identifier: Identifier, experience: Experience) => boolean
  /** Returns the path to which the operator's settings redirect this page, or null if they do not. */
  redirectTo?: (experience: Experience) => string | null
}
