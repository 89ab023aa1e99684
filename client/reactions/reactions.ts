import type { BootData, FieldName } from '../../src/contract/interactions/boot.ts'
import type {
  FlashMessage,
  MessageTone,
  NavigationState,
} from '../../src/contract/interactions/interaction.ts'
import type { InteractionApi } from '../api/api.ts'

/** The values of a form, by field name. */
export type FormValues = Readonly<Record<string, string>>

/**
 * A page's reaction to a response, represented as data (spec/pages#reactions). Journeys return a reaction. Before the
 * browser or the server can perform it, `findJourney` turns it into a `PlacedReaction`.
 */
export type Reaction =
  | DirectReaction
  /** Shows a message about a field or, if `about` is null, about the whole form. */
  | (Message & { about: FieldName | null })

/**
 * A reaction whose message has a place on its page. The browser performs it with the history and dialogs, the server
 * with redirects and by rendering the page again.
 */
export type PlacedReaction =
  | DirectReaction
  /** Shows the message next to a field that the form draws or, if `field` is null, above the main form. */
  | (Message & { field: FieldName | null })

/**
 * A message that is shown until the next attempt. Fields whose names begin with `clears` are cleared. If `canRepeat` is
 * set, submitting the same form again may succeed, so the message has a retry button. If `hasToast` is set, a toast
 * shows the message, too. `tone` says how a message looks that is no error.
 */
type Message = {
  kind: 'inline'
  message: string
  clears?: string
  canRepeat?: true
  hasToast?: true
  tone?: MessageTone | undefined
}

/** The reactions whose place does not depend on the page's fields. */
type DirectReaction =
  /**
   * Goes to another page of the sign-in experience. `navigation` contains the data that the next page needs, `flash` is
   * a confirmation of what was done, and `message` is an error, which is also a toast if `hasToast` is set. `tone` is
   * that of the message. `isSibling` is
   * set for another way to sign in (spec/pages#history). The path may contain a query.
   */
  | {
      kind: 'goTo'
      path: string
      navigation?: NavigationState
      flash?: FlashMessage
      replace?: boolean
      isSibling?: true
      message?: string
      tone?: MessageTone | undefined
      hasToast?: true
    }
  /**
   * Leaves the sign-in pages, usually for the OpenID Provider, which then redirects to the application. Pages that
   * continue automatically set `replace`, so that the back button skips them. `connectorId` and `state` are set for a
   * redirect to a social provider. `done` is a confirmation that the page may show until the browser has left.
   */
  | {
      kind: 'leave'
      url: string
      replace?: boolean
      connectorId?: string
      state?: string
      done?: string | undefined
    }
  /**
   * Shows a message, and goes back when it is closed: by `back` pages, or to the page with this path. If there
   * are not that many pages to go back, the interaction starts again. `button` is a label that replaces "Got it",
   * for example to name what the user goes back to change.
   */
  | { kind: 'alert'; message: string; back: number | string; button?: string }
  /**
   * Asks for confirmation. If the user confirms, the page's journey with this `intent` runs; otherwise, the page
   * goes back by `back` pages, or stays if that is 0. If `about` is `terms`, the message has a placeholder for
   * links to the terms.
   */
  | { kind: 'confirm'; message: string; yes: string; intent: string; back: number; about?: 'terms' }
  /** The interaction is over, and the page offers to start again (spec/pages#start-again). */
  | { kind: 'restart'; message: string }

type InlineMessage = Extract<Reaction, { kind: 'inline' }>

/** Returns a message above the form, for an error that concerns no field on the page. */
export const messageAboveForm = (message: string): InlineMessage => ({ kind: 'inline', about: null, message })

/** Returns a message for an error that no page expects (spec/errors#handling). */
export const unexpectedMessage = (message: string): InlineMessage => ({
  ...messageAboveForm(message),
  hasToast: true,
})

/**
 * Handles a submitted form: makes calls and returns a reaction. It runs in the browser, or on the server for a
 * form that was posted without JavaScript (spec/pages#forms-without-script). `boot.path`, `boot.navigation` and
 * `boot.search` are those of the form's page.
 */
export type FormJourney = (input: JourneyInput) => Promise<Reaction>

type JourneyInput = { api: InteractionApi; form: FormValues; boot: BootData }

/** A journey of a certain page, which knows the fields of its form. */
export type PlacedJourney = (input: JourneyInput) => Promise<PlacedReaction>

/** Journeys by the intent of their forms. */
export type Journeys = { readonly [intent: string]: FormJourney }

/** The journeys of one page. `send` belongs to the main form, which has no intent field. */
export type PageJourneys = Journeys & { readonly send: FormJourney }

/**
 * Returns the fields that a page draws, by the intent of their form. Only these can have a message next to them.
 * Every page with fields exports this function as `fields`.
 */
export type PageFields = (boot: BootData) => { readonly [intent: string]: readonly FieldName[] | undefined }
