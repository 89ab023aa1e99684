import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import type { PageRow } from './page-row.ts'
import { findPage } from './routes.ts'

/** The journeys of all pages come together, with the first call: they are small, and share most of what they need. Those that few users need come with their page. */
export async function loadJourneys(row: PageRow | null): Promise<PageJourneys | null> {
  if (!row?.journeys) return null
  if (row.journeys === 'own') return (await row.load()).journeys ?? null
  return (await import('../journeys/all.ts')).formJourneys[row.journeys]
}

/** What a form does, by the path of its page and its intent. Null for a form that no page has. */
export async function findJourney(path: string, intent: string): Promise<FormJourney | null> {
  const journeys = await loadJourneys(findPage(path))
  return (journeys && Object.hasOwn(journeys, intent) && journeys[intent]) || null
}
