import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import { setPassword } from './new-password.ts'
import { identifierProblems } from './problems.ts'
import { sendCodeToTyped } from './send-code.ts'

/** The addresses by which a password can be reset (spec/experience#forgot-password). */
export function resetAddresses({ experience: { forgotPassword } }: Pick<BootData, 'experience'>) {
  return (['email', 'phone'] as const).filter((type) => forgotPassword[type])
}

export const resetAddressProblems = identifierProblems(resetAddresses)

/** PUT interaction, then a code. Whether there is an account is shown once the address is proved (spec/interaction#flow-reset). */
const askForCode: FormJourney = (input) =>
  sendCodeToTyped({ ...input, flow: 'forgot-password', accepted: resetAddresses(input.boot) })

export const forgotPasswordJourneys: PageJourneys = { send: askForCode }
export const resetPasswordJourneys: PageJourneys = { send: setPassword() }
