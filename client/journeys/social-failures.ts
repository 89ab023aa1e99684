import type { BootData } from '../../src/contract/interactions/boot.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import type { CallFailure } from '../api/api.ts'
import { getConnectorName } from '../context/connector-name.ts'
import { createTranslator, joinSentences, type PhraseKey } from '../context/phrases.ts'
import { messageAboveForm } from '../reactions/reactions.ts'
import type { ReactionRow, ReactionTable } from './reaction-table.ts'

type SocialPhrase = Extract<PhraseKey, `vestibule.social_${string}`>

/**
 * Returns the messages for failures during a redirect to a social provider and back, and for an identity that
 * cannot be linked. Each message says whose failure it was, what happened and what to do now
 * (spec/errors#social-failures).
 */
export function createSocialFailureReactions(connectorId: string, boot: BootData): ReactionTable {
  const says =
    (find: (failure: CallFailure) => SocialPhrase): ReactionRow =>
    (failure) =>
      createSocialFailureMessage(find(failure), connectorId, boot)
  const unreachable = says(() => 'vestibule.social_unreachable')
  const unusable = says(() => 'vestibule.social_unusable')
  const expired = says(() => 'vestibule.social_expired')
  return {
    'connector.authorization_failed': says(({ data }) =>
      providerError(data) ? 'vestibule.social_cancelled' : 'vestibule.social_unusable',
    ),
    'connector.general': says(({ data }) => generalFailure(providerError(data))),
    'connector.invalid_config': unreachable,
    'entity.not_found': unreachable,
    'user.identity_already_in_use': says(() => 'vestibule.social_taken'),
    'connector.invalid_response': unusable,
    'connector.social_invalid_access_token': unusable,
    'connector.social_invalid_id_token': unusable,
    'connector.social_auth_code_invalid': expired,
    'session.connector_session_not_found': expired,
    'session.connector_validation_session_not_found': expired,
  }
}

export function createSocialFailureMessage(phrase: SocialPhrase, connectorId: string, boot: BootData) {
  const t = createTranslator(boot)
  const name = getConnectorName(boot, connectorId)
  const verdict = verdicts[phrase]
  const sentences = [...(verdict ? [t(verdict)] : []), t(phrase, { name }), t('vestibule.social_next')]
  return {
    ...messageAboveForm(joinSentences(boot.language, ...sentences)),
    ...(phrase === 'vestibule.social_cancelled' && { tone: 'calm' as const }),
  }
}

/** The errors in the response from a provider. The other failures happened before there was a response. */
const verdicts: Partial<Record<SocialPhrase, PhraseKey>> = {
  'vestibule.social_expired': 'error.invalid_connector_auth',
  'vestibule.social_unusable': 'error.invalid_connector_request',
}

/** The errors of RFC 6749 §4.1.2.1 with which a provider reports its own failure. */
const OUTAGES = ['server_error', 'temporarily_unavailable']
/** Matches an error code from a provider, as opposed to one of our own phrases. */
const ERROR_CODE = /^\w+$/

/** Returns the phrase for a failure. No error code means that the provider did not respond. */
function generalFailure(error: string | null): SocialPhrase {
  if (error === null || OUTAGES.includes(error)) return 'vestibule.social_unreachable'
  return ERROR_CODE.test(error) ? 'vestibule.social_refused' : 'vestibule.social_unusable'
}

const providerError = (data: unknown): string | null =>
  isRecord(data) && typeof data.error === 'string' ? data.error : null
