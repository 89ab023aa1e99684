import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { IdentifierType, InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import type { EnteredIdentifier } from '../../src/contract/interactions/interaction.ts'
import type { CallFailure, InteractionApi } from '../api/api.ts'
import { queryWithoutInteraction } from '../context/paths.ts'
import { createTranslator } from '../context/phrases.ts'
import { type FormValues, messageAboveForm, type Reaction } from '../reactions/reactions.ts'
import { readIdentifier } from './identifiers.ts'
import { getReactionToFailure, type ReactionTable } from './reaction-table.ts'

/** The flows that use verification codes, by the first segment of their paths (spec/pages#verification-code). */
export const codeFlows = ['sign-in', 'register', 'forgot-password', 'continue'] as const
export type VerificationFlow = (typeof codeFlows)[number]

const events = {
  'sign-in': 'SignIn',
  register: 'Register',
  'forgot-password': 'ForgotPassword',
  continue: null,
} satisfies Record<VerificationFlow, InteractionEvent | null>

export type Address = EnteredIdentifier & { type: 'email' | 'phone' }

export const addressPayload = ({ type, value }: Address) =>
  type === 'email' ? { email: value } : { phone: value }

/** The address of a code: that of a remembered account is sealed (spec/interaction#remembered-account). */
export const codeAddressPayload = (address: Address) =>
  address.account ? { account: address.account } : addressPayload(address)

export const isAddress = (identifier: EnteredIdentifier): identifier is Address =>
  identifier.type !== 'username'

/** Sends a code to the address entered in a form that accepts only addresses. */
export async function sendCodeFromForm({
  form,
  accepted,
  ...sending
}: {
  api: InteractionApi
  boot: BootData
  form: FormValues
  flow: VerificationFlow
  accepted: readonly IdentifierType[]
}): Promise<Reaction> {
  const read = await readIdentifier({ form, boot: sending.boot, accepted })
  if (read.kind === 'problem') return { kind: 'inline', about: 'identifier', message: read.message }
  if (!isAddress(read.identifier)) throw new Error('an address was read as a username')
  return requestCodeFor({ ...sending, address: read.identifier })
}

/**
 * Sets the flow's event, requests a code and goes to the code page (spec/interaction#flow-code). The flow for
 * missing account data keeps the current event, because it runs within a sign-in or a registration
 * (spec/interaction#flow-continue).
 */
export async function requestCodeFor({
  api,
  boot,
  flow,
  address,
  replace = false,
}: {
  api: InteractionApi
  boot: BootData
  flow: VerificationFlow
  address: Address
  replace?: boolean
}): Promise<Reaction> {
  const event = events[flow]
  if (event) {
    const started = await api.start({ event })
    if (!started.ok) return getReactionToFailure(started.error, boot)
  }
  const sent = await api.requestCode(codeAddressPayload(address))
  if (!sent.ok)
    return getReactionToUnsentCode(sent.error, boot, {
      // Shows the error next to the field if the server cannot parse the address (spec/pages#validation).
      'guard.invalid_input': () => ({
        kind: 'inline',
        about: 'identifier',
        message: createTranslator(boot)(`error.invalid_${address.type}`),
      }),
    })
  return {
    kind: 'goTo',
    path: `/${flow}/verification-code${queryWithoutInteraction(boot.search)}`,
    navigation: { ...boot.navigation, identifier: address, codeSentAt: Date.now(), flash: undefined },
    replace,
  }
}

/**
 * Returns the reaction to a code that could not be sent. Details of connector problems are only in the log, because
 * users cannot fix them.
 */
export const getReactionToUnsentCode = (
  failure: CallFailure,
  boot: BootData,
  rows?: ReactionTable,
): Reaction =>
  failure.code.startsWith('connector.')
    ? messageAboveForm(createTranslator(boot)('vestibule.code_not_sent'))
    : getReactionToFailure(failure, boot, rows)
