import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_APP_ID, DEMO_APP_ID } from '../../src/contract/product.ts'
import { answerAt } from '../journeys/social/upstream-sign-in.ts'
import { newCookieClient, ORIGIN } from '../kit/clients/cookie-client.ts'
import { outcomeOf } from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import {
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
  type SocialClient,
} from '../kit/clients/social-client.ts'
import { setExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * A social provider's response may go to an app instead of our own callback
 * (spec/connectors#native-callbacks, ADR-0142). Client ids are public, so an attacker's app can begin an
 * interaction for any client. It can then open the provider on a device on which the user is still signed in
 * to the provider, and wait for the response at its own URI.
 */

const SCHEME = 'com.example.shop://social'
const CLAIMED = 'https://shop.example/social'
const LOOPBACK = 'http://127.0.0.1/social'
const BANK = 'com.example.bank://social'
const PARTNER = 'com.partner.app:/cb'

type Client = { id: string; redirectUri: string }

let app: TestApp
let operator: Operator
let shop: Client
let bank: Client
let site: Client
let partner: Client
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  await setExperience(app, { signUp: { identifiers: [], password: false, verify: false } })
  await installUpstream(app, ['oidc', 'google'])
  shop = await newApplication('Native', [SCHEME, CLAIMED, LOOPBACK])
  bank = await newApplication('Native', [BANK])
  site = await newApplication('SPA', ['https://site.example/back'])
  partner = await newApplication('Native', [PARTNER], { isThirdParty: true })
  await app.env.DB.prepare("insert into tenants (id, created_at) values ('elsewhere', 1)").run()
})

async function newApplication(type: string, redirectUris: string[], custom = {}): Promise<Client> {
  const created = await operator.send('POST', '/applications', {
    name: type,
    type,
    oidcClientMetadata: { redirectUris },
    customClientMetadata: custom,
  })
  const { id } = (await created.json()) as { id: string }
  return { id, redirectUri: redirectUris[0] ?? '' }
}

const account = { id: ACCOUNT_APP_ID, redirectUri: `${ORIGIN}/account/callback` }
const demo = { id: DEMO_APP_ID, redirectUri: `${ORIGIN}/demo-app` }

async function begin({ id, redirectUri }: Client): Promise<SocialClient> {
  const parameters = { client_id: id, redirect_uri: redirectUri }
  const flow = await beginSocialInteraction(app, newCookieClient(app), parameters)
  expect((await flow.start('SignIn')).status).toBe(204)
  return flow
}

/** Returns the provider's URL, as the owner of the interaction receives it. */
async function providerOf(flow: SocialClient, connectorId = 'oidc', state?: string): Promise<URL> {
  const { redirectTo } = (await (await flow.ask(connectorId, state)).json()) as { redirectTo: string }
  return new URL(redirectTo)
}

type Landing = { provider: URL; callback: string; connectorId?: string }

const stateOf = (provider: URL) => provider.searchParams.get('state') ?? ''

const landingAddress = ({ provider, callback, connectorId = 'oidc' }: Landing) =>
  `/social/landing/${connectorId}?${new URLSearchParams({ redirect_to: provider.href, native_callback: callback })}`

const springboardAddress = ({ provider, callback, connectorId = 'oidc' }: Landing) =>
  `/springboard?${new URLSearchParams({ connectorId, redirectTo: provider.href, callback, state: stateOf(provider) })}`

const withState = (provider: URL, state: string) => {
  const changed = new URL(provider)
  changed.searchParams.set('state', state)
  return changed
}

const cancel = async (flow: SocialClient) => {
  const cancelled = await flow.call('DELETE', '')
  expect(cancelled.status).toBe(200)
  return (await cancelled.json()) as { redirectTo: string }
}

const attacks: { what: string; landing(): Promise<Landing> }[] = [
  ...['a site', 'an app', 'the account centre', 'the demo application'].map((what, index) => ({
    what: `an interaction at ${what} with a scheme of the attacker`,
    landing: async () => {
      const provider = await providerOf(await begin([site, shop, account, demo][index] ?? site))
      return { provider, callback: PARTNER }
    },
  })),
  {
    what: 'an interaction at an app with a scheme of another first party',
    landing: async () => ({ provider: await providerOf(await begin(shop)), callback: BANK }),
  },
  {
    what: 'an interaction at a third party with its own scheme',
    landing: async () => ({ provider: await providerOf(await begin(partner)), callback: PARTNER }),
  },
  {
    what: 'an interaction at a third party with the state of a first party',
    landing: async () => {
      const state = stateOf(await providerOf(await begin(shop)))
      return { provider: await providerOf(await begin(partner), 'oidc', state), callback: PARTNER }
    },
  },
  {
    what: 'an interaction at a first party with the state of another one',
    landing: async () => {
      const state = stateOf(await providerOf(await begin(shop)))
      return { provider: await providerOf(await begin(bank), 'oidc', state), callback: BANK }
    },
  },
  {
    what: 'a different connector than that of the interaction',
    landing: async () => {
      const state = stateOf(await providerOf(await begin(site)))
      const google = await providerOf(await begin(partner), 'google')
      return { provider: withState(google, state), callback: PARTNER, connectorId: 'google' }
    },
  },
  ...['account', 'sign-in-test', 'nobody-has-it', '%'].map((name) => ({
    what: `a state that names ${name} instead of an interaction`,
    landing: async () => {
      const provider = withState(await providerOf(await begin(shop)), `${name}.0123456789abc`)
      return { provider, callback: SCHEME }
    },
  })),
  {
    what: 'a concluded interaction',
    landing: async () => {
      const flow = await begin(shop)
      const provider = await providerOf(flow)
      await cancel(flow)
      return { provider, callback: SCHEME }
    },
  },
  {
    what: 'a resumed interaction',
    landing: async () => {
      const flow = await begin(shop)
      const provider = await providerOf(flow)
      await flow.client.get((await cancel(flow)).redirectTo)
      return { provider, callback: SCHEME }
    },
  },
  {
    what: 'an expired interaction',
    landing: async () => {
      const flow = await begin(shop)
      const provider = await providerOf(flow)
      await app.env.DB.prepare('update oidc_model_instances set expires_at = 1 where id = ?')
        .bind(flow.uid)
        .run()
      return { provider, callback: SCHEME }
    },
  },
  {
    what: 'an interaction of another tenant',
    landing: async () => {
      const flow = await begin(shop)
      const provider = await providerOf(flow)
      await app.env.DB.prepare("update oidc_model_instances set tenant_id = 'elsewhere' where id = ?")
        .bind(flow.uid)
        .run()
      return { provider, callback: SCHEME }
    },
  },
]

describe('a redirect to an app', () => {
  it.each(attacks)('[RFC8252-8.6-2] is rejected for $what', async ({ landing }) => {
    const attempt = await landing()
    for (const address of [landingAddress, springboardAddress]) {
      const browser = newCookieClient(app)
      const answer = await browser.get(address(attempt))
      expect([answer.status, answer.headers.get('location'), [...browser.cookies]]).toEqual([400, null, []])
    }
  })

  it.each([SCHEME, CLAIMED])('is allowed to the interaction’s own app at %s', async (callback) => {
    const flow = await begin(shop)
    const provider = await providerOf(flow)
    const browser = newCookieClient(app)
    app.trips()
    const landed = await browser.get(landingAddress({ provider, callback }))
    expect([landed.headers.get('location'), app.trips().awaited]).toEqual([provider.href, 2])
    const { url } = await answerAt(provider.href, await newProviderAccount())
    const back = await browser.get(url.pathname + url.search)
    expect([back.headers.get('location'), app.trips().awaited]).toEqual([callback + url.search, 1])
    expect((await flow.show('oidc', Object.fromEntries(url.searchParams))).status).toBe(204)
  })

  it.each<{ what: string; change(client: Client, flow: SocialClient): Promise<unknown> }>([
    {
      what: 'the application becomes a third party',
      change: ({ id }) =>
        operator.send('PATCH', `/applications/${id}`, { customClientMetadata: { isThirdParty: true } }),
    },
    {
      what: 'the application changes its redirect URI',
      change: ({ id }) =>
        operator.send('PATCH', `/applications/${id}`, { oidcClientMetadata: { redirectUris: [CLAIMED] } }),
    },
    {
      what: 'the application is deleted',
      change: ({ id }) => operator.send('DELETE', `/applications/${id}`),
    },
    { what: 'the interaction gets another response', change: (_, flow) => cancel(flow) },
  ])('[RFC8252-8.6-3] is rejected if $what after the flow has started', async ({ change }) => {
    const client = await newApplication('Native', [SCHEME])
    const flow = await begin(client)
    const provider = await providerOf(flow)
    const browser = newCookieClient(app)
    const landed = await browser.get(landingAddress({ provider, callback: SCHEME }))
    expect(landed.status).toBe(303)
    await change(client, flow)
    const back = await browser.get(`/callback/oidc?code=a&state=${stateOf(provider)}`)
    expect(back.headers.get('location')).toMatch(/^\/sign-in\/social\/oidc\?/)
  })
})

describe('a social sign-in’s redirect URI', () => {
  const OURS = `${ORIGIN}/callback/oidc`
  const ask = (flow: SocialClient, redirectUri: string) =>
    flow.call('POST', '/verification/social-authorization-uri', {
      connectorId: 'oidc',
      state: `${flow.uid}.0123456789abc`,
      redirectUri,
    })

  it.each([
    'https://evil.example/callback/oidc',
    'https://site.example/back',
    `${ORIGIN}/callback/another`,
    `${ORIGIN}/demo-app`,
    `${OURS}?next=https://evil.example`,
    `${OURS}/`,
    'com.example.other://social',
    `${SCHEME}/x`,
    LOOPBACK,
    BANK,
    PARTNER,
  ])('[ASVS-10.2.1] cannot be %s', async (redirectUri) => {
    const answer = await ask(await begin(shop), redirectUri)
    expect((await outcomeOf(answer)).slice(0, 2)).toEqual([422, 'guard.invalid_input'])
  })

  it.each([OURS, SCHEME, CLAIMED])('may be %s', async (redirectUri) => {
    const response = await ask(await begin(shop), redirectUri)
    expect(response.status).toBe(200)
    const { redirectTo } = (await response.json()) as { redirectTo: string }
    expect(new URL(redirectTo).searchParams.get('redirect_uri')).toBe(redirectUri)
  })

  it('[ASVS-10.2.1-2] cannot belong to another client’s or a third party’s app', async () => {
    for (const [client, redirectUri] of [
      [site, SCHEME],
      [bank, SCHEME],
      [demo, SCHEME],
      [partner, PARTNER],
    ] as const) {
      const answer = await ask(await begin(client), redirectUri)
      expect([client.id, ...(await outcomeOf(answer)).slice(0, 2)]).toEqual([
        client.id,
        422,
        'guard.invalid_input',
      ])
    }
  })

  it('[ASVS-10.2.1-3] is checked again when the response arrives', async () => {
    const client = await newApplication('Native', [SCHEME])
    const flow = await begin(client)
    expect((await ask(flow, SCHEME)).status).toBe(200)
    await operator.send('PATCH', `/applications/${client.id}`, {
      customClientMetadata: { isThirdParty: true },
    })
    expect((await outcomeOf(await flow.show('oidc', { code: 'a' }))).slice(0, 2)).toEqual([
      400,
      'session.connector_validation_session_not_found',
    ])
  })
})
