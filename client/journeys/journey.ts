import type { BootData } from '../../src/contract/boot.ts'
import type { Api } from './api.ts'
import type { FormValues, Reaction } from './reactions.ts'

/**
 * What happens when a form is sent. Run in the browser by the form itself, and on the server for a form that was
 * posted without JavaScript (design 3). `boot.path`, `boot.step` and `boot.search` are those of the page that sends.
 */
export type FormJourney = (input: { api: Api; form: FormValues; boot: BootData }) => Promise<Reaction>

/** By the intent of a form. */
export type Journeys = { readonly [intent: string]: FormJourney }

/** The forms of one page. `send` is the main one, whose form names no intent. */
export type PageJourneys = Journeys & { readonly send: FormJourney }
