import type { BootData } from '../../src/contract/interactions/boot.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import type { CallFailure } from '../api/api.ts'
import { createTranslator, type PhraseKey } from '../context/phrases.ts'
import { aboveForm, type Reaction } from '../reactions/reactions.ts'

/** The language of the page. */
type PageLanguage = Pick<BootData, 'language' | 'phrases'>
export type ReactionRow = (failure: CallFailure, page: PageLanguage) => Reaction
export type ReactionTable = Partial<Record<CallFailure['code'], ReactionRow>>

/** What every page does about a refusal (spec/pages#reaction-table). A journey adds rows of its own. */
const commonReactions = {
  'session.invalid_credentials': ({ message }) => ({ kind: 'inline', field: 'password', message }),
  'user.suspended': ({ message }) => aboveForm(message),
  'session.password_locked': ({ message }) => aboveForm(message),
  'user.username_already_in_use': ({ message }) => ({ kind: 'inline', field: 'identifier', message }),
  'user.password_exists_in_profile': ({ message }) => ({ kind: 'alert', message, back: 1 }),
  // The page asks, and the yes submits again (spec/pages#terms-agreement).
  'user.terms_not_agreed': (_, page) => termsQuestion(page, 0),
  'user.same_password': atNewPassword,
  'password.compromised': atNewPassword,
  // At the code, for every reason to refuse one.
  'verification_code.not_found': atCode,
  'verification_code.email_mismatch': atCode,
  'verification_code.phone_mismatch': atCode,
  'verification_code.expired': atCode,
  'verification_code.exceed_max_try': atCode,
  'verification_code.code_mismatch': atCode,
  'request.too_many_requests': (failure, page) =>
    aboveForm(createTranslator(page)('vestibule.try_again_in', { time: timeLeft(failure, page.language) })),
  // The interaction is over, so its other pages would refuse, too (spec/pages#start-again).
  'session.not_found': ({ message }) => ({ kind: 'restart', message }),
  'session.verification_session_not_found': ({ message }) => ({ kind: 'restart', message }),
  'session.interaction_not_found': ({ message }) => ({ kind: 'restart', message }),
  // The proofs contradict each other or are gone: nothing on this page could change that.
  'session.identifier_not_found': ({ message }) => ({ kind: 'restart', message }),
  'session.verification_failed': ({ message }) => ({ kind: 'restart', message }),
  'client.offline': repeatable('vestibule.offline'),
  'client.timeout': repeatable('error.timeout'),
  'client.unknown': repeatable('error.unknown'),
} satisfies ReactionTable

/** The reaction of the journey, else that of every page, else the message above the form (spec/errors#handling). */
export function reactionTo(failure: CallFailure, page: PageLanguage, rows: ReactionTable = {}): Reaction {
  const table: ReactionTable = { ...commonReactions, ...rows }
  return table[failure.code]?.(failure, page) ?? aboveForm(failure.message)
}

/** A no leads so many pages back. */
export const termsQuestion = (page: PageLanguage, back: number): Reaction => ({
  kind: 'confirm',
  message: createTranslator(page)('description.agree_with_terms_modal'),
  yes: createTranslator(page)('action.agree'),
  intent: 'agree',
  back,
  about: 'terms',
})

function atNewPassword({ message }: CallFailure): Reaction {
  return { kind: 'inline', field: 'newPassword', message }
}

/** The field of the code, which is several inputs. */
export const CODE_FIELD = 'passcode'

function atCode({ message }: CallFailure): Reaction {
  return { kind: 'inline', field: CODE_FIELD, message }
}

/** No answer: the same call may get one the next time. */
function repeatable(key: PhraseKey): ReactionRow {
  return (_, page) => ({
    kind: 'inline',
    field: null,
    message: createTranslator(page)(key),
    canRepeat: true,
  })
}

/** The page before is not known any more. For a form without script; with script the page shows this itself. */
export const navigationMissing = (page: PageLanguage): Reaction =>
  aboveForm(createTranslator(page)('error.invalid_session'))

const MINUTE_SECONDS = 60

/** "9 minutes" in the language of the page (spec/errors#too-many-requests). */
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
