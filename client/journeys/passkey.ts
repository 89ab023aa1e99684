import {
  offerPasskeysAgain,
  PASSKEY_FIELD,
  requestPasskey,
  signalUnknownPasskey,
  type UsedPasskey,
} from '../browser/passkeys.ts'
import { createTranslator } from '../context/phrases.ts'
import { type FormJourney, messageAboveForm } from '../reactions/reactions.ts'
import { getReactionToFailure } from './reaction-table.ts'
import { submitAndReact } from './submit.ts'

/**
 * Signs in with the passkey selected in the identifier field, or else asks the browser for one
 * (spec/pages#passkeys). This module is loaded on demand.
 */
export const signInWithPasskey: FormJourney = async ({ api, form, boot }) => {
  const chosen = form[PASSKEY_FIELD]
  // The field needs no validation, because our own script filled it in.
  const outcome = chosen
    ? { ok: true as const, value: JSON.parse(chosen) as UsedPasskey }
    : await requestPasskey(api)
  if (!outcome.ok) return getReactionToFailure(outcome.error, boot)
  const used = outcome.value
  if (!used) return messageAboveForm(createTranslator(boot)('vestibule.passkey_not_used'))
  const started = await api.start({ event: 'SignIn', identifier: { passkey: used.assertion } })
  if (started.ok) return submitAndReact(api, boot)
  if (started.error.code === 'passkey.not_found') await signalUnknownPasskey(used)
  offerPasskeysAgain()
  return getReactionToFailure(started.error, boot)
}
