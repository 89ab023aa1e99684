const KEY = 'draft'

/** The identifier, which a change of the language keeps. Never a password. */
const field = () => document.querySelector<HTMLInputElement>('main input[name=identifier]')

/** Keeps it for the next load of this page in this tab. */
export function keepDraft(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([location.pathname, field()?.value ?? '']))
  } catch {
    // Storage may be forbidden; then the user types it again.
  }
}

/** Restores it once, as if it were typed. */
export function restoreDraft(): void {
  const text = takeDraft()
  const input = field()
  if (!text || !input || input.value) return
  // React overrides the property on the input itself, and listens to the event.
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
