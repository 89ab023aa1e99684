import type { CredentialCheck } from '../../contract/connectors/connectors.ts'
import { isRecord } from '../../contract/is-record.ts'
import { accepted, refused, statusReason, unclear } from '../credential-check.ts'
import { ConnectorFailure } from '../failure.ts'
import { parseForm, parseJson } from '../provider-answer.ts'
import type { SocialContext, SocialProviderConnector } from './social.ts'

/**
 * Asks a provider for tokens with a code that it never gave out: it authenticates the client first, so it answers
 * `invalid_client`, or `invalid_grant` for a client that it knows (RFC 6749 §5.2). Nobody is signed in, and nothing is stored.
 */
export async function checkClient(
  connector: SocialProviderConnector,
  config: Readonly<Record<string, unknown>>,
  redirectUri: string,
  context: SocialContext,
): Promise<CredentialCheck> {
  const [state, code] = [context.random(), context.random()]
  // Also discovers the endpoints, and makes what the token request proves.
  const { kept = {} } = await connector.authorizationUri(config, { state, redirectUri }, context)
  const data = { code, auth_code: code, state, ...(config.issuer ? { iss: config.issuer } : {}) }
  try {
    await connector.profile(config, { data, redirectUri, kept }, context)
  } catch (error) {
    if (error instanceof ConnectorFailure) return verdictOn(error)
    throw error
  }
  return unclear('a code of nobody was taken')
}

const words: Record<string, 'accepted' | 'refused'> = {
  invalid_grant: 'accepted',
  invalid_client: 'refused',
  unauthorized_client: 'refused',
  // GitHub: https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
  bad_verification_code: 'accepted',
  incorrect_client_credentials: 'refused',
  // Facebook: https://developers.facebook.com/docs/graph-api/guides/error-handling
  '100': 'accepted',
  '1': 'refused',
  '101': 'refused',
  // WeChat: https://developers.weixin.qq.com/doc/oplatform/en/Return_codes/Return_code_descriptions_new.html
  '40029': 'accepted',
  '40013': 'refused',
  '40125': 'refused',
  // Alipay: https://opendocs.alipay.com/common/02km9f
  'isv.code-invalid': 'accepted',
  'isv.invalid-app-id': 'refused',
  'isv.invalid-signature': 'refused',
}

function verdictOn(failure: ConnectorFailure): CredentialCheck {
  const { status, text, ...own } = isRecord(failure.detail) ? failure.detail : {}
  const word = errorIn(typeof text === 'string' ? (parseJson(text) ?? parseForm(text)) : own)
  if (word !== null && Object.hasOwn(words, word))
    return words[word] === 'accepted' ? accepted : refused(word)
  if (status === 401) return refused(statusReason(status))
  // Not reached, or a failure that is not about the client.
  if (word === null && typeof status !== 'number') throw failure
  return unclear(word ?? statusReason(Number(status)))
}

/** In the forms of RFC 6749 §5.2, Facebook, WeChat and Alipay. Words alone: a description may quote anything. */
function errorIn(answer: unknown): string | null {
  if (!isRecord(answer)) return null
  const { error, errcode, sub_code: reason } = answer
  const code = isRecord(error) ? error.code : (error ?? errcode ?? reason)
  const word = String(code ?? '')
  return /^[\w.-]{1,64}$/.test(word) ? word : null
}
