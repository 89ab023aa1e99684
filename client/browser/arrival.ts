import { slideIn } from './motion.ts'

/** Matches the field that receives focus on a device with a keyboard. */
const FIRST_FIELD = 'main input:not([type=hidden], [type=checkbox], [aria-hidden])'
/**
 * Matches the first box of a code input. Phones offer the code from a text message above the keyboard once a box is
 * focused. A page with a QR code has to be read first.
 */
const FIRST_DIGIT = 'main:not(:has(.qr)) .code-box'

/**
 * Updates the title (spec/pages#titles) and the focus after content has changed without a page load. Screen readers
 * announce the focused element (and, for a field, the name of its form), so no other announcement is needed. After a
 * page load, the title is already correct. If the user is already typing, the focus stays where it is.
 */
export function updateTitleAndFocus({
  isLoad,
  title,
  focusesField,
}: {
  isLoad: boolean
  title: string
  focusesField: boolean
}): void {
  slideIn(isLoad)
  if (isLoad && document.activeElement !== document.body) return
  if (!isLoad) document.title = title
  const field = document.querySelector<HTMLElement>(focusesField ? FIRST_FIELD : FIRST_DIGIT)
  const heading = isLoad ? null : document.querySelector<HTMLElement>('main h1')
  ;(field ?? heading)?.focus()
}

/** Sets the class by which style sheets distinguish the two layouts (spec/pages#css-classes). */
export function setLayoutClass(platform: 'web' | 'mobile'): void {
  document.body.classList.toggle('mobile', platform === 'mobile')
  document.body.classList.toggle('desktop', platform === 'web')
}
