import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertConnector, sealConfig } from '../../../src/storage/connectors/connectors.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import { auditEntries } from '../../kit/audit-entries.ts'
import { newCookieClient, ORIGIN, resumeAuthorization } from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import {
  addUser,
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
} from '../../kit/clients/social-client.ts'
import { setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests every error code of social connectors in every interaction call that returns it (spec/interaction#refusals).
 */

const SOCIAL_URI = '/verification/social-authorization-uri'
const validBody = { connectorId: 'oidc', state: 'some-state', redirectUri: `${ORIGIN}/callback/oidc` }

let app: TestApp

beforeAll(async () => {
  app = openTestApp()
  await setExperience(app, { signUp: { identifiers: [], password: false, verify: false } })
  await installUpstream(app, ['oidc', 'oauth2'])
  const endpoint = 'https://mail.example/send'
  await addConnector('mail', 'http-email', { endpoint })
  await addConnector('later', 'factory-of-another-version', {})
  await addConnector('broken', 'oidc', { issuer: env.TEST_UPSTREAM.openid })
  await addConnector('gone', 'oidc', {
    clientId: 'a',
    clientSecret: 'b',
    issuer: `${env.TEST_UPSTREAM.openid}/nowhere`,
  })
})

/** Inserts a connector directly, even with a configuration that the management API would reject. */
async function addConnector(id: string, connectorId: string, config: Record<string, unknown>) {
  const seals = createSeals(app.env.ROOT_SECRET ?? '')
  const sealed = await sealConfig({ seals }, 'default', id, config)
  await insertConnector(openD1(app.env.DB), 'default', {
    id,
    connectorId,
    config: sealed,
    metadata: {},
    syncProfile: false,
    createdAt: 0,
  })
}

async function startSignIn() {
  const interaction = await beginSocialInteraction(app)
  expect((await interaction.start('SignIn')).status).toBe(204)
  return interaction
}

describe('POST social-authorization-uri', () => {
  it('returns session.not_found without a cookie', async () => {
    const response = await newCookieClient(app).send('POST', `/api/interaction${SOCIAL_URI}`, validBody)
    expect((await outcomeOf(response)).slice(0, 2)).toEqual([400, 'session.not_found'])
  })

  it('returns session.verification_session_not_found for any connector before PUT / is called', async () => {
    const interaction = await beginSocialInteraction(app)
    for (const connectorId of ['oidc', 'nothing', 'mail']) {
      expect(await outcomeOf(await interaction.ask(connectorId, ''))).toEqual([
        404,
        'session.verification_session_not_found',
      ])
    }
  })

  it.each([
    {},
    { ...validBody, connectorId: 1 },
    { ...validBody, state: undefined },
    { ...validBody, redirectUri: undefined },
    { ...validBody, redirectUri: 'nonsense' },
    { ...validBody, redirectUri: 'javascript:alert(1)' },
    { ...validBody, redirectUri: 'app://callback' },
  ])('returns guard.invalid_input for the body %o', async (body) => {
    const response = await (await startSignIn()).call('POST', SOCIAL_URI, body)
    expect((await outcomeOf(response)).slice(0, 2)).toEqual([400, 'guard.invalid_input'])
  })

  it.each([
    { what: 'no state', body: { ...validBody, state: '' }, expected: [400, 'session.insufficient_info'] },
    {
      what: 'no redirect URI',
      body: { ...validBody, redirectUri: '' },
      expected: [400, 'session.insufficient_info'],
    },
    {
      what: 'neither of them, with an unknown connector',
      body: { connectorId: 'nothing', state: '', redirectUri: '' },
      expected: [400, 'session.insufficient_info'],
    },
    {
      what: 'an unknown connector',
      body: { ...validBody, connectorId: 'nothing' },
      expected: [404, 'entity.not_found'],
    },
    {
      what: 'a connector of an unknown factory',
      body: { ...validBody, connectorId: 'later' },
      expected: [404, 'entity.not_found'],
    },
    {
      what: 'an e-mail connector',
      body: { ...validBody, connectorId: 'mail' },
      expected: [400, 'connector.unexpected_type'],
    },
    {
      what: 'a connector with an incomplete configuration',
      body: { ...validBody, connectorId: 'broken', redirectUri: `${ORIGIN}/callback/broken` },
      expected: [400, 'connector.invalid_config'],
    },
    {
      what: 'an unreachable provider',
      body: { ...validBody, connectorId: 'gone', redirectUri: `${ORIGIN}/callback/gone` },
      expected: [400, 'connector.general'],
    },
  ])('returns $expected for $what', async ({ body, expected }) => {
    const response = await (await startSignIn()).call('POST', SOCIAL_URI, body)
    expect((await outcomeOf(response)).slice(0, 2)).toEqual(expected)
  })

  it('[RFC7636-4.1] returns an authorization request with PKCE and a nonce, and stores it encrypted', async () => {
    const interaction = await startSignIn()
    const response = await interaction.call('POST', SOCIAL_URI, validBody)
    expect(response.status).toBe(200)
    const { redirectTo } = (await response.json()) as { redirectTo: string }
    const { origin, searchParams } = new URL(redirectTo)
    expect(origin).toBe(env.TEST_UPSTREAM.openid)
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: expect.any(String),
      redirect_uri: validBody.redirectUri,
      scope: 'openid profile email phone',
      state: validBody.state,
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const { keys } = await env.INTERACTIONS.list({ prefix: `interaction:${interaction.uid}:` })
    const nonce = searchParams.get('nonce') ?? ''
    for (const { name } of keys) expect(await env.INTERACTIONS.get(name)).not.toContain(nonce)
  })
})

/** The two calls that accept a social identifier, which return the same errors. */
const identifierCalls = [
  ['PUT /', (interaction, identifier) => interaction.start('SignIn', { identifier })],
  ['PATCH /identifiers', (interaction, identifier) => interaction.call('PATCH', '/identifiers', identifier)],
] satisfies [
  string,
  (interaction: Awaited<ReturnType<typeof beginSocialInteraction>>, identifier: object) => Promise<Response>,
][]

describe.each(identifierCalls)('%s with a social identifier', (_, send) => {
  it.each(['nothing', 'mail', 'later'])(
    'returns session.invalid_connector_id for the connector "%s"',
    async (connectorId) => {
      const response = await send(await startSignIn(), { connectorId, connectorData: { code: 'c' } })
      expect(await outcomeOf(response)).toEqual([422, 'session.invalid_connector_id', { connectorId }])
    },
  )

  it('returns session.connector_validation_session_not_found without a connector session', async () => {
    const response = await send(await startSignIn(), { connectorId: 'oidc', connectorData: { code: 'c' } })
    expect(await outcomeOf(response)).toEqual([400, 'session.connector_validation_session_not_found'])
  })

  it.each([{ email: 'ann@upstream.example' }, { phone: '491510000001' }])(
    'returns session.connector_session_not_found for an address that no provider has verified: %o',
    async (address) => {
      const response = await send(await startSignIn(), { connectorId: 'oidc', ...address })
      expect(await outcomeOf(response)).toEqual([400, 'session.connector_session_not_found'])
    },
  )
})

describe('PATCH /identifiers with a provider response', () => {
  it('returns connector.authorization_failed and allows another attempt if the user denied access', async () => {
    const interaction = await startSignIn()
    expect(await outcomeOf(await interaction.proveBy('oidc', null))).toEqual([
      401,
      'connector.authorization_failed',
      { error: 'access_denied', error_description: 'The user refused' },
    ])
    expect((await interaction.proveBy('oidc', await newProviderAccount())).status).toBe(204)
  })

  it.each(['oidc', 'oauth2'])(
    'returns connector.social_auth_code_invalid for an invalid code from %s',
    async (id) => {
      const interaction = await startSignIn()
      const data = await interaction.signInAtProvider(id, await newProviderAccount())
      expect((await outcomeOf(await interaction.show(id, { ...data, code: 'another' }))).slice(0, 2)).toEqual(
        [401, 'connector.social_auth_code_invalid'],
      )
    },
  )

  it('returns connector.general if the response contains no code', async () => {
    const interaction = await startSignIn()
    const { code: _, ...data } = await interaction.signInAtProvider('oidc', await newProviderAccount())
    const response = await interaction.show('oidc', data)
    // The specification: "Default message: 'Connector error occurred.'"
    expect(await response.clone().json()).toMatchObject({
      message: 'Connector error occurred. Please try again later.',
    })
    expect((await outcomeOf(response)).slice(0, 2)).toEqual([400, 'connector.general'])
  })

  it('accepts an address only from the connector that verified it and only in the same spelling', async () => {
    const providerAccount = await newProviderAccount({
      email: 'Exact@upstream.example',
      phone: '49151000',
      isVerified: true,
    })
    const interaction = await startSignIn()
    expect((await interaction.proveBy('oidc', providerAccount)).status).toBe(204)
    const claim = async (identifier: object) =>
      (await interaction.call('PATCH', '/identifiers', identifier)).status
    expect(await claim({ connectorId: 'oauth2', email: providerAccount.email })).toBe(400)
    expect(await claim({ connectorId: 'oidc', email: 'exact@upstream.example' })).toBe(400)
    expect(await claim({ connectorId: 'oidc', phone: '+49 151000' })).toBe(400)
    expect(await claim({ connectorId: 'oidc', email: providerAccount.email })).toBe(204)
    expect(await claim({ connectorId: 'oidc', phone: '49151000' })).toBe(204)
    expect(await claim({ connectorId: 'oidc', phone: '+49151000' })).toBe(204)
  })
})

describe('POST /submit', () => {
  it('returns session.connector_session_not_found if the profile names a connector without a verified identity', async () => {
    const interaction = await beginSocialInteraction(app)
    await interaction.start('Register', { profile: { connectorId: 'oidc' } })
    expect(await outcomeOf(await interaction.submit())).toEqual([404, 'session.connector_session_not_found'])
    // An identity that was verified through another connector is not accepted.
    await interaction.proveBy('oauth2', await newProviderAccount())
    expect(await outcomeOf(await interaction.submit())).toEqual([404, 'session.connector_session_not_found'])
  })
})

it('the three calls of a social sign-in need 1, 1 and 2 round trips and write audit entries (spec/management#audit-keys)', async () => {
  const providerAccount = await newProviderAccount({ email: 'logged@upstream.example', isVerified: true })
  const userId = await addUser(app, { identity: ['oidc', providerAccount.id] })
  const interaction = await beginSocialInteraction(app)
  await interaction.start('SignIn')
  const data = await interaction.signInAtProvider('oidc', providerAccount)
  const readLatest = async () => (await auditEntries(app.env.DB)).slice(-5)
  // The audit entries are kept in the interaction until the user has verified an identity
  // (spec/storage#interaction-rows).
  const before = (await readLatest()).at(-1)

  app.trips()
  expect((await interaction.show('oidc', data)).status).toBe(204)
  expect(app.trips().awaited).toBe(1)
  const entries = await readLatest()
  expect(before?.key).toBe('Interaction.Register.Submit')
  const payload = { connectorId: 'oidc', result: 'Success' }
  expect(entries.slice(1)).toMatchObject([
    { key: 'Interaction.Create', payload: { interactionId: interaction.uid } },
    { key: 'Interaction.SignIn.Update', payload: { count: 2 } },
    { key: 'Interaction.SignIn.Identifier.Social.Create', payload },
    { key: 'Interaction.SignIn.Identifier.Social.Submit', payload },
  ])
  expect(JSON.stringify(entries)).not.toContain(data.code)

  const submitted = await interaction.submit()
  expect(app.trips().awaited).toBe(2)
  expect((await readLatest()).slice(-2)).toMatchObject([
    { key: 'Interaction.SignIn.Submit', payload: { userId } },
    { key: 'Interaction.End', payload: { userId } },
  ])
  expect((await resumeAuthorization(interaction.client, submitted)).searchParams.get('code')).toBeTruthy()

  const another = await beginSocialInteraction(app)
  await another.start('Register')
  app.trips()
  await another.ask('oidc')
  expect(app.trips().awaited).toBe(1)
})
