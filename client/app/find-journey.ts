import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import type { PageRow } from './page-row.ts'
import { findPage } from './routes.ts'

/**
 * Loads the journeys of a page. Most journeys are small and share much of their code, so they are all loaded at the
 * first call. Rarely used journeys are part of their page's module.
 */
export async function loadJourneys(row: PageRow | null): Promise<PageJourneys | null> {
  if (!row?.journeys) return null
  if (row.journeys === 'own') return (await row.load()).journeys ?? null
  return (await import('../journeys/all.ts')).formJourneys[row.journeys]
}

/**
 * Finds the journey for a form by the path of its page and by the form's intent. Returns null if no page has such
 * a form.
 */
export async function findJourney(path: string, intent: string): Promise<FormJourney | null> {
  const journeys = await loadJourneys(findPage(path))
  return (journeys && Object.hasOwn(journeys, intent) && journeys[intent]) || null
}
