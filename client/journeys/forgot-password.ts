import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import { setPassword } from './new-password.ts'
import { createIdentifierValidator } from './problems.ts'
import { sendCodeFromForm } from './send-code.ts'

/** Returns the types of addresses with which a password can be reset (spec/experience#forgot-password). */
export function resetAddressTypes({ experience: { forgotPassword } }: Pick<BootData, 'experience'>) {
  return (['email', 'phone'] as const).filter((type) => forgotPassword[type])
}

export const validateResetAddress = createIdentifierValidator(resetAddressTypes)

/**
 * Sends PUT interaction, then requests a code. Whether the address has an account is revealed only to a user who enters
 * the code (spec/interaction#flow-reset).
 */
const askForCode: FormJourney = (input) =>
  sendCodeFromForm({ ...input, flow: 'forgot-password', accepted: resetAddressTypes(input.boot) })

export const forgotPasswordJourneys: PageJourneys = { send: askForCode }
export const resetPasswordJourneys: PageJourneys = { send: setPassword }
