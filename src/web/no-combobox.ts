/**
 * Replaces `downshift` in the Worker bundle (scripts/worker-bundle.mjs). The list of calling codes, which uses it, is
 * rendered only in browsers.
 */
export function useCombobox(): never {
  throw new Error('only browsers render the list of calling codes')
}
