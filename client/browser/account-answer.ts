/**
 * The script of the page after a provider that answers in the fragment of an address (spec/account-centre#identities). It shares nothing
 * with `social-answer.ts`, which does the same: a shared module would be one more request of the sign-in page.
 */

const connectorId = document.querySelector<HTMLElement>('[data-answer]')?.dataset.answer
const { hash, search } = location
if (connectorId && hash.length > 1)
  location.replace(`/callback/${connectorId}?${search.slice(1)}&${hash.slice(1)}`)

export {}
