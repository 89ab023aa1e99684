import type { FormJourney, PageJourneys } from '../reactions/journey.ts'
import { identifierProblem, readIdentifier } from './identifiers.ts'
import { setPassword } from './new-password.ts'
import type { FieldProblems, Validator } from './problems.ts'
import { reactionTo } from './reaction-table.ts'
import { type Address, sendCodeToTyped } from './send-code.ts'
import { agreeToTerms, submitAndReact } from './submit.ts'

/** PATCH profile with the username, then submit (spec/interaction#flow-continue). */
const setUsername: FormJourney = async ({ api, form, boot }) => {
  const read = await readIdentifier({ form, boot, accepted: ['username'] })
  if (read.kind === 'problem') return { kind: 'inline', field: 'identifier', message: read.message }

  const completed = await api.completeProfile({ username: read.identifier.value })
  return completed.ok ? submitAndReact(api, boot) : reactionTo(completed.error, boot)
}

/** A code to the address, which becomes that of the account once it is proved (spec/interaction#flow-continue). */
const proveAddress: FormJourney = (input) =>
  sendCodeToTyped({ ...input, flow: 'continue', accepted: missingAddresses(input.boot.path) })

const addressesAt: Readonly<Record<string, readonly Address['type'][]>> = {
  '/continue/email': ['email'],
  '/continue/phone': ['phone'],
  '/continue/emailOrPhone': ['email', 'phone'],
}

/** The types that the page at a path accepts. */
export const missingAddresses = (path: string): readonly Address['type'][] => addressesAt[path] ?? []

export const missingNameProblems: Validator = (form, boot): FieldProblems => {
  const accepted = boot.path === '/continue/username' ? (['username'] as const) : missingAddresses(boot.path)
  const problem = identifierProblem({ form, boot, accepted })
  if (problem === null) return {}
  return { identifier: problem }
}

export const continuePasswordJourneys: PageJourneys = { send: setPassword, agree: agreeToTerms }
export const continueUsernameJourneys: PageJourneys = { send: setUsername, agree: agreeToTerms }
export const continueAddressJourneys: PageJourneys = { send: proveAddress }
