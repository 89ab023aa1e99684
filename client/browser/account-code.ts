import { operateCodeBoxes } from './code-boxes.ts'

/** The script of the account centre's pages that ask for a code (spec/account-centre#pages). */

const field = document.querySelector<HTMLFieldSetElement>('fieldset.code')
if (field) {
  operateCodeBoxes(field, { signal: new AbortController().signal })
  let isSent = false
  // A code can be used only once, so Enter must not send it again while the response is on its way.
  field.form?.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault()
    isSent = true
  })
  addEventListener('pageshow', () => {
    isSent = false
  })
}

/** Copies or prints what a button offers (client/factors/code-sheet.tsx). A copied text is confirmed in the button. */
document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy], [data-print]') : null
  if (!button) return
  const { copy, copied = '' } = button.dataset
  if (copy === undefined) return print()
  const label = button.textContent
  if (label === copied) return
  // The clipboard is forbidden in some browsers. The text can still be selected.
  const isCopied = await navigator.clipboard.writeText(copy).then(
    () => true,
    () => false,
  )
  if (!isCopied) return
  button.textContent = copied
  setTimeout(() => {
    button.textContent = label
  }, 2_000)
})
