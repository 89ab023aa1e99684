import type { R2Bucket, SendEmail, Socket, SocketAddress, SocketOptions } from '@cloudflare/workers-types'
import type { z } from 'zod'
import type { FormItem, MessageConnectorType, MessageFactoryId, MessageType } from '../contract/connectors.ts'
import { outboundProblem } from '../domain/outbound-address.ts'
import { ConnectorFailure } from './failure.ts'

/** The one contract of everything that sends an e-mail or an SMS. Read one connector and you have read them all. */

/** What is to be said to whom. The texts are rendered already (`templates.ts`); a provider with texts of its own takes the code. */
export type Message = {
  to: string
  type: MessageType
  code: string
  language: string
  /** Where the code is to be typed. */
  host: string
  subject?: string | undefined
  html?: string | undefined
  text?: string | undefined
}

/** How a connector reaches the world. */
export type Network = {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  connect?: ((address: SocketAddress, options: SocketOptions) => Socket) | undefined
  /** The binding of Cloudflare's own mail service, where there is one. */
  sendEmail?: SendEmail | undefined
  /** The bucket for uploads, where there is one. */
  assetBucket?: R2Bucket | undefined
}

export type ConnectorContext = Network & {
  now(): number
  /** Milliseconds a provider may take. */
  timeout: number
  /** Outside development nothing leaves without TLS. */
  requiresTls: boolean
  /** A provider may be on this machine in development alone. */
  allowPrivateTargets: boolean
}

type Definition<Config> = {
  factoryId: MessageFactoryId
  target: string
  type: MessageConnectorType
  name: Record<string, string>
  description: Record<string, string>
  isStandard?: boolean
  config: z.ZodType<Config>
  formItems: readonly FormItem[]
  send(config: Config, message: Message, context: ConnectorContext): Promise<void>
}

export type MessageConnector = Omit<Definition<unknown>, 'send'> & {
  /** Judges the configuration first; throws a ConnectorFailure for whatever goes wrong. */
  send(config: unknown, message: Message, context: ConnectorContext): Promise<void>
}

export function messageConnector<Config>(definition: Definition<Config>): MessageConnector {
  return {
    ...definition,
    async send(config, message, context) {
      const parsed = parseConfig(definition, config)
      refuseBadAddress(definition.type, message.to)
      await definition.send(parsed, message, context)
    },
  }
}

/**
 * Where a configuration leads: providers are on the public internet. Asked when it is stored and whenever it is used;
 * every connector names its servers by such fields.
 */
export function refusePrivateTargets(
  config: Readonly<Record<string, unknown>>,
  context: Pick<ConnectorContext, 'allowPrivateTargets'>,
): void {
  for (const [path, value] of Object.entries(config)) {
    if (typeof value !== 'string' || !value || !NAMES_A_SERVER.test(path)) continue
    const message = outboundProblem(path === 'host' ? asAddress(value) : value, context)
    if (message) throw new ConnectorFailure('invalid_config', { data: { issues: [{ path, message }] } })
  }
}

const NAMES_A_SERVER = /^(?:host|issuer|cloudInstance|jwksUri|endpoint|\w+Endpoint)$/

const asAddress = (host: string) => `https://${host.includes(':') ? `[${host}]` : host}/`

/** Also for whoever stores a configuration. Which fields are wrong is said, what they hold is not. */
export function parseConfig<Config>({ config }: { config: z.ZodType<Config> }, given: unknown): Config {
  const parsed = config.safeParse(given)
  if (parsed.success) return parsed.data
  throw new ConnectorFailure('invalid_config', {
    data: { issues: parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) },
  })
}

/** One recipient, whatever the protocol takes for a separator: an address of the API may hold a comma (contract 1.2). */
const ONE_ADDRESS = { Email: /^[^\s<>()[\],;:"\\]+@[^\s<>()[\],;:"\\@]+$/, Sms: /^\d+$/ }

function refuseBadAddress(type: MessageConnectorType, to: string): void {
  if (!ONE_ADDRESS[type].test(to)) throw new ConnectorFailure('invalid_request_parameters')
}

/** What every renderer fills in; that it is missing is a mistake of ours. */
export function rendered({ subject = '', html, text }: Message) {
  return { subject, html, text }
}
