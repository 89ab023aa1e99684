import type { z } from 'zod'
import { checkWithEmptyMessage } from '../credential-check.ts'
import {
  type Message,
  type MessageConnector,
  type MessageConnectorDefinition,
  messageConnector,
} from './message.ts'
import { checkReceipt, type MessageCall, postToProvider } from './message-call.ts'

/** Describes, as data, a provider that accepts each message in one call, with the credentials in a header. */
type MessageApi<Config, Receipt> = Omit<MessageConnectorDefinition<Config>, 'send' | 'check'> & {
  /** Returns the URL to which messages are posted, and the headers with the credentials. */
  call(config: Config): Pick<MessageCall, 'url' | 'headers'>
  format: 'json' | 'form'
  /** Returns the request body. Undefined values are omitted. */
  content(config: Config, message: Message & { subject: string }): Record<string, unknown>
  /** The schema of the response to an accepted message. If absent, a 2xx status is sufficient. */
  receipt?: z.ZodType<Receipt>
  /** Checks whether the provider accepted the message. Needed if a response of the same shape may report an error. */
  isAccepted?(receipt: Receipt): boolean
}

const formats = {
  json: { type: 'application/json', encode: (content: object) => JSON.stringify(content), empty: '{}' },
  form: {
    type: 'application/x-www-form-urlencoded',
    encode: (content: object) =>
      new URLSearchParams(Object.entries(content).filter(([, value]) => value !== undefined)).toString(),
    empty: '',
  },
}

export function messageApiConnector<Config extends { endpoint?: string | undefined }, Receipt>({
  call,
  format,
  content,
  receipt,
  isAccepted,
  ...data
}: MessageApi<Config, Receipt>): MessageConnector {
  const { type, encode, empty } = formats[format]
  const callWith = (config: Config, body: string): MessageCall => {
    const { url, headers } = call(config)
    return { url: config.endpoint ?? url, headers: { ...headers, 'content-type': type }, body }
  }
  return messageConnector({
    ...data,
    async send(config, message, context) {
      const body = encode(content(config, { ...message, subject: message.subject ?? '' }))
      const answer = await postToProvider(callWith(config, body), context)
      if (receipt) checkReceipt(answer, receipt, isAccepted)
    },
    check: (config, context) => checkWithEmptyMessage(callWith(config, empty), context),
  })
}
