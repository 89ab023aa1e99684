/**
 * Says at a password field that Caps Lock is on, while the field has the focus: in the place that the page keeps for it
 * (spec/pages#password-fields). For all password fields of the document, so that the pages need not wait for it.
 */
export function watchCapsLock(): void {
  for (const type of ['keydown', 'keyup', 'click']) document.addEventListener(type, follow)
  document.addEventListener('focusout', ({ target }) => say(target, false))
}

function follow(event: Event): void {
  // What a password manager fills in is reported as a key without modifiers.
  if (!(event instanceof KeyboardEvent || event instanceof MouseEvent)) return
  say(event.target, event.getModifierState('CapsLock'))
}

function say(target: EventTarget | null, isOn: boolean): void {
  if (!(target instanceof HTMLInputElement)) return
  const place = target.closest('.field')?.querySelector<HTMLElement>('[data-caps-lock]')
  const text = (isOn && place?.dataset.capsLock) || ''
  // Only a change is announced.
  if (place && place.textContent !== text) place.textContent = text
}
