import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { extractDigits } from '../../src/domain/digits.ts'
import { createTranslator } from '../context/phrases.ts'
import {
  type FormJourney,
  type FormValues,
  type Journeys,
  type PageJourneys,
  type Reaction,
  withoutField,
} from '../reactions/reactions.ts'
import { firstFailure, type JourneyCall } from './calls.ts'
import { codeRows, socialToLink } from './code-reactions.ts'
import type { FieldProblems, Validator } from './problems.ts'
import { CODE_FIELD, navigationMissing, reactionTo } from './reaction-table.ts'
import { type Address, asAddress, isAddress, requestCodeFor, type VerificationFlow } from './send-code.ts'
import { agreeToTerms, askForMissing, submitAndReact } from './submit.ts'

export const CODE_LENGTH = 6 // spec/limits#codes

/** Checked before a call: a code has six digits (spec/pages#validation). */
export const codeProblems: Validator = (form, boot): FieldProblems => {
  if (codeIn(form).length === CODE_LENGTH) return {}
  return { [CODE_FIELD]: createTranslator(boot)('error.invalid_passcode') }
}

/** The boxes joined; without script one of them may hold the whole code. */
function codeIn(form: FormValues): string {
  const boxes = Array.from({ length: CODE_LENGTH }, (_, index) => form[`${CODE_FIELD}_${index}`] ?? '')
  return extractDigits(boxes.join(''))
}

/** PATCH identifiers with the code, the address into the profile of an account that lacks it, submit. */
function codeJourney(flow: VerificationFlow): FormJourney {
  return async ({ api, form, boot }) => {
    const address = addressOf(boot)
    if (!address) return navigationMissing(boot)
    const problem = codeProblems(form, boot)[CODE_FIELD]
    if (problem) return { kind: 'inline', field: CODE_FIELD, message: problem }

    const failure = await firstFailure(
      () => api.prove({ ...asAddress(address), verificationCode: codeIn(form) }),
      ...(completes(flow) ? [() => api.completeProfile(asAddress(address))] : []),
    )
    const reaction = failure
      ? reactionTo(failure, boot)
      : await submitAndReact(api, boot, codeRows[flow](address, boot))
    return flow === 'sign-in' ? reaction : emptied(reaction)
  }
}

/** Whether the address becomes that of the account. */
const completes = (flow: VerificationFlow) => flow === 'register' || flow === 'continue'

/** Yes to "does not exist, create one?": the address is proved already (spec/interaction#flow-code). */
const registerInstead: FormJourney = async (input) => {
  const { api, boot } = input
  const address = addressOf(boot)
  if (!address) return navigationMissing(boot)
  return goOn(
    input,
    'Register',
    () => api.setEvent({ event: 'Register' }),
    () => api.replaceProfile(asAddress(address)),
  )
}

/** Yes to "already exists, sign in?" (spec/interaction#flow-code): at once, or with the password where no code signs in. */
const signInInstead: FormJourney = async (input) => {
  const { experience, navigation } = input.boot
  const address = addressOf(input.boot)
  const method = experience.signIn.methods.find(({ identifier }) => identifier === address?.type)
  if (address && method && !method.verificationCode) {
    return {
      kind: 'goTo',
      path: '/sign-in/password',
      navigation: { identifier: address, hasAgreed: navigation?.hasAgreed },
    }
  }
  return goOn(
    input,
    'SignIn',
    () => input.api.dropProfile(),
    () => input.api.setEvent({ event: 'SignIn' }),
  )
}

/** Yes to "already exists, link?": the account whose address was just proved gets the social identity (spec/interaction#flow-social). */
const linkInstead: FormJourney = async (input) => {
  const { api, boot } = input
  const connectorId = socialToLink(boot)
  if (!connectorId) return navigationMissing(boot)
  return goOn(
    input,
    'SignIn',
    () => api.setEvent({ event: 'SignIn' }),
    () => api.replaceProfile({ connectorId }),
  )
}

/** After a question there is no field to which a message could belong. */
async function goOn(
  { api, boot }: Parameters<FormJourney>[0],
  event: NonNullable<NavigationState['event']>,
  ...calls: JourneyCall[]
): Promise<Reaction> {
  const failure = await firstFailure(...calls)
  const reaction = failure
    ? reactionTo(failure, boot)
    : await submitAndReact(api, boot, { 'user.missing_profile': askForMissing(boot, event) })
  return withoutField(reaction)
}

/** Another code to the same address, on the same page (spec/pages#resend). */
function resend(flow: VerificationFlow): FormJourney {
  return async ({ api, boot }) => {
    const address = addressOf(boot)
    if (!address) return navigationMissing(boot)
    const sent = await requestCodeFor({ api, boot, flow, address, replace: true })
    if (sent.kind === 'goTo') return { ...sent, flash: 'passcode_sent' }
    // The address is in a sentence here, not in a field.
    return withoutField(sent)
  }
}

function addressOf({ navigation }: BootData): Address | null {
  const identifier = navigation?.identifier
  return identifier && isAddress(identifier) ? { type: identifier.type, value: identifier.value } : null
}

/** A refused code is cleared, except at sign-in (spec/pages#code-boxes). */
function emptied(reaction: Reaction): Reaction {
  if (reaction.kind !== 'inline' || reaction.canRepeat) return reaction
  return { ...reaction, clears: `${CODE_FIELD}_` }
}

const forms = <More extends Journeys>(flow: VerificationFlow, more: More) => ({
  send: codeJourney(flow),
  resend: resend(flow),
  ...more,
})

/** The forms of {flow}/verification-code: the code, another code, and the yes to a question of that flow. */
export const codeJourneys = {
  'sign-in': forms('sign-in', { agree: agreeToTerms, register: registerInstead }),
  register: forms('register', { agree: agreeToTerms, signIn: signInInstead }),
  'forgot-password': forms('forgot-password', {}),
  continue: forms('continue', { agree: agreeToTerms, link: linkInstead }),
} satisfies Record<VerificationFlow, PageJourneys>
