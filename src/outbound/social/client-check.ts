import type { CredentialCheck } from '../../contract/connectors/connectors.ts'
import { isRecord } from '../../contract/is-record.ts'
import {
  checkInconclusive,
  credentialsAccepted,
  credentialsRejected,
  statusReason,
} from '../credential-check.ts'
import { ConnectorFailure } from '../failure.ts'
import { parseForm, parseJson } from '../provider-answer.ts'
import type { SocialContext, SocialProviderConnector } from './social.ts'

/**
 * Checks a client's credentials by requesting tokens with a made-up code. Providers authenticate the client first, so
 * they respond with `invalid_client` if the credentials are wrong and with `invalid_grant` if they are right (RFC 6749
 * §5.2). Nobody is signed in, and nothing is stored.
 */
export async function checkClientCredentials(
  connector: SocialProviderConnector,
  config: Readonly<Record<string, unknown>>,
  redirectUri: string,
  context: SocialContext,
): Promise<CredentialCheck> {
  const [state, code] = [context.random(), context.random()]
  // Creating an authorization URL also discovers the endpoints, and creates values such as the PKCE verifier that the
  // token request needs.
  const { kept = {} } = await connector.authorizationUri(config, { state, redirectUri }, context)
  const data = { code, auth_code: code, state, ...(config.issuer ? { iss: config.issuer } : {}) }
  try {
    await connector.profile(config, { data, redirectUri, kept }, context)
  } catch (error) {
    if (error instanceof ConnectorFailure) return checkResultOf(error)
    throw error
  }
  return checkInconclusive('the provider accepted an invented code')
}

const verdicts: Record<string, 'accepted' | 'refused'> = {
  invalid_grant: 'accepted',
  invalid_client: 'refused',
  unauthorized_client: 'refused',
  // GitHub:
  // https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
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

function checkResultOf(failure: ConnectorFailure): CredentialCheck {
  const { status, text, ...ownDetail } = isRecord(failure.detail) ? failure.detail : {}
  const errorCode = readErrorCode(typeof text === 'string' ? (parseJson(text) ?? parseForm(text)) : ownDetail)
  if (errorCode !== null && Object.hasOwn(verdicts, errorCode))
    return verdicts[errorCode] === 'accepted' ? credentialsAccepted : credentialsRejected(errorCode)
  if (status === 401) return credentialsRejected(statusReason(status))
  // The check is inconclusive if the provider could not be reached, or if the failure does not concern the client.
  if (errorCode === null && typeof status !== 'number') throw failure
  return checkInconclusive(errorCode ?? statusReason(Number(status)))
}

/**
 * Returns the error code from a response in the format of RFC 6749 §5.2, Facebook, WeChat or Alipay. The error
 * description is ignored, because it may quote anything.
 */
function readErrorCode(answer: unknown): string | null {
  if (!isRecord(answer)) return null
  const { error, errcode, sub_code: reason } = answer
  const code = isRecord(error) ? error.code : (error ?? errcode ?? reason)
  const errorCode = String(code ?? '')
  return /^[\w.-]{1,64}$/.test(errorCode) ? errorCode : null
}
