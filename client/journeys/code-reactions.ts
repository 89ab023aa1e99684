import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { CallFailure } from '../api/api.ts'
import { createTranslator, type Translate } from '../context/phrases.ts'
import { formatPhone } from '../phones/phones.ts'
import type { Reaction } from '../reactions/reactions.ts'
import { identifierNames } from './identifier-names.ts'
import type { ReactionTable } from './reaction-table.ts'
import type { Address, VerificationFlow } from './send-code.ts'

/**
 * The reactions of the code page to errors of its submit call (spec/pages#code-reactions). They suggest registration
 * only if users can register with this type of address. Otherwise, users who accept would get the error
 * `user.sign_in_method_not_enabled`, a dead end after an invitation.
 */
export const codeReactions: Record<VerificationFlow, (address: Address, boot: BootData) => ReactionTable> = {
  'sign-in': (address, boot) => {
    const t = createTranslator(boot)
    const { signInMode, signUp } = boot.experience
    const canRegister =
      !address.account && signInMode !== 'SignIn' && signUp.identifiers.includes(address.type)
    return {
      'user.user_not_exist': () =>
        canRegister
          ? {
              kind: 'confirm',
              message: t('description.sign_in_id_does_not_exist', addressValues(address, t)),
              yes: t('action.create'),
              intent: 'register',
              back: 1,
            }
          : addressUnknown(address, t),
    }
  },
  register: (address, boot) => {
    const t = createTranslator(boot)
    return inUse(address, () =>
      boot.experience.signInMode === 'Register'
        ? addressTaken(address, t)
        : {
            kind: 'confirm',
            message: t('description.create_account_id_exists', addressValues(address, t)),
            yes: t('action.sign_in'),
            intent: 'signIn',
            back: 1,
          },
    )
  },
  'forgot-password': (address, boot) => ({
    'user.user_not_exist': () => addressUnknown(address, createTranslator(boot)),
    'user.new_password_required_in_profile': () => ({
      kind: 'goTo',
      path: '/forgot-password/reset',
      navigation: { identifier: address },
      replace: true,
    }),
  }),
  continue: (address, boot) => {
    const t = createTranslator(boot)
    return inUse(address, () =>
      readConnectorToLink(boot) && boot.experience.signInMode !== 'Register'
        ? {
            kind: 'confirm',
            message: t('description.link_account_id_exists', addressValues(address, t)),
            yes: t('action.bind_and_continue'),
            intent: 'link',
            back: 1,
          }
        : addressTaken(address, t),
    )
  },
}

/**
 * Returns the connector of the social identity that is waiting to be linked, or null if there is none
 * (spec/pages#missing-profile).
 */
export const readConnectorToLink = ({ search }: BootData) => new URLSearchParams(search).get('link_social')

/**
 * Returns the reactions to the errors that report an address as already in use. If the error concerns another
 * address, the server's message is shown.
 */
function inUse({ type }: Address, reaction: () => Reaction): ReactionTable {
  const another = ({ message }: CallFailure): Reaction => ({ kind: 'alert', message, back: 1 })
  return {
    'user.email_already_in_use': another,
    'user.phone_already_in_use': another,
    [`user.${type}_already_in_use`]: reaction,
  }
}

/** The button names the identifier that the user goes back to change. */
const addressTaken = (address: Address, t: Translate): Reaction => ({
  kind: 'alert',
  message: t('description.create_account_id_exists_alert', addressValues(address, t)),
  button: t('action.change', { method: t(identifierNames[address.type]) }),
  back: 1,
})

const addressUnknown = (address: Address, t: Translate): Reaction => ({
  kind: 'alert',
  message: t('description.sign_in_id_does_not_exist_alert', addressValues(address, t)),
  button: t('action.change', { method: t(identifierNames[address.type]) }),
  back: 1,
})

/** Isolates a phone number so that it is displayed correctly in right-to-left text (UAX #9, LRI and PDI). */
const isolate = (text: string) => `\u2066${text}\u2069`

const addressValues = ({ type, value }: Address, t: Translate) => ({
  type: t(identifierNames[type]),
  value: type === 'phone' ? isolate(formatPhone(value)) : value,
})
