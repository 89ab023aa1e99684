import { beforeAll, describe, expect, it } from 'vitest'
import { freshName, ORIGIN, PASSWORD } from '../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  freshPhone,
  outcomeOf,
} from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { newReceiver } from '../kit/receiver.ts'
import { shortDeadlines } from '../kit/short-deadlines.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expectAllDelivered, hookedReceiver, SETUP_MS } from './account-fixtures.ts'
import { rowCount } from './account-invariants.ts'

/** Servers that accept a request but never respond, or never finish the response. */
const hanging = () => newReceiver({ delay: 120_000 })
const dripping = () => newReceiver({ drips: true })

/** The timeout of a call to a provider (spec/connectors#provider-calls). */
const CALL_TIMEOUT = 5_000 // ms

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  await setTenantSettings(app, { allowPrivateTargets: true })
  await setExperience(app, {
    methods: everyMethod,
    signUp: { identifiers: ['username'], password: true, verify: false },
  })
}, SETUP_MS)

const install = async (connectorId: string, config: object, more: object = {}) => {
  const installed = await operator.send('POST', '/connectors', { connectorId, config, ...more })
  expect(installed.status).toBe(200)
  return (await installed.json()) as { id: string }
}

describe('a message service', () => {
  /**
   * Checks that the message could not be sent, and that the same interaction can continue with another
   * message service.
   */
  async function expectFailedCode(address: { email: string } | { phone: string }, connector: { id: string }) {
    const interaction = await beginInteraction(openTestApp())
    await interaction.start('SignIn')
    expect(await outcomeOf(await interaction.sendCode(address))).toEqual([400, 'connector.general'])
    expect((await operator.send('DELETE', `/connectors/${connector.id}`)).status).toBe(204)
    expect((await interaction.sendCode(address)).status).toBe(204)
    const proof = { ...address, verificationCode: await codeTo(app, address) }
    expect((await interaction.call('PATCH', '/identifiers', proof)).status).toBe(204)
    const [to = ''] = Object.values(address)
    // The failure and the message are each logged once, and the message counts towards every limit of the
    // address.
    expect(
      await rowCount(
        "service_logs where json_extract(payload, '$.result') = 'Error' and type = ?",
        typeOf(address),
      ),
    ).toBe(1)
    expect(await rowCount('counters where key like ? and count = 2 and burst_count = 2', `%${to}%`)).toBe(1)
  }
  const typeOf = (address: object) => ('email' in address ? 'sendEmail' : 'sendSms')

  it('times out if it never responds to an email', { timeout: SETUP_MS }, async () => {
    const { hostname, port } = new URL((await hanging()).url)
    const connector = await install('simple-mail-transfer-protocol', {
      host: hostname,
      port: Number(port),
      fromEmail: 'Vestibule <no-reply@example.com>',
      socketTimeout: 300,
    })
    await expectFailedCode({ email: freshEmail() }, connector)
  })

  it('times out if its response to an SMS never ends', { timeout: SETUP_MS }, async () => {
    const { url } = await dripping()
    const connector = await install('http-sms', { endpoint: url, authentication: 'None' })
    const deadlines = shortDeadlines()
    await expectFailedCode({ phone: freshPhone() }, connector)
    expect(deadlines()).toContain(CALL_TIMEOUT)
  })
})

describe('a social provider', () => {
  it.each([
    ['never responds', hanging],
    ['never ends its response', dripping],
  ] as const)(
    'times out if it %s, and the user can still register with a password',
    { timeout: SETUP_MS },
    async (_how, server) => {
      const { url } = await server()
      const connectorId = `oidc-${freshName()}`
      await install(
        'oidc',
        { issuer: url, clientId: 'vestibule', clientSecret: 'a secret', scope: 'openid' },
        { id: connectorId, metadata: { target: connectorId, name: { en: 'Hanging' } } },
      )
      // Add the targets directly in the database, because the cases run concurrently and each adds its own
      // target.
      await app.env.DB.prepare(
        "update sign_in_experiences set social_sign_in_connector_targets = json_insert(social_sign_in_connector_targets, '$[#]', ?)",
      )
        .bind(connectorId)
        .run()
      const interaction = await beginInteraction(openTestApp())
      await interaction.start('SignIn')
      const deadlines = shortDeadlines()
      const refused = await interaction.call('POST', '/verification/social-authorization-uri', {
        connectorId,
        state: `${interaction.uid}.state`,
        redirectUri: `${ORIGIN}/callback/${connectorId}`,
      })
      expect(await outcomeOf(refused)).toEqual([400, 'connector.general'])
      expect(deadlines()).toContain(CALL_TIMEOUT)
      await interaction.start('Register', { profile: { username: freshName(), password: PASSWORD } })
      expect((await interaction.submit()).status).toBe(200)
    },
  )
})

describe('a webhook whose receiver has not responded yet', () => {
  it('does not delay requests, and is delivered later', async () => {
    const receiver = await hookedReceiver(['PostRegister'])
    await receiver.behave({ isHeld: true, status: 503 })
    const freshApp = openTestApp()
    const interaction = await beginInteraction(freshApp)
    await interaction.start('Register', { profile: { username: freshName(), password: PASSWORD } })
    const { response, settled } = await freshApp.answer('/api/interaction/submit', {
      method: 'POST',
      headers: {
        Interaction: interaction.uid,
        cookie: interaction.client.cookieHeader('/api/interaction/submit'),
      },
    })
    expect(response.status).toBe(200)
    await expect.poll(() => receiver.received()).toHaveLength(1)
    expect(await rowCount("outbox where status = 'pending'")).toBe(1)
    await receiver.behave({})
    await settled
    expect(await rowCount("outbox where status = 'pending'")).toBe(1)
    await expectAllDelivered(receiver)
  })
})
