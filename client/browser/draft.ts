const KEY = 'typed'

/** What somebody has typed to say who they are, and never a password: it outlives the change of language. */
const field = () => document.querySelector<HTMLInputElement>('main input[name=identifier]')

/** Remembers it for the next load of this page in this tab. */
export function keepDraft(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([location.pathname, field()?.value ?? '']))
  } catch {
    // Storage may be forbidden; then it has to be typed again.
  }
}

/** Puts it back, once, as if it were typed. */
export function restoreDraft(): void {
  const text = taken()
  const input = field()
  if (!text || !input || input.value) return
  // React listens to what is typed, not to what is set on the input itself.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function taken(): string | null {
  try {
    const kept = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    const [path, text]: string[] = JSON.parse(kept ?? '[]')
    return path === location.pathname ? (text ?? null) : null
  } catch {
    return null
  }
}
