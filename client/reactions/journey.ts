import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { InteractionApi } from '../api/api.ts'
import type { FormValues, Reaction } from './reactions.ts'

/**
 * What happens when a form is submitted: calls, then a reaction. Runs in the browser, and on the server for a form that was posted
 * without script (spec/pages#forms-without-script). `boot.path`, `boot.navigation` and `boot.search` are those of its page.
 */
export type FormJourney = (input: {
  api: InteractionApi
  form: FormValues
  boot: BootData
}) => Promise<Reaction>

/** By the intent of the form. */
export type Journeys = { readonly [intent: string]: FormJourney }

/** The forms of one page. `send` is that of the main form, which names no intent. */
export type PageJourneys = Journeys & { readonly send: FormJourney }
