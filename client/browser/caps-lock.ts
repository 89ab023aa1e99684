/**
 * Warns that Caps Lock is on while a password field has focus, in a space reserved for the message
 * (spec/pages#password-fields). It listens on the whole document, so that pages need not wait for it.
 */
export function watchCapsLock(): void {
  for (const type of ['keydown', 'keyup', 'click']) document.addEventListener(type, follow)
  document.addEventListener('focusout', ({ target }) => say(target, false))
}

function follow(event: Event): void {
  // When a password manager fills in a field, the browser may dispatch a key event that has no modifiers.
  if (!(event instanceof KeyboardEvent || event instanceof MouseEvent)) return
  say(event.target, event.getModifierState('CapsLock'))
}

function say(target: EventTarget | null, isOn: boolean): void {
  if (!(target instanceof HTMLInputElement)) return
  const place = target.closest('.field')?.querySelector<HTMLElement>('[data-caps-lock]')
  const text = (isOn && place?.dataset.capsLock) || ''
  // Screen readers announce every assignment, so assign only when the text changes.
  if (place && place.textContent !== text) place.textContent = text
}
