/**
 * Replaces `downshift` in the Worker bundle (scripts/worker-bundle.mjs), because the list of calling codes is
 * rendered only in browsers.
 */
export function useCombobox(): never {
  throw new Error('only browsers render the list of calling codes')
}
