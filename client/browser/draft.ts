const KEY = 'draft'

/** Finds the identifier field. Its text is kept when the user changes the language. Passwords are never stored. */
const field = () => document.querySelector<HTMLInputElement>('main input[name=identifier]')

/** Stores the text of the field for the next load of this page in this tab. */
export function saveDraft(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([location.pathname, field()?.value ?? '']))
  } catch {
    // If storage is blocked, the user has to type the text again.
  }
}

/** Restores the text of the field once, as if the user had typed it. */
export function restoreDraft(): void {
  const text = takeDraft()
  const input = field()
  if (!text || !input || input.value) return
  // React overrides the `value` setter of the input itself, so call the prototype's setter and dispatch the event
  // that React listens for.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function takeDraft(): string | null {
  try {
    const stored = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    const [path, text]: string[] = JSON.parse(stored ?? '[]')
    return path === location.pathname ? (text ?? null) : null
  } catch {
    return null
  }
}
