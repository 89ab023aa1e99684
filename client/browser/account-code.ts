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
