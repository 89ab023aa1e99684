import type { PageJourneys, PlacedJourney } from '../reactions/reactions.ts'
import { loadPage } from './loaded-pages.tsx'
import { findPageToShow } from './page-choice.ts'
import type { PageRow } from './page-row.ts'
import { findPage } from './routes.ts'

/**
 * Loads the journeys of a page. Most journeys are small and share much of their code, so they are all loaded at the
 * first call. Rarely used journeys are part of their page's module.
 */
export async function loadJourneys(row: PageRow | null): Promise<PageJourneys | null> {
  if (!row?.journeys) return null
  if (row.journeys === 'own') return (await loadPage(row.load)).journeys ?? null
  return (await import('../journeys/all.ts')).formJourneys[row.journeys]
}

/**
 * Finds the journey for a form by the path of its page and by the form's intent. Returns null if no page has such
 * a form.
 */
export async function findJourney(path: string, intent: string): Promise<PlacedJourney | null> {
  const row = findPage(path)
  const journeys = await loadJourneys(row)
  const journey = journeys && Object.hasOwn(journeys, intent) && journeys[intent]
  if (!row || !journey) return null
  return async (input) => {
    const reaction = await journey(input)
    if (reaction.kind !== 'inline') return reaction
    const { about, ...message } = reaction
    if (about === null) return { ...message, field: null }
    // Nobody would see the message of a field that this form does not have (spec/errors#reactions).
    const { fields } = await loadPage(row.load)
    const drawn = findPageToShow(input.boot) && fields?.(input.boot)[intent]
    return { ...message, field: drawn?.includes(about) ? about : null }
  }
}
