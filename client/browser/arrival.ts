/** The field in which a keyboard user continues. */
const FIRST_FIELD = 'main input:not([type=hidden], [type=checkbox], [aria-hidden])'
/** The first box of a code. Phones offer the code of a text message above the keyboard once a box has the focus. */
const FIRST_DIGIT = 'main .code-box'

/**
 * Updates the title (spec/pages#titles) and the focus of what is shown without a load. Screen readers announce
 * whatever has the focus, a field together with the name of its form, so nothing else announces it. After a load, the
 * title is already right, and a user who is already typing keeps the focus.
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
  if (isLoad && document.activeElement !== document.body) return
  if (!isLoad) document.title = title
  const field = document.querySelector<HTMLElement>(focusesField ? FIRST_FIELD : FIRST_DIGIT)
  const heading = isLoad ? null : document.querySelector<HTMLElement>('main h1')
  ;(field ?? heading)?.focus()
}

/** Sets the class that tells the styles which of the two layouts is shown (spec/pages#css-classes). */
export function setLayoutClass(platform: 'web' | 'mobile'): void {
  document.body.classList.toggle('mobile', platform === 'mobile')
  document.body.classList.toggle('desktop', platform === 'web')
}
