import type { Step } from '../src/contract/interaction.ts'

/**
 * What a page does about an answer, as a value (style 8). Journeys return one; the browser performs it with
 * history and dialogs, the server performs it with redirects and the page drawn again (design 3).
 */
export type Reaction =
  /** On to another page of the experience. `step` is what that page needs to know (decision 7). */
  | { kind: 'goTo'; path: string; step?: Step; replace?: boolean }
  /**
   * Out of the experience: back to the provider, and through it to the application. `replace` is for a page that only
   * passes by: whoever goes back must not come upon it.
   */
  | { kind: 'leave'; url: string; replace?: boolean }
  /** Said at a field, or above the form when `field` is null. */
  | { kind: 'inline'; field: string | null; message: string }
  | { kind: 'toast'; message: string }
  /** Must be acknowledged; then `back` pages back. */
  | { kind: 'alert'; message: string; back: number }
  /** The interaction is over: offer to begin again (decision 6). */
  | { kind: 'restart'; message: string }
