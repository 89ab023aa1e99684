import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { MessageTone } from '../../src/contract/interactions/interaction.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import type { CallFailure } from '../api/api.ts'
import { createTranslator, joinSentences, type PhraseKey } from '../context/phrases.ts'
import { messageAboveForm, type Reaction, unexpectedMessage } from '../reactions/reactions.ts'

type Page = Pick<BootData, 'language' | 'phrases' | 'path' | 'experience'>
export type ReactionRow = (failure: CallFailure, page: Page) => Reaction
export type ReactionTable = Partial<Record<CallFailure['code'], ReactionRow>>

/** The common reactions of all pages to errors (spec/pages#reaction-table). Journeys add rows of their own. */
const commonReactions = {
  // A form that also asks for the identifier does not say which of the two is wrong.
  'session.invalid_credentials': ({ message }, page) => ({
    kind: 'inline',
    about: 'password',
    message: page.path === '/sign-in/password' ? createTranslator(page)('vestibule.wrong_password') : message,
  }),
  'user.username_already_in_use': askForAnotherUsername,
  'user.password_exists_in_profile': ({ message }) => ({ kind: 'alert', message, back: 1 }),
  // This page asks the user to agree to the terms, and then submits again (spec/pages#terms-agreement).
  'user.terms_not_agreed': (_, page) => askForTermsAgreement(page, 0),
  'user.same_password': atNewPassword,
  'password.compromised': atNewPassword,
  // All errors about codes are shown next to the code field.
  'verification_code.not_found': atCode,
  'verification_code.email_mismatch': atCode,
  'verification_code.phone_mismatch': atCode,
  'verification_code.expired': atCode,
  'verification_code.exceed_max_try': atCode,
  'verification_code.code_mismatch': atCode,
  'request.too_many_requests': (failure, page) =>
    messageAboveForm(
      createTranslator(page)('vestibule.try_again_in', { time: timeLeft(failure, page.language) }),
    ),
  'session.verification_session_not_found': ({ message }) => ({ kind: 'alert', message, back: 2 }),
  // The interaction is over, so the server would also reject calls from its other pages (spec/pages#start-again).
  'session.not_found': ({ message }) => ({ kind: 'restart', message }),
  'session.already_submitted': ({ message }) => ({ kind: 'restart', message }),
  'session.interaction_not_found': ({ message }) => ({ kind: 'restart', message }),
  // The verified identifiers and credentials are contradictory or expired, so the user cannot continue on this page.
  'session.identifier_not_found': ({ message }) => ({ kind: 'restart', message }),
  'session.verification_failed': ({ message }) => ({ kind: 'restart', message }),
  'client.offline': repeatable('vestibule.offline', 'offline'),
  'client.timeout': repeatable('error.timeout'),
  'client.unknown': repeatable('error.unknown'),
} satisfies ReactionTable

/**
 * Returns the reaction to an error: the journey's own, or else the common one, or else the message above the form
 * with a toast (spec/errors#handling).
 */
export function getReactionToFailure(
  failure: CallFailure,
  page: Page,
  overrides: ReactionTable = {},
): Reaction {
  const table: ReactionTable = { ...commonReactions, ...overrides }
  return table[failure.code]?.(failure, page) ?? unexpectedMessage(failure.message)
}

const USERNAME_PATH = '/continue/username'

/**
 * Shows the message next to the username. Other pages lead back to one that asks for a username and keeps what
 * the user has entered and proved since (spec/pages#reaction-table).
 */
function askForAnotherUsername({ message }: CallFailure, { path, experience }: Page): Reaction {
  if (path === '/register/password') return { kind: 'alert', message, back: 1 }
  return path === '/register' || path === USERNAME_PATH || !experience.signUp.identifiers.includes('username')
    ? { kind: 'inline', about: 'identifier', message }
    : { kind: 'alert', message, back: USERNAME_PATH }
}

/** Asks the user to agree to the terms. A user who declines goes back by `back` pages. */
export const askForTermsAgreement = (page: Page, back: number): Reaction => ({
  kind: 'confirm',
  message: createTranslator(page)('description.agree_with_terms_modal'),
  yes: createTranslator(page)('action.agree'),
  intent: 'agree',
  back,
  about: 'terms',
})

function atNewPassword({ message }: CallFailure): Reaction {
  return { kind: 'inline', about: 'newPassword', message }
}

/** The name of the code field. It consists of one input per digit. */
export const CODE_FIELD = 'passcode'

function atCode({ message }: CallFailure): Reaction {
  return { kind: 'inline', about: CODE_FIELD, message }
}

/**
 * Shows an error for a call that received no usable response. Repeating the call may succeed, at once or after the
 * time that the response names.
 */
function repeatable(key: PhraseKey, tone?: MessageTone): ReactionRow {
  return (failure, page) => {
    const t = createTranslator(page)
    const time = failure.data
      ? [t('vestibule.try_again_after', { time: timeLeft(failure, page.language) })]
      : []
    const message = joinSentences(page.language, t(key), ...time)
    return { kind: 'inline', about: null, message, tone, canRepeat: true }
  }
}

/**
 * Returns the error for a page whose navigation state is missing. This happens only to forms posted without
 * JavaScript. With JavaScript, the browser shows another page instead.
 */
export const getReactionToMissingNavigation = (page: Page): Reaction =>
  messageAboveForm(createTranslator(page)('error.invalid_session'))

const MINUTE_SECONDS = 60

/** Formats the remaining time in the page's language, as in "9 minutes" (spec/errors#too-many-requests). */
function timeLeft({ data }: CallFailure, language: string): string {
  const seconds = isRecord(data) && typeof data.retryAfter === 'number' ? data.retryAfter : MINUTE_SECONDS
  const [amount, unit] =
    seconds < MINUTE_SECONDS ? [seconds, 'second'] : [Math.ceil(seconds / MINUTE_SECONDS), 'minute']
  return new Intl.NumberFormat([language, 'en'], {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(amount)
}
