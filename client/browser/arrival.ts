/** The field in which a user of a keyboard goes on. */
const FIRST_FIELD = 'main input:not([type=hidden], [type=checkbox], [aria-hidden])'
/** Phones offer the code of a message above the keyboard, for the box that has the focus. */
const FIRST_DIGIT = 'main .code-box'

/**
 * What is shown without a load needs its title (spec/pages#titles), and the focus where screen readers and typing go on: they
 * announce what has the focus, a field with the name of its form, so nothing else announces it. After a load the title is there,
 * and a user who is typing already keeps the focus.
 */
export function showArrival({
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

/** Tells the styles which of the two layouts is shown (spec/pages#css-classes). */
export function showLayout(platform: 'web' | 'mobile'): void {
  document.body.classList.toggle('mobile', platform === 'mobile')
  document.body.classList.toggle('desktop', platform === 'web')
}
