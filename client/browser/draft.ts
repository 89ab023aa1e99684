const KEY = 'draft'

/** Finds the identifier field, whose text survives a change of the language. Passwords are never stored. */
const field = () => document.querySelector<HTMLInputElement>('main input[name=identifier]')

/** Stores the text for the next load of this page in this tab. */
export function saveDraft(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([location.pathname, field()?.value ?? '']))
  } catch {
    // If storage is blocked, the user types it again.
  }
}

/** Restores the text once, as if it had been typed. */
export function restoreDraft(): void {
  const text = takeDraft()
  const input = field()
  if (!text || !input || input.value) return
  // React overrides the property on the input itself, and listens for the event.
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
