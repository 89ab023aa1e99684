/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from 'vitest'
import { formItemTypes, messageConnectorTypes } from '../../src/contract/connectors/connectors.ts'
import { type SocialFactory, socialFactories } from '../../src/contract/social/social-connectors.ts'
import { writeConfigValue } from '../../src/domain/connectors/config-value.ts'
import {
  findMessageFactory,
  findSocialConnector,
  messageConnectors,
  socialConnectors,
} from '../../src/outbound/index.ts'
import { cloudflareEmail } from '../../src/outbound/messages/cloudflare-email.ts'
import { findUnknownKeys } from '../../src/outbound/unknown-keys.ts'
import { emailMessage, failureOfSending, messageContext, SHORT_TIMEOUT } from './connector-context.ts'

const all = Object.entries(messageConnectors)

describe.each(all)('the connector %s', (id, connector) => {
  it('is registered under its id and has the type that the contract lists', () => {
    expect(findMessageFactory(id)).toBe(connector)
    expect(Object.entries(messageConnectorTypes)).toContainEqual([id, connector.type])
  })

  it('has a form with all its configuration fields', () => {
    const keys = connector.formItems.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(connector.formItems.filter(({ type }) => !formItemTypes.includes(type))).toEqual([])
    // The form has a field for every property that an empty configuration lacks, including required ones
    // without a default.
    const missing = connector.config.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? []
    const isFilled = (key: string) =>
      connector.formItems.some((item) => item.key === key && item.defaultValue !== undefined)
    expect(missing.filter((key) => !keys.includes(key))).toEqual([])
    const required = connector.formItems.filter((item) => item.required).map(({ key }) => key)
    expect(required.filter((key) => !missing.includes(key) && !isFilled(key))).toEqual([])
  })

  it.runIf(connector.formItems.some(({ key }) => key === 'endpoint'))(
    'rejects a stored endpoint that is not a URL',
    () => {
      const issues = connector.config.safeParse({ endpoint: 'smtp.example.com' }).error?.issues ?? []
      expect(issues.map(({ path }) => path[0])).toContain('endpoint')
    },
  )

  it('marks each of its secrets as secret', () => {
    const secrets = connector.formItems.filter(({ key }) => /secret|token|key|auth$/i.test(key))
    expect(secrets.filter(({ isSecret, key }) => !isSecret && key !== 'authentication')).toEqual([])
  })
})

const logos = import.meta.glob<string>('../../client/public/connectors/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const logoAt = (path: string) => logos[`../../client/public${path}`]
const rows: [string, SocialFactory][] = Object.entries(socialFactories)

describe.each(rows)('the social connector %s', (id, row) => {
  it('is registered under its id and has an English description', () => {
    const connector = findSocialConnector(id)
    expect(connector?.factoryId).toBe(id)
    expect(connector?.description.en).toBeTruthy()
    expect(row.name.en).toBeTruthy()
  })

  it('has a form without duplicate keys', () => {
    const keys = findSocialConnector(id)?.formItems.map(({ key }) => key) ?? []
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has small logos that load no external resources', () => {
    for (const path of [row.logo, ...(row.logoDark ? [row.logoDark] : [])]) {
      const logo = logoAt(path) ?? ''
      expect(logo).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1">/)
      expect(logo).not.toMatch(/href|script|style|url\(/)
      expect(logo.length).toBeLessThan(4_000)
    }
  })

  it('has a second logo for dark mode if and only if its logo is black or white', () => {
    const colours = logoAt(row.logo)?.match(/#[\da-f]{3,6}/gi) ?? []
    expect(colours).not.toEqual([])
    const isPlain = colours.every((colour) => /^#(?:000|181717|fff)$/i.test(colour))
    expect(isPlain).toBe(row.logoDark !== undefined)
  })
})

it.each([...all, ...Object.entries(socialConnectors)])(
  '%s reports keys without a form field as unknown',
  (_id, { config, formItems }) => {
    const filled = formItems.reduce((before, { key }) => writeConfigValue(before, key, 'text'), {})
    expect(findUnknownKeys(config, { ...filled, Endpoint: '', constructor: 1 })).toEqual([
      { path: [], key: 'Endpoint' },
      { path: [], key: 'constructor' },
    ])
  },
)

it('every logo is used by a social connector', () => {
  const used = rows.flatMap(([, { logo, logoDark }]) => [logo, logoDark ?? []].flat())
  expect(Object.keys(logos).map((path) => path.replace('../../client/public', ''))).toEqual(used.sort())
})

it('an unknown name matches no factory', () => {
  expect(findSocialConnector('toString')).toBeNull()
  expect(findSocialConnector('demo-google')).toBeNull()
  expect(Object.keys(socialConnectors)).toHaveLength(rows.length)
  expect(findMessageFactory('toString')).toBeNull()
  expect(findMessageFactory('dev-inbox')).toBeNull()
})

describe('Cloudflare’s mail service', () => {
  const config = { fromEmail: 'no-reply@example.com', fromName: 'Example' }

  it('sends a message through its binding', async () => {
    const sent: unknown[] = []
    const sendEmail = {
      async send(message: unknown) {
        sent.push(message)
        return { messageId: '1' }
      },
    }
    await cloudflareEmail.send({ ...config, replyTo: 'help@example.com' }, emailMessage, {
      ...messageContext,
      sendEmail,
    })
    expect(sent).toEqual([
      {
        from: { name: 'Example', email: 'no-reply@example.com' },
        to: emailMessage.to,
        replyTo: 'help@example.com',
        subject: emailMessage.subject,
        text: emailMessage.text,
        html: emailMessage.html,
      },
    ])
  })

  it.each([
    {
      why: 'rejects the message',
      send: () => Promise.reject(new Error('destination address not allowed')),
      detail: 'not allowed',
    },
    { why: 'does not respond in time', send: () => new Promise<never>(() => undefined), detail: 'timed out' },
  ])('fails when the binding $why', async ({ send, detail }) => {
    const failure = await failureOfSending(
      cloudflareEmail.send(config, emailMessage, {
        ...messageContext,
        timeout: SHORT_TIMEOUT,
        sendEmail: { send },
      }),
    )
    expect(failure).toMatchObject({
      code: 'general',
      data: undefined,
      detail: expect.stringContaining(detail),
    })
  })

  it('fails when the deployment has no binding', async () => {
    expect(await failureOfSending(cloudflareEmail.send(config, emailMessage, messageContext))).toMatchObject({
      code: 'invalid_config',
    })
  })
})
