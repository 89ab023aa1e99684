import type { z } from 'zod'
import type {
  CredentialCheck,
  FormItem,
  MessageConnectorType,
  MessageFactoryId,
  NoticeFacts,
} from '../../contract/connectors/connectors.ts'
import type { UsageType } from '../../contract/connectors/message-types.ts'
import { parseEmailAddress } from '../../contract/interactions/email-address.ts'
import { PHONE_PATTERN } from '../../contract/interactions/identifiers.ts'
import { findOutboundUrlProblem } from '../../domain/connectors/outbound-address.ts'
import type { ConnectorContext } from '../connector-context.ts'
import { ConnectorFailure, invalidConfigFailure } from '../failure.ts'
import type { MailLook } from './mail-layout.ts'

/** Defines the connectors that send email or text messages. A connector consists of data and a `send` function. */

/**
 * A message with rendered phrases (`templates.ts`). Connectors whose templates are stored with the provider use only
 * the code.
 */
export type Message = {
  to: string
  type: UsageType
  /** The verification code. An empty string in notices and invitations. */
  code: string
  /**
   * The first factor, if the code is for the second one. Somebody has already proved it, so that the reader must not
   * ignore the message. Operators have the same template for all codes of the type `SignIn`.
   */
  firstFactor?: 'password' | 'other' | undefined
  language: string
  /**
   * The brand name. It is part of the phrases, and the sender's name if no other name is configured
   * (spec/experience#brand-name).
   */
  brand?: string | undefined
  /** The host on which the user enters the code. */
  host: string
  /** The link that undoes the change that a notice is about, or the link of an invitation. */
  link?: string | undefined
  /** The organisation to which somebody is invited. */
  organization?: string | undefined
  /** The name of the user who invites somebody to an organisation. Unset if an application does. */
  inviter?: string | undefined
  /** The time mentioned in a notice or an invitation, in milliseconds since the epoch. */
  aboutAt?: number | undefined
  /** The colours and logos of the built-in emails. */
  look?: MailLook | undefined
  /** The tenant's support contact: an email address or a URL. */
  supportContact?: string | undefined
  /** The contents of a notice besides its type, and the page for somebody who did not make the change. */
  notice?: { at: number; facts: NoticeFacts; notMe: string | undefined } | undefined
  subject?: string | undefined
  html?: string | undefined
  text?: string | undefined
}

export type MessageContext = ConnectorContext & {
  /** If true, messages must be sent over TLS, as everywhere except in development. */
  requiresTls: boolean
}

export type MessageConnectorDefinition<Config> = {
  factoryId: MessageFactoryId
  target: string
  type: MessageConnectorType
  name: Record<string, string>
  description: Record<string, string>
  isStandard?: boolean
  config: z.ZodType<Config>
  formItems: readonly FormItem[]
  send(config: Config, message: Message, context: MessageContext): Promise<void>
  /** Checks the credentials. Only defined if the provider can check them without sending a message. */
  check?(config: Config, context: MessageContext): Promise<CredentialCheck>
}

export type MessageConnector = Omit<MessageConnectorDefinition<unknown>, 'send' | 'check'> & {
  /** `send` and `check` first validate the configuration, and throw a ConnectorFailure if it is invalid. */
  send(config: unknown, message: Message, context: MessageContext): Promise<void>
  check?: ((config: unknown, context: MessageContext) => Promise<CredentialCheck>) | undefined
}

export function messageConnector<Config>(definition: MessageConnectorDefinition<Config>): MessageConnector {
  const { check } = definition
  return {
    ...definition,
    check: check && (async (config, context) => check(parseConfig(definition, config), context)),
    async send(config, message, context) {
      const parsed = parseConfig(definition, config)
      checkRecipient(definition.type, message.to)
      await definition.send(parsed, message, context)
    },
  }
}

/**
 * Throws if a server in a configuration has an address that must not be called. This is checked when a configuration is
 * saved and whenever it is used (spec/connectors#outbound-addresses). All connectors use the same names for the fields
 * that contain a server.
 */
export function rejectPrivateTargets(
  config: Readonly<Record<string, unknown>>,
  context: Pick<ConnectorContext, 'allowPrivateTargets'>,
): void {
  for (const [path, value] of Object.entries(config)) {
    if (typeof value !== 'string' || !value || !NAMES_A_SERVER.test(path)) continue
    const message = findOutboundUrlProblem(path === 'host' ? urlOfHost(value) : value, context)
    if (message) throw invalidConfigFailure({ path, message })
  }
}

const NAMES_A_SERVER = /^(?:host|issuer|cloudInstance|jwksUri|endpoint|\w+Endpoint)$/

const urlOfHost = (host: string) => `https://${host.includes(':') ? `[${host}]` : host}/`

export function parseConfig<Config>({ config }: { config: z.ZodType<Config> }, value: unknown): Config {
  const parsed = config.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidConfigFailure(
    ...parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  )
}

/**
 * Requires exactly one valid recipient, because accounts may have addresses that were stored under older, laxer rules.
 */
function checkRecipient(type: MessageConnectorType, to: string): void {
  const isRecipient = type === 'Email' ? parseEmailAddress(to) === to : PHONE_PATTERN.test(to)
  if (!isRecipient) throw new ConnectorFailure('invalid_request_parameters')
}

/** Returns the subject and the body of an email. Every email template has them. */
export function getEmailParts({ subject = '', html, text }: Message) {
  return { subject, html, text }
}
