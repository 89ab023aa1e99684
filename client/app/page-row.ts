import type { Experience } from '../../src/contract/experience/experience.ts'
import type { Identifier } from '../../src/contract/interactions/identifiers.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import type { PhraseKey } from '../context/phrases.ts'
import type { PageKind } from '../layout/frame.tsx'
import type { LoadPage } from './loaded-pages.tsx'

type AllJourneys = typeof import('../journeys/all.ts')['formJourneys']

export type PageRow = {
  /** The last part is a parameter where it begins with a colon. */
  path: string
  /** The name of its file in `pages/`, under which the build lists the modules that it needs. */
  page: string
  load: LoadPage
  /** What its forms do, by intent: run in the browser, and on the server for forms that were posted without script. Its `own` come with its module. */
  journeys?: keyof AllJourneys | 'own'
  kind: PageKind
  /** Of the document (spec/pages#titles). */
  title: PhraseKey | ((navigation: NavigationState | null) => PhraseKey)
  /** What a request must bring: an interaction, or also what the page before it learned (spec/pages#guard). */
  needs: 'nothing' | 'interaction' | 'navigation'
  /** The path of the page before this one. */
  back?: string | ((navigation: NavigationState | null) => string)
  /** The paths that most users go to from here: their pages are loaded ahead. */
  next?: readonly string[]
  /** False where the operator's settings leave the page nothing to do. */
  isOffered?: (experience: Experience) => boolean
  /** False where the settings do not allow the page for this identifier. */
  suits?: (identifier: Identifier, experience: Experience) => boolean
  /** The path to which the operator's settings redirect this page. */
  instead?: (experience: Experience) => string | null
}
