/**
 * The script of the page to which a provider redirects if it responds in the URL fragment
 * (spec/account-centre#identities). It does the same as `social-answer.ts` but shares no code with it, because a
 * shared module would cost the sign-in page another request.
 */

const connectorId = document.querySelector<HTMLElement>('[data-answer]')?.dataset.answer
const { hash, search } = location
if (connectorId && hash.length > 1)
  location.replace(`/callback/${connectorId}?${search.slice(1)}&${hash.slice(1)}`)

export {}
