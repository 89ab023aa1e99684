import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertConnector, sealConfig } from '../../../src/storage/connectors/connectors.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { createSeals } from '../../../src/storage/seal.ts'
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

/** Each code of a social connector by each call that answers it (spec/interaction#refusals). */

const SOCIAL_URI = '/verification/social-authorization-uri'
const asked = { connectorId: 'oidc', state: 'some-state', redirectUri: `${ORIGIN}/callback/oidc` }

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

/** Also configurations that the management API refuses. */
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

async function started() {
  const interaction = await beginSocialInteraction(app)
  expect((await interaction.start('SignIn')).status).toBe(204)
  return interaction
}

describe('POST social-authorization-uri', () => {
  it('session.not_found 400 without a cookie', async () => {
    const response = await newCookieClient(app).send('POST', `/api/interaction${SOCIAL_URI}`, asked)
    expect((await outcomeOf(response)).slice(0, 2)).toEqual([400, 'session.not_found'])
  })

  it('session.verification_session_not_found 404 before PUT /, for any connector', async () => {
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
    { ...asked, connectorId: 1 },
    { ...asked, state: undefined },
    { ...asked, redirectUri: undefined },
    { ...asked, redirectUri: 'nonsense' },
    { ...asked, redirectUri: 'javascript:alert(1)' },
    { ...asked, redirectUri: 'app://callback' },
  ])('guard.invalid_input 400 for %o', async (body) => {
    const response = await (await started()).call('POST', SOCIAL_URI, body)
    expect((await outcomeOf(response)).slice(0, 2)).toEqual([400, 'guard.invalid_input'])
  })

  it.each([
    { what: 'no state', body: { ...asked, state: '' }, refused: [400, 'session.insufficient_info'] },
    { what: 'no way back', body: { ...asked, redirectUri: '' }, refused: [400, 'session.insufficient_info'] },
    {
      what: 'neither, of an unknown connector',
      body: { connectorId: 'nothing', state: '', redirectUri: '' },
      refused: [400, 'session.insufficient_info'],
    },
    {
      what: 'an unknown connector',
      body: { ...asked, connectorId: 'nothing' },
      refused: [404, 'entity.not_found'],
    },
    {
      what: 'one of an unknown factory',
      body: { ...asked, connectorId: 'later' },
      refused: [404, 'entity.not_found'],
    },
    {
      what: 'one that sends mail',
      body: { ...asked, connectorId: 'mail' },
      refused: [400, 'connector.unexpected_type'],
    },
    {
      what: 'an incomplete configuration',
      body: { ...asked, connectorId: 'broken', redirectUri: `${ORIGIN}/callback/broken` },
      refused: [400, 'connector.invalid_config'],
    },
    {
      what: 'a provider that is not there',
      body: { ...asked, connectorId: 'gone', redirectUri: `${ORIGIN}/callback/gone` },
      refused: [400, 'connector.general'],
    },
  ])('is refused for $what: $refused', async ({ body, refused }) => {
    const response = await (await started()).call('POST', SOCIAL_URI, body)
    expect((await outcomeOf(response)).slice(0, 2)).toEqual(refused)
  })

  it('[RFC7636-4.1] answers the authorization request with state, redirect URI, PKCE and nonce, and stores none of it in clear', async () => {
    const interaction = await started()
    const response = await interaction.call('POST', SOCIAL_URI, asked)
    expect(response.status).toBe(200)
    const { redirectTo } = (await response.json()) as { redirectTo: string }
    const { origin, searchParams } = new URL(redirectTo)
    expect(origin).toBe(env.TEST_UPSTREAM.openid)
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: expect.any(String),
      redirect_uri: asked.redirectUri,
      scope: 'openid profile email phone',
      state: asked.state,
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const { keys } = await env.INTERACTIONS.list({ prefix: `interaction:${interaction.uid}:` })
    const nonce = searchParams.get('nonce') ?? ''
    for (const { name } of keys) expect(await env.INTERACTIONS.get(name)).not.toContain(nonce)
  })
})

/** PUT / and PATCH /identifiers answer the same. */
const identifierCalls = [
  ['PUT /', (interaction, identifier) => interaction.start('SignIn', { identifier })],
  ['PATCH /identifiers', (interaction, identifier) => interaction.call('PATCH', '/identifiers', identifier)],
] satisfies [
  string,
  (interaction: Awaited<ReturnType<typeof beginSocialInteraction>>, identifier: object) => Promise<Response>,
][]

describe.each(identifierCalls)('a social identifier sent to %s', (_, send) => {
  it.each(['nothing', 'mail', 'later'])(
    'session.invalid_connector_id 422 for connector %s',
    async (connectorId) => {
      const response = await send(await started(), { connectorId, connectorData: { code: 'c' } })
      expect(await outcomeOf(response)).toEqual([422, 'session.invalid_connector_id', { connectorId }])
    },
  )

  it('session.connector_validation_session_not_found 400 without a connector session', async () => {
    const response = await send(await started(), { connectorId: 'oidc', connectorData: { code: 'c' } })
    expect(await outcomeOf(response)).toEqual([400, 'session.connector_validation_session_not_found'])
  })

  it.each([{ email: 'ann@upstream.example' }, { phone: '491510000001' }])(
    'session.connector_session_not_found 400 for %o that no provider has named',
    async (address) => {
      const response = await send(await started(), { connectorId: 'oidc', ...address })
      expect(await outcomeOf(response)).toEqual([400, 'session.connector_session_not_found'])
    },
  )
})

describe('PATCH /identifiers with the answer of the provider', () => {
  it('connector.authorization_failed 401 when the user refuses there, and another attempt can start', async () => {
    const interaction = await started()
    expect(await outcomeOf(await interaction.proveBy('oidc', null))).toEqual([
      401,
      'connector.authorization_failed',
      { error: 'access_denied', error_description: 'The user refused' },
    ])
    expect((await interaction.proveBy('oidc', await newProviderAccount())).status).toBe(204)
  })

  it.each(['oidc', 'oauth2'])('connector.social_auth_code_invalid 401 for a wrong code of %s', async (id) => {
    const interaction = await started()
    const data = await interaction.signInAtProvider(id, await newProviderAccount())
    expect((await outcomeOf(await interaction.show(id, { ...data, code: 'another' }))).slice(0, 2)).toEqual([
      401,
      'connector.social_auth_code_invalid',
    ])
  })

  it('connector.general 400 without a code', async () => {
    const interaction = await started()
    const { code: _, ...data } = await interaction.signInAtProvider('oidc', await newProviderAccount())
    expect((await outcomeOf(await interaction.show('oidc', data))).slice(0, 2)).toEqual([
      400,
      'connector.general',
    ])
  })

  it('accepts an address of the same connector in the same spelling only', async () => {
    const providerAccount = await newProviderAccount({
      email: 'Exact@upstream.example',
      phone: '49151000',
      isVerified: true,
    })
    const interaction = await started()
    expect((await interaction.proveBy('oidc', providerAccount)).status).toBe(204)
    const claim = async (identifier: object) =>
      (await interaction.call('PATCH', '/identifiers', identifier)).status
    expect(await claim({ connectorId: 'oauth2', email: providerAccount.email })).toBe(400)
    expect(await claim({ connectorId: 'oidc', email: 'exact@upstream.example' })).toBe(400)
    expect(await claim({ connectorId: 'oidc', phone: '+49151000' })).toBe(400)
    expect(await claim({ connectorId: 'oidc', email: providerAccount.email })).toBe(204)
    expect(await claim({ connectorId: 'oidc', phone: '49151000' })).toBe(204)
  })
})

describe('POST /submit', () => {
  it('session.connector_session_not_found 404 when the profile names a connector without proof', async () => {
    const interaction = await beginSocialInteraction(app)
    await interaction.start('Register', { profile: { connectorId: 'oidc' } })
    expect(await outcomeOf(await interaction.submit())).toEqual([404, 'session.connector_session_not_found'])
    // Also with a proof of another connector.
    await interaction.proveBy('oauth2', await newProviderAccount())
    expect(await outcomeOf(await interaction.submit())).toEqual([404, 'session.connector_session_not_found'])
  })
})

it('a social sign-in waits for the database 1, 1 and 2 times, and writes its audit rows (spec/management#audit-keys)', async () => {
  const providerAccount = await newProviderAccount({ email: 'logged@upstream.example', isVerified: true })
  const userId = await addUser(app, { identity: ['oidc', providerAccount.id] })
  const interaction = await beginSocialInteraction(app)
  await interaction.start('SignIn')
  const data = await interaction.signInAtProvider('oidc', providerAccount)
  const last = async () => {
    const { results } = await app.env.DB.prepare(
      'select key, payload from logs order by created_at desc, rowid desc limit 5',
    ).all<{ key: string; payload: string }>()
    return results.map(({ key, payload }) => ({ key, payload: JSON.parse(payload) })).reverse()
  }
  // The record holds what comes before the proof (spec/storage#interaction-rows).
  const before = (await last()).at(-1)

  app.trips()
  expect((await interaction.show('oidc', data)).status).toBe(204)
  expect(app.trips().awaited).toBe(1)
  const written = await last()
  expect(before?.key).toBe('Interaction.Register.Submit')
  const says = { connectorId: 'oidc', result: 'Success' }
  expect(written.slice(1)).toMatchObject([
    { key: 'Interaction.Create', payload: { interactionId: interaction.uid } },
    { key: 'Interaction.SignIn.Update', payload: { count: 2 } },
    { key: 'Interaction.SignIn.Identifier.Social.Create', payload: says },
    { key: 'Interaction.SignIn.Identifier.Social.Submit', payload: says },
  ])
  expect(JSON.stringify(written)).not.toContain(data.code)

  const submitted = await interaction.submit()
  expect(app.trips().awaited).toBe(2)
  expect((await last()).at(-1)).toMatchObject({ key: 'Interaction.SignIn.Submit', payload: { userId } })
  expect((await resumeAuthorization(interaction.client, submitted)).searchParams.get('code')).toBeTruthy()

  const another = await beginSocialInteraction(app)
  await another.start('Register')
  app.trips()
  await another.ask('oidc')
  expect(app.trips().awaited).toBe(1)
})
