/**
 * Takes the place of `downshift` in the Worker (scripts/worker-bundle.mjs): browsers alone load the list of calling codes, when a user opens
 * it.
 */
export function useCombobox(): never {
  throw new Error('the list of calling codes is rendered by browsers alone')
}
