import type { Api } from '../api.ts'
import { type ReactionTable, react, type Speaking } from '../reaction-table.ts'
import type { Reaction } from '../reactions.ts'

/** The end of most journeys: what was gathered is judged, and the way leads out. */
export async function submit(api: Api, speaking: Speaking, rows?: ReactionTable): Promise<Reaction> {
  const submitted = await api.submit()
  if (!submitted.ok) return react(submitted.error, speaking, rows)
  return submitted.value
    ? { kind: 'leave', url: submitted.value.redirectTo }
    : { kind: 'goTo', path: '/sign-in', replace: true }
}
