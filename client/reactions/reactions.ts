import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { FlashMessage, NavigationState } from '../../src/contract/interactions/interaction.ts'
import type { InteractionApi } from '../api/api.ts'

/** What a form holds, by the name of its field. */
export type FormValues = Readonly<Record<string, string>>

/**
 * What a page does about an answer, as a value (spec/pages#reactions). Journeys return one; the browser performs it with the history
 * and dialogs, the server with redirects and by rendering the page again.
 */
export type Reaction =
  /**
   * To another page of the experience. `navigation` is what that page needs to know, `flash` what it shows about what was done,
   * `message` what went wrong. The path may have a query of its own.
   */
  | {
      kind: 'goTo'
      path: string
      navigation?: NavigationState
      flash?: FlashMessage
      replace?: boolean
      message?: string
    }
  /**
   * Out of the experience: to the provider, and through it to the application. `replace` is for a page that only passes by, and
   * that the back button must not reach. `connectorId` is set on the way to a social provider.
   */
  | { kind: 'leave'; url: string; replace?: boolean; connectorId?: string }
  /**
   * A message at a field, or above the main form when `field` is null. It stays until the next try. Fields whose names begin with
   * `clears` are emptied. `canRepeat` where the same form may succeed the next time: the message has a button that sends it again.
   */
  | { kind: 'inline'; field: string | null; message: string; clears?: string; canRepeat?: true }
  /** A message to be closed, then `back` pages back. `button` names what the user goes back for, in place of "Got it". */
  | { kind: 'alert'; message: string; back: number; button?: string }
  /**
   * Yes runs the journey of this page with this intent; no leads `back` pages back, 0 stays. `about` the terms, the message has a
   * place for their links.
   */
  | { kind: 'confirm'; message: string; yes: string; intent: string; back: number; about?: 'terms' }
  /** The interaction is over: the page offers to start again (spec/pages#start-again). */
  | { kind: 'restart'; message: string }

export type InlineMessage = Extract<Reaction, { kind: 'inline' }>

/** Above the form: where no field has the message, or none is on the page. */
export const aboveForm = (message: string): InlineMessage => ({ kind: 'inline', field: null, message })

/** The same reaction where no form shows the field of a message. */
export const withoutField = (reaction: Reaction): Reaction =>
  reaction.kind === 'inline' ? { ...reaction, field: null } : reaction

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
