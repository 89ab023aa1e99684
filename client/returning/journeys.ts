import type { EnteredIdentifier } from '../../src/contract/interactions/interaction.ts'
import { ACCOUNT_FIELD } from '../../src/contract/sessions/remembered-accounts.ts'
import { readOutcome } from '../api/api.ts'
import { createTranslator } from '../context/phrases.ts'
import { getReactionToFailure } from '../journeys/reaction-table.ts'
import { isAddress, requestCodeFor } from '../journeys/send-code.ts'
import { signInJourneys } from '../journeys/sign-in.ts'
import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'

/**
 * Continues with a remembered account: opens it, and asks for the password or sends the code, also instead of a passkey
 * (spec/interaction#flow-remembered). If the account has ended, the first page says so.
 */
const continueWithAccount: FormJourney = async ({ api, form, boot }) => {
  const id = form[ACCOUNT_FIELD] ?? ''
  const opened = await readOutcome<EnteredIdentifier>(api.calls.accounts[':id'].$post({ param: { id } }))
  if (!opened.ok)
    return getReactionToFailure(opened.error, boot, {
      'entity.not_found': () => ({
        kind: 'goTo',
        path: '/sign-in',
        message: createTranslator(boot)('vestibule.account_ended'),
      }),
    })
  const identifier = opened.value
  const way = boot.accounts?.find((account) => account.id === id)?.way
  const { methods } = boot.experience.signIn
  const hasPassword = methods.some((method) => method.identifier === identifier.type && method.password)
  return (way === 'code' || !hasPassword) && isAddress(identifier)
    ? requestCodeFor({ api, boot, flow: 'sign-in', address: identifier })
    : { kind: 'goTo', path: '/sign-in/password', navigation: { identifier } }
}

/** Forgets an account, and loads the page again: without it or, if it was the last one, the first page. */
const forgetAccount: FormJourney = async ({ api, form, boot }) => {
  const param = { id: form[ACCOUNT_FIELD] ?? '' }
  const forgotten = await readOutcome<null>(api.calls.accounts[':id'].$delete({ param }))
  return forgotten.ok
    ? { kind: 'leave', url: boot.path + boot.search, replace: true }
    : getReactionToFailure(forgotten.error, boot)
}

export const journeys: PageJourneys = { ...signInJourneys, send: continueWithAccount, forget: forgetAccount }
