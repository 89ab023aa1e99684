import type { z } from 'zod'
import type {
  CredentialCheck,
  FormItem,
  MessageConnectorType,
  MessageFactoryId,
  MessageType,
  NoticeType,
} from '../../contract/connectors/connectors.ts'
import { parseEmailAddress } from '../../contract/interactions/email-address.ts'
import { PHONE_PATTERN } from '../../contract/interactions/identifiers.ts'
import { outboundProblem } from '../../domain/connectors/outbound-address.ts'
import type { ConnectorContext } from '../connector-context.ts'
import { ConnectorFailure, invalidConfig } from '../failure.ts'

/** What every connector that sends e-mail or SMS is: a record of data and one function. */

/** The texts are rendered already (`templates.ts`); a provider with templates of its own takes the code alone. */
export type Message = {
  to: string
  type: MessageType | NoticeType
  /** Empty in a notice. */
  code: string
  language: string
  /** The name of the brand: in the texts, and the sender's name where the configuration has none (spec/experience#brand-name). */
  brand?: string | undefined
  /** Where the user enters the code. */
  host: string
  /** That undoes what a notice tells of. */
  link?: string | undefined
  /** The date that a notice tells, epoch milliseconds. */
  aboutAt?: number | undefined
  subject?: string | undefined
  html?: string | undefined
  text?: string | undefined
}

export type MessageContext = ConnectorContext & {
  /** Outside development nothing is sent without TLS. */
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
  /** Where the provider tells about credentials without a message. */
  check?(config: Config, context: MessageContext): Promise<CredentialCheck>
}

export type MessageConnector = Omit<MessageConnectorDefinition<unknown>, 'send' | 'check'> & {
  /** Both check the configuration first; they throw a ConnectorFailure. */
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
 * Checks the servers that a configuration names, when it is stored and whenever it is used (spec/connectors#outbound-addresses).
 * Every connector names its servers in fields of these names.
 */
export function refusePrivateTargets(
  config: Readonly<Record<string, unknown>>,
  context: Pick<ConnectorContext, 'allowPrivateTargets'>,
): void {
  for (const [path, value] of Object.entries(config)) {
    if (typeof value !== 'string' || !value || !NAMES_A_SERVER.test(path)) continue
    const message = outboundProblem(path === 'host' ? urlOfHost(value) : value, context)
    if (message) throw invalidConfig({ path, message })
  }
}

const NAMES_A_SERVER = /^(?:host|issuer|cloudInstance|jwksUri|endpoint|\w+Endpoint)$/

const urlOfHost = (host: string) => `https://${host.includes(':') ? `[${host}]` : host}/`

export function parseConfig<Config>({ config }: { config: z.ZodType<Config> }, value: unknown): Config {
  const parsed = config.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidConfig(...parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
}

/** One recipient. Accounts may have addresses from before the present grammar. */
function checkRecipient(type: MessageConnectorType, to: string): void {
  const isRecipient = type === 'Email' ? parseEmailAddress(to) === to : PHONE_PATTERN.test(to)
  if (!isRecipient) throw new ConnectorFailure('invalid_request_parameters')
}

/** The texts of an e-mail, which every template has. */
export function renderedTexts({ subject = '', html, text }: Message) {
  return { subject, html, text }
}
