import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import { readIdentifier } from './identifiers.ts'
import { setPassword } from './new-password.ts'
import { createIdentifierValidator } from './problems.ts'
import { getReactionToFailure } from './reaction-table.ts'
import { sendCodeFromForm } from './send-code.ts'
import { agreeToTerms, submitAndReact } from './submit.ts'

/** Sends the username with PATCH profile, then submits (spec/interaction#flow-continue). */
const setUsername: FormJourney = async ({ api, form, boot }) => {
  const read = await readIdentifier({ form, boot, accepted: ['username'] })
  if (read.kind === 'problem') return { kind: 'inline', about: 'identifier', message: read.message }

  const completed = await api.completeProfile({ username: read.identifier.value })
  return completed.ok ? submitAndReact(api, boot) : getReactionToFailure(completed.error, boot)
}

/**
 * Sends a code to the address. The address is added to the account once the code is entered
 * (spec/interaction#flow-continue).
 */
const proveAddress: FormJourney = (input) =>
  sendCodeFromForm({ ...input, flow: 'continue', accepted: missingIdentifierTypesAt(input.boot.path) })

const identifiersAt: Readonly<Record<string, readonly IdentifierType[]>> = {
  '/continue/username': ['username'],
  '/continue/email': ['email'],
  '/continue/phone': ['phone'],
  '/continue/emailOrPhone': ['email', 'phone'],
}

/** Returns the identifier types that the page at a path accepts. */
export const missingIdentifierTypesAt = (path: string): readonly IdentifierType[] => identifiersAt[path] ?? []

export const validateMissingIdentifier = createIdentifierValidator(({ path }) =>
  missingIdentifierTypesAt(path),
)

export const continuePasswordJourneys: PageJourneys = { send: setPassword, agree: agreeToTerms }
export const continueUsernameJourneys: PageJourneys = { send: setUsername, agree: agreeToTerms }
export const continueAddressJourneys: PageJourneys = { send: proveAddress }
