import type { FlashMessage, NavigationState } from '../../src/contract/interaction.ts'

/** What a form holds, by the name of its field. */
export type FormValues = Readonly<Record<string, string>>

/**
 * What a page does about an answer, as a value (style 8). Journeys return one; the browser performs it with
 * history and dialogs, the server performs it with redirects and the page drawn again (design 3).
 */
export type Reaction =
  /**
   * On to another page of the experience. `step` is what that page needs to know (decision 7), `flash` what it says
   * about what was done, `message` what went wrong. The path may have a query of its own.
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
   * Out of the experience: back to the provider, and through it to the application. `replace` is for a page that only
   * passes by: whoever goes back must not come upon it. `connectorId` is for the way to a social provider.
   */
  | { kind: 'leave'; url: string; replace?: boolean; connectorId?: string }
  /** Said at a field, or above the form when `field` is null. `clears` names fields that are emptied, by how they begin. */
  | { kind: 'inline'; field: string | null; message: string; clears?: string }
  /** Stays on the page. */
  | { kind: 'toast'; message: string; clears?: string }
  /** Must be acknowledged; then `back` pages back. `button` says what one goes back for, instead of "Got it". */
  | { kind: 'alert'; message: string; back: number; button?: string }
  /**
   * Yes goes on with the journey of this page that has this intent; no leads `back` pages back, 0 stays. `about` the
   * terms, the message has a place for their links.
   */
  | { kind: 'confirm'; message: string; yes: string; intent: string; back: number; about?: 'terms' }
  /** The interaction is over: offer to begin again (decision 6). */
  | { kind: 'restart'; message: string }

/** A reaction that the form itself shows. */
export type FormResult = Extract<Reaction, { kind: 'inline' | 'toast' }>

export const formResult = (reaction: Reaction | null): FormResult | null =>
  reaction?.kind === 'inline' || reaction?.kind === 'toast' ? reaction : null
