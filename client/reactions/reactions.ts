import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { FlashMessage, NavigationState } from '../../src/contract/interactions/interaction.ts'
import type { InteractionApi } from '../api/api.ts'

/** The values of a form, by field name. */
export type FormValues = Readonly<Record<string, string>>

/**
 * How a page reacts to a response, as a value (spec/pages#reactions). Journeys return one. The browser performs it with
 * the history and dialogs, the server with redirects and by rendering the page again.
 */
export type Reaction =
  /**
   * Goes to another page of the experience. `navigation` is what that page needs to know, `flash` says what was done,
   * and `message` what went wrong. The path may have its own query.
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
   * Leaves the experience for the provider, and through it for the application. `replace` is for a page that continues
   * by itself, which the back button must not reach. `connectorId` is set on the way to a social provider.
   */
  | { kind: 'leave'; url: string; replace?: boolean; connectorId?: string }
  /**
   * Shows a message at a field, or above the main form if `field` is null, until the next attempt. Fields whose names
   * begin with `clears` are emptied. `canRepeat` is set if the same form may succeed the next time: the message then
   * has a button that sends it again.
   */
  | { kind: 'inline'; field: string | null; message: string; clears?: string; canRepeat?: true }
  /**
   * Shows a message, and goes back by `back` pages when it is closed. `button` says what the user goes back for,
   * instead of "Got it".
   */
  | { kind: 'alert'; message: string; back: number; button?: string }
  /**
   * Asks a question. Yes runs the journey of this page with `intent`; no goes back by `back` pages, or stays if that is
   * 0. If it is `about` the terms, the message has a placeholder for their links.
   */
  | { kind: 'confirm'; message: string; yes: string; intent: string; back: number; about?: 'terms' }
  /** The interaction is over, and the page offers to start again (spec/pages#start-again). */
  | { kind: 'restart'; message: string }

export type InlineMessage = Extract<Reaction, { kind: 'inline' }>

/** Returns a message above the form, for an error that belongs to no field or to one that is not on the page. */
export const messageAboveForm = (message: string): InlineMessage => ({ kind: 'inline', field: null, message })

/** Moves a message above the form, for a page that does not show its field. */
export const withoutField = (reaction: Reaction): Reaction =>
  reaction.kind === 'inline' ? { ...reaction, field: null } : reaction

/**
 * What happens when a form is submitted: calls, then a reaction. It runs in the browser, or on the server for a form
 * that was posted without script (spec/pages#forms-without-script). `boot.path`, `boot.navigation` and `boot.search`
 * are those of its page.
 */
export type FormJourney = (input: {
  api: InteractionApi
  form: FormValues
  boot: BootData
}) => Promise<Reaction>

/** Journeys by the intent of their form. */
export type Journeys = { readonly [intent: string]: FormJourney }

/** The journeys of one page. `send` belongs to the main form, which names no intent. */
export type PageJourneys = Journeys & { readonly send: FormJourney }
