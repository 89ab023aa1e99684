import type { BootData } from '../../src/contract/boot.ts'
import { translator } from '../app/phrases.ts'
import type { Failure } from './api.ts'
import type { Reaction } from './reactions.ts'

export type Speaking = Pick<BootData, 'language' | 'phrases'>
export type ReactionRow = (failure: Failure, speaking: Speaking) => Reaction
export type ReactionTable = Partial<Record<Failure['code'], ReactionRow>>

/** What every page does about a refusal (product 8, contract 10.4). A journey brings rows of its own for the rest. */
export const reactions = {
  'session.invalid_credentials': ({ message }) => ({ kind: 'inline', field: 'password', message }),
  'user.suspended': ({ message }) => ({ kind: 'inline', field: null, message }),
  'user.username_already_in_use': ({ message }) => ({ kind: 'inline', field: 'identifier', message }),
  'user.password_exists_in_profile': ({ message }) => ({ kind: 'alert', message, back: 1 }),
  'user.same_password': ({ message }) => ({ kind: 'inline', field: 'newPassword', message }),
  // Under the passcode (product 8), for every reason that a code does not count.
  'verification_code.not_found': atPasscode,
  'verification_code.email_mismatch': atPasscode,
  'verification_code.phone_mismatch': atPasscode,
  'verification_code.expired': atPasscode,
  'verification_code.exceed_max_try': atPasscode,
  'verification_code.code_mismatch': atPasscode,
  'request.too_many_requests': (failure, speaking) => ({
    kind: 'inline',
    field: null,
    message: translator(speaking)('vestibule.try_again_in', { time: timeLeft(failure, speaking.language) }),
  }),
  // Decision 6 wins over the "alert, then go back 2 steps" of product 8: pages of a dead interaction lead nowhere.
  'session.not_found': ({ message }) => ({ kind: 'restart', message }),
  'session.verification_session_not_found': ({ message }) => ({ kind: 'restart', message }),
  'session.interaction_not_found': ({ message }) => ({ kind: 'restart', message }),
  // What was proved contradicts itself or is gone: nothing on this page could mend it.
  'session.identifier_not_found': ({ message }) => ({ kind: 'restart', message }),
  'session.verification_failed': ({ message }) => ({ kind: 'restart', message }),
  'client.timeout': (_, speaking) => ({ kind: 'toast', message: translator(speaking)('error.timeout') }),
  'client.unknown': (_, speaking) => ({ kind: 'toast', message: translator(speaking)('error.unknown') }),
} satisfies ReactionTable

/** The reaction of the journey, else that of every page, else the message as a toast (product 8, Handling). */
export function react(failure: Failure, speaking: Speaking, rows: ReactionTable = {}): Reaction {
  const table: ReactionTable = { ...reactions, ...rows }
  return table[failure.code]?.(failure, speaking) ?? { kind: 'toast', message: failure.message }
}

/** The field of the code, which is several inputs. */
export const PASSCODE_FIELD = 'passcode'

function atPasscode({ message }: Failure): Reaction {
  return { kind: 'inline', field: PASSCODE_FIELD, message }
}

const MINUTE_SECONDS = 60

/** "9 minutes", as the language of the page says it (decision 16). */
function timeLeft({ data }: Failure, language: string): string {
  const seconds = hasRetryAfter(data) ? data.retryAfter : MINUTE_SECONDS
  const [amount, unit] =
    seconds < MINUTE_SECONDS ? [seconds, 'second'] : [Math.ceil(seconds / MINUTE_SECONDS), 'minute']
  return new Intl.NumberFormat([language, 'en'], {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(amount)
}

function hasRetryAfter(data: unknown): data is { retryAfter: number } {
  return (
    typeof data === 'object' && data !== null && 'retryAfter' in data && typeof data.retryAfter === 'number'
  )
}
