/**
 * In the Worker's place of `downshift` (wrangler.toml): the list of calling codes is loaded by browsers alone, when a
 * visitor opens it, so the server need not carry it.
 */
export function useCombobox(): never {
  throw new Error('the list of calling codes is drawn by browsers alone')
}
