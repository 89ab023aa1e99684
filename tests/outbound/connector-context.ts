import { connect } from 'cloudflare:sockets'
import { env } from 'cloudflare:workers'
import { ConnectorFailure } from '../../src/outbound/failure.ts'
import type { Message, MessageContext } from '../../src/outbound/messages/message.ts'
import { TEST_NOW } from '../storage/databases.ts'
import type { ReceivedRequest } from './provider-server.ts'

export const stubServers = env.TEST_PROVIDER_STUBS

export const MESSAGE_CODE = '482913'

/** A context with the real network and a fixed clock. */
export const messageContext: MessageContext = {
  fetch: (address, init) => fetch(address, init),
  connect,
  now: () => TEST_NOW,
  timeout: 10_000,
  requiresTls: false,
  allowPrivateTargets: true,
}

/** The timeout in milliseconds for requests to providers that never respond. */
export const SHORT_TIMEOUT = 300 // ms

export const emailMessage: Message = {
  to: 'ann@example.com',
  type: 'SignIn',
  code: MESSAGE_CODE,
  language: 'fr',
  host: 'id.example.com',
  subject: 'Votre code – 482913',
  text: 'Votre code\u00a0: 482913 & plus',
  html: '<p>482913</p>',
}
export const smsMessage: Message = {
  ...emailMessage,
  to: '33612345678',
  text: '482913 est votre code.\n\n@id.example.com #482913',
}

/**
 * Returns the endpoints of a stub provider for a single test, and a function that reads the requests that
 * they received.
 */
export function providerFor(provider: string) {
  const caller = crypto.randomUUID()
  return {
    endpoint: (behaviour: string) => `${stubServers.providers}/${caller}/${behaviour}/${provider}`,
    async received(): Promise<ReceivedRequest[]> {
      const response = await fetch(`${stubServers.providers}/${caller}/received`)
      return response.json()
    },
  }
}

/** Returns the error of a connector's call, which is expected to fail. */
export async function failureOfSending(sending: Promise<unknown>): Promise<ConnectorFailure> {
  const error: unknown = await sending.then(
    () => new Error('It was sent'),
    (reason: unknown) => reason,
  )
  if (error instanceof ConnectorFailure) return error
  throw error
}
