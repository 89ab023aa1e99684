import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import type { PageRow } from './page-row.ts'
import { findPage } from './routes.ts'

/**
 * Loads the journeys of a page. Most are small and share much of their code, so they arrive together with the first
 * call. Those that few users need are part of their page.
 */
export async function loadJourneys(row: PageRow | null): Promise<PageJourneys | null> {
  if (!row?.journeys) return null
  if (row.journeys === 'own') return (await row.load()).journeys ?? null
  return (await import('../journeys/all.ts')).formJourneys[row.journeys]
}

/** Finds what a form does by the path of its page and by its intent. Returns null for a form that no page has. */
export async function findJourney(path: string, intent: string): Promise<FormJourney | null> {
  const journeys = await loadJourneys(findPage(path))
  return (journeys && Object.hasOwn(journeys, intent) && journeys[intent]) || null
}
