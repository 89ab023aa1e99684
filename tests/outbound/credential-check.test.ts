import { describe, expect, it } from 'vitest'
import type { MessageFactoryId } from '../../src/contract/connectors/connectors.ts'
import type { SocialFactoryId } from '../../src/contract/social/social-connectors.ts'
import { messageConnectors, socialConnectors } from '../../src/outbound/index.ts'
import { checkClientCredentials } from '../../src/outbound/social/client-check.ts'
import {
  failureOfSending,
  messageContext,
  providerFor,
  SHORT_TIMEOUT,
  stubServers,
} from './connector-context.ts'
import { credentials, providerSecrets } from './provider-secrets.ts'
import { addressOf, configOf, socialContext } from './social/social-context.ts'

/**
 * Tests checking the credentials of a connector with its provider, without sending a message or signing in
 * (spec/connectors#credential-check).
 */

const ACCEPTED = { outcome: 'accepted', reason: null }
const { token, accessKeySecret } = providerSecrets
const from = { fromEmail: 'no-reply@example.com' }

const providers: { id: MessageFactoryId; config: object; wrong: object }[] = [
  { id: 'sendgrid-email-service', config: { apiKey: token, ...from }, wrong: { apiKey: 'other' } },
  {
    id: 'mailgun-email',
    config: { apiKey: token, domain: 'mg.example.com', ...from },
    wrong: { apiKey: 'other' },
  },
  { id: 'postmark-email', config: { serverToken: token, ...from }, wrong: { serverToken: 'other' } },
  { id: 'resend-email', config: { apiKey: token, ...from }, wrong: { apiKey: 'other' } },
  {
    id: 'aws-ses-mail',
    config: {
      accessKeyId: credentials.accessKeyId,
      accessKeySecret,
      region: 'eu-central-1',
      emailAddress: from.fromEmail,
    },
    wrong: { accessKeySecret: 'other' },
  },
  {
    id: 'twilio-short-message-service',
    config: { accountSID: credentials.twilio, authToken: token, fromMessagingServiceSID: 'MG1' },
    wrong: { authToken: 'other' },
  },
]

describe.concurrent.each(providers)('the credential check for $id', ({ id, config, wrong }) => {
  const provider = providerFor(id)
  const check = async (behaviour: string, change: object = {}, context = messageContext) =>
    messageConnectors[id].check?.({ ...config, endpoint: provider.endpoint(behaviour), ...change }, context)

  it('accepts correct credentials without sending a message', async () => {
    expect(await check('ok')).toEqual(ACCEPTED)
    const bodies = (await provider.received()).map(({ body }) => body)
    expect(bodies.filter((body) => body !== '' && body !== '{}')).toEqual([])
  })

  it('rejects wrong credentials', async () => {
    expect(await check('ok', wrong)).toEqual({ outcome: 'refused', reason: 'status 401' })
  })

  it('is inconclusive when the provider fails', async () => {
    expect(await check('failing')).toEqual({ outcome: 'unclear', reason: 'status 503' })
    const slow = check('slow', {}, { ...messageContext, timeout: SHORT_TIMEOUT })
    expect(await failureOfSending(slow)).toMatchObject({ code: 'general', detail: 'timed out' })
  })
})

describe('the SMTP credential check', () => {
  const auth = { user: 'postmaster', pass: 'pässwörd with spaces' }
  const check = (server: string, change: object = {}) => {
    const port = stubServers.mailPorts[server]
    return messageConnectors['simple-mail-transfer-protocol'].check?.(
      { host: 'localhost', port, auth, fromEmail: 'check@checked.example', ...change },
      messageContext,
    )
  }

  it('logs in without sending a message', async () => {
    for (const server of ['plain', 'loginOnly', 'startTls']) expect(await check(server)).toEqual(ACCEPTED)
    const mails: { from: string }[] = await (await fetch(stubServers.mails)).json()
    expect(mails.filter((mail) => mail.from === 'check@checked.example')).toEqual([])
  })

  it('distinguishes a rejected login from a server that fails', async () => {
    const wrong = await check('plain', { auth: { ...auth, pass: 'other' } })
    expect(wrong).toEqual({ outcome: 'refused', reason: 'the server refused the login' })
    const untrusted = check('untrusted', { secure: true })
    expect(await failureOfSending(Promise.resolve(untrusted))).toMatchObject({ code: 'general' })
  })
})

const social = Object.keys(socialConnectors) as SocialFactoryId[]
/**
 * The providers whose response to a wrong code does not reveal whether the client credentials are correct,
 * with their error codes.
 */
const vague: Partial<Record<SocialFactoryId, string>> = { 'naver-universal': 'invalid_request' }
const REFUSED = /^(?:invalid_client|incorrect_client_credentials|1|40125|isv\.invalid-signature)$/

describe.concurrent.each(social)('the credential check for %s', (id) => {
  const check = (behaviour: string, change: object = {}, context = socialContext) => {
    const config = { ...configOf(id, addressOf(id, behaviour)), ...change }
    return checkClientCredentials(socialConnectors[id], config, 'https://id.example.com/callback/c1', context)
  }
  const wrong = { clientId: 'other', appId: 'other' }

  it('accepts the correct client even though it sends a made-up code', async () => {
    const reason = vague[id]
    expect(await check('ok')).toEqual(reason ? { outcome: 'unclear', reason } : ACCEPTED)
  })

  it('rejects an unknown client', async () => {
    const change = Object.fromEntries(Object.entries(wrong).filter(([key]) => key in configOf(id, '')))
    expect(await check('ok', change)).toEqual({
      outcome: 'refused',
      reason: expect.stringMatching(REFUSED),
    })
  })

  it('is inconclusive when the provider fails', async () => {
    expect(await check('token-failing')).toMatchObject({ outcome: 'unclear', reason: 'status 503' })
  })
})
