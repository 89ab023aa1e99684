/**
 * Replaces `downshift` in the Worker (scripts/worker-bundle.mjs): only browsers load the list of calling codes, when a
 * user opens it.
 */
export function useCombobox(): never {
  throw new Error('only browsers render the list of calling codes')
}
