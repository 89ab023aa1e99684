import type { ConnectorFailureCode, NoticeFacts } from '../../contract/connectors/connectors.ts'
import type { MessageType } from '../../contract/connectors/message-types.ts'
import { errorCatalogue, type Refusal, refuse } from '../../contract/errors.ts'
import { RefusalError, refuseWith } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import { readConfigValue } from '../../domain/connectors/config-value.ts'
import { shortenAnswer } from '../../domain/connectors/server-answer.ts'
import { chooseLanguage, parseAcceptLanguage } from '../../domain/experience/language.ts'
import { toMailPicture } from '../../domain/experience/pictures.ts'
import { maskIdentifier, maskQuotedSecrets } from '../../domain/masking.ts'
import { originForMessages } from '../../domain/tenants/hosts.ts'
import { textToBase64 } from '../../outbound/base64.ts'
import type { ConnectorFailure } from '../../outbound/failure.ts'
import { findMessageFactory } from '../../outbound/index.ts'
import { findMessageConnector } from '../../storage/connectors/connectors.ts'
import { logEvent, logFailure } from '../../storage/event-log.ts'
import { insertServiceLog } from '../../storage/service-logs.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  deliverMessage,
  type MessageSender,
  type OutgoingMessage,
  type SendingDependencies,
} from './deliver.ts'

/** The request that triggered a message. */
export type MessageRequest = {
  tenantId: string
  requestId: string
  /** The host, including the port, on which the user enters the code. */
  host: string
  acceptLanguage: string | undefined
  /**
   * The device and place of the user who made the request. Unset if an operator did, whose place is nobody's business.
   */
  caller?: Omit<NoticeFacts, 'previous' | 'current'>
}

export type CodeMessage = Pick<OutgoingMessage, 'code' | 'firstFactor'> & {
  address: VerifiedAddress
  type: MessageType
}

/** Sends a code to an address, in the language of the request (spec/accounts#code-message). */
export async function sendCode(
  dependencies: SendingDependencies & Pick<Dependencies, 'experience' | 'phrases'>,
  { tenantId, requestId, host, acceptLanguage }: MessageRequest,
  { address, type, ...code }: CodeMessage,
): Promise<{ connectorId: string }> {
  return sendMessage(dependencies, tenantId, {
    channel: address.type === 'email' ? 'email' : 'sms',
    to: address.value,
    type,
    ...code,
    ...(await chooseMessageWording(dependencies, tenantId, { host, acceptLanguage })),
    host,
    requestId,
  })
}

/** Sends a message through the tenant's connector. Throws a `connector.*` error if the provider does not accept it. */
export async function sendMessage(
  dependencies: SendingDependencies,
  tenantId: string,
  message: OutgoingMessage,
): Promise<{ connectorId: string }> {
  const type = message.channel === 'email' ? 'Email' : 'Sms'
  const sender = await findMessageConnector(dependencies, tenantId, type)
  if (!sender) refuseWith('connector.not_found', { type })
  await sendThroughConnector(dependencies, tenantId, sender, message)
  return { connectorId: sender.id }
}

/** Sends a message through any connector, and records it (spec/connectors#connector-test). */
export async function sendThroughConnector(
  dependencies: SendingDependencies,
  tenantId: string,
  sender: MessageSender,
  message: OutgoingMessage,
): Promise<void> {
  const failed = await sendAndRecord(dependencies, tenantId, sender, message)
  if (failed) throw new RefusalError(toConnectorRefusal(failed.failure))
}

/** Like `sendThroughConnector`, for an operator, who may know why the provider did not accept the message. */
export async function sendForOperator(
  dependencies: SendingDependencies,
  tenantId: string,
  sender: MessageSender,
  message: OutgoingMessage,
): Promise<void> {
  const failed = await sendAndRecord(dependencies, tenantId, sender, message)
  if (!failed) return
  const { code, data, status } = toConnectorRefusal(failed.failure)
  const explained = { ...data, ...failed.explanation }
  throw new RefusalError(refuse(code, Object.keys(explained).length > 0 ? explained : undefined, status))
}

async function sendAndRecord(
  dependencies: SendingDependencies,
  tenantId: string,
  sender: MessageSender,
  message: OutgoingMessage,
): Promise<Failed | null> {
  const failure = await deliverMessage(dependencies, tenantId, sender, message)
  const failed = failure && { failure, explanation: explainFailure({ sender, message, failure }) }
  await recordMessage(dependencies, tenantId, { sender, message, failed })
  if (failure) logFailedMessage({ sender, message, failure })
  return failed
}

type FailedMessage = { sender: MessageSender; message: OutgoingMessage; failure: ConnectorFailure }
type Failed = { failure: ConnectorFailure; explanation: ReturnType<typeof explainFailure> }

/** Returns what operators learn about a failure: its reason, and the masked answer of the server. */
function explainFailure({ sender, message, failure: { reason, answer } }: FailedMessage) {
  const { code, link = '', to } = message
  const sent = [{ ...sender.config, templates: undefined }, to]
  const text = answer && shortenAnswer(answer, { sent, secrets: [code, link, to, ...readSecrets(sender)] })
  return { ...(reason && { reason }), ...(text && { answer: text }) }
}

/** Returns the secrets of a configuration, also in the encoding in which SMTP sends them. */
const readSecrets = ({ factoryId, config }: MessageSender): string[] =>
  (findMessageFactory(factoryId)?.formItems ?? []).flatMap(({ key, isSecret }) => {
    const secret = isSecret && readConfigValue(config, key)
    return typeof secret === 'string' ? [secret, textToBase64(secret).replace(/=+$/, '')] : []
  })

type SentMessage = { sender: MessageSender; message: OutgoingMessage; failed: Failed | null }

/**
 * Records a message before responding: the isolate may end at any time, and the log must contain every message that a
 * provider received. A failure to write the row is logged and does not fail the request, because the message has
 * already been sent.
 */
async function recordMessage(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  tenantId: string,
  { sender, message, failed }: SentMessage,
): Promise<void> {
  const { channel, to, type, requestId } = message
  const entry = {
    type: channel === 'email' ? ('sendEmail' as const) : ('sendSms' as const),
    payload: {
      to: maskIdentifier({ type: channel === 'email' ? 'email' : 'phone', value: to }),
      messageType: type,
      connectorId: sender.id,
      factoryId: sender.factoryId,
      ...(sender.isUnsaved && { isUnsaved: true }),
      result: failed ? 'Error' : 'Success',
      ...(failed && { error: `connector.${failed.failure.code}`, ...failed.explanation }),
      requestId,
    },
    createdAt: now(),
  }
  try {
    await insertServiceLog(db, tenantId, entry)
  } catch (error) {
    logFailure(error, { serviceLog: entry.payload, tenantId })
  }
}

/** Logs the provider's own message for the operator. */
function logFailedMessage({ sender, message, failure }: FailedMessage): void {
  logEvent('message_not_sent', {
    requestId: message.requestId,
    connectorId: sender.id,
    factoryId: sender.factoryId,
    reason: failure.code,
    // Templates are not masked. They are not secret, and provider errors often quote them.
    detail: withoutSecrets(
      maskQuotedSecrets(failure.detail, [{ ...sender.config, templates: undefined }, message.to]),
      [message.code, message.link],
    ),
  })
}

/**
 * Masks the code and the link in a provider's error message, because the provider may quote the message that was sent.
 * Logs never contain codes (spec/accounts#secrets).
 */
const withoutSecrets = (detail: unknown, secrets: readonly (string | undefined)[]) =>
  detail === undefined
    ? undefined
    : secrets.reduce<string>(
        (text, secret) => (secret ? text.replaceAll(secret, '******') : text),
        JSON.stringify(detail),
      )

type Wording = Pick<OutgoingMessage, 'language' | 'brand' | 'look' | 'supportContact'>

/**
 * Returns the tenant's brand and a message's language: the first of the request's languages for which the tenant has
 * phrases, or else the tenant's fallback language (spec/accounts#code-message).
 */
export async function chooseMessageWording(
  { experience, phrases, settings }: Pick<Dependencies, 'experience' | 'phrases' | 'settings'>,
  tenantId: string,
  { host, acceptLanguage }: Pick<MessageRequest, 'host' | 'acceptLanguage'>,
): Promise<Wording> {
  const [{ branding, color, languageInfo, supportContact }, available] = await Promise.all([
    experience.get(tenantId),
    phrases.languages(tenantId),
  ])
  const language = chooseLanguage({
    requested: [...parseAcceptLanguage(acceptLanguage), languageInfo.fallbackLanguage],
    available,
    fallback: 'en',
  })
  const { isDevelopment } = settings.hosting
  const origin = originForMessages(host, { ...settings, isDevelopment })
  const look = {
    color,
    logo: toMailPicture(branding.logoUrl, origin),
    darkLogo: toMailPicture(branding.darkLogoUrl, origin),
  }
  return { language, brand: branding.name, look, supportContact: supportContact ?? undefined }
}

/** Returns the error response for a connector's failure (spec/errors#connector-failures). */
export function toConnectorRefusal({ code, data }: ConnectorFailure): Refusal {
  const errorCode: `connector.${ConnectorFailureCode}` = `connector.${code}`
  return refuse(errorCode, data, errorCatalogue[errorCode].status)
}
