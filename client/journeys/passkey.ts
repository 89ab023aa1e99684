import {
  askForPasskey,
  forgetUnknownPasskey,
  offerPasskeysAgain,
  PASSKEY_FIELD,
  type UsedPasskey,
} from '../browser/passkeys.ts'
import { createTranslator } from '../context/phrases.ts'
import { type FormJourney, messageAboveForm } from '../reactions/reactions.ts'
import { reactionTo } from './reaction-table.ts'
import { submitAndReact } from './submit.ts'

/**
 * Signs in with the passkey that the identifier field has offered, or asks the browser for one (spec/pages#passkeys).
 * Loaded when it is used.
 */
export const signInWithPasskey: FormJourney = async ({ api, form, boot }) => {
  const chosen = form[PASSKEY_FIELD]
  // Our own script wrote the field.
  const outcome = chosen
    ? { ok: true as const, value: JSON.parse(chosen) as UsedPasskey }
    : await askForPasskey(api)
  if (!outcome.ok) return reactionTo(outcome.error, boot)
  const used = outcome.value
  if (!used) return messageAboveForm(createTranslator(boot)('vestibule.passkey_not_used'))
  const started = await api.start({ event: 'SignIn', identifier: { passkey: used.assertion } })
  if (started.ok) return submitAndReact(api, boot)
  if (started.error.code === 'passkey.not_found') await forgetUnknownPasskey(used)
  offerPasskeysAgain()
  return reactionTo(started.error, boot)
}
