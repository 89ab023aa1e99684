import { beforeAll, describe, expect, it } from 'vitest'
import { randomId } from '../../../src/storage/ids.ts'
import { authorizationRequest, type CookieClient, newCookieClient } from '../../kit/clients/cookie-client.ts'
import { newOrganizationApplication, storeOrganization } from '../../kit/organisations/organizations.ts'
import { signInByPassword } from '../../kit/second-factor.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the brand of organisations on the sign-in pages (spec/organisations#brand). */

const brand = { logo: 'https://files.example.com/acme.svg', color: '#a41e22', isPublic: true }

let app: TestApp
let shop: { client_id: string; redirect_uri: string }
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  shop = await newOrganizationApplication(app)
})

/** The headers with which a browser requests a page for a window. */
const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

/** Sends an authorization request and returns the page with which the server answers, and the round trips. */
async function open(organization: string | undefined, client = newCookieClient(app)) {
  const { url } = await authorizationRequest({
    ...shop,
    ...(organization && { organization }),
    state: 'state-of-constant-length',
  })
  app.trips()
  const response = await client.get(url, navigation)
  const html = await response.text()
  const uid = /"interaction":"([\w-]+)"/.exec(html)?.[1] ?? ''
  return { html, uid, client, trips: app.trips().awaited, headers: response.headers }
}

/** Requests the page again, as a browser does that reloads it. */
async function reload(client: CookieClient, uid: string) {
  app.trips()
  const html = await (await client.get(`/sign-in?interaction=${uid}`)).text()
  return { html, trips: app.trips().awaited }
}

const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1]
const colorOf = (html: string) => /--color-brand-default:([^;]+)/.exec(html)?.[1]

describe('a public brand', () => {
  it('is on the first page, whose template is cached', async () => {
    const organization = await storeOrganization({ name: 'Acme & Sons', brand })
    const { html, uid, client } = await open(organization)
    expect(titleOf(html)).toBe('Sign in to Acme &#38; Sons')
    expect(html.slice(html.indexOf('<body'))).toMatch(
      /<img class="logo" src="https:\/\/files\.example\.com\/acme\.svg" alt="Acme &amp; Sons"/,
    )
    expect(colorOf(html)).toBe(brand.color)
    expect(html.indexOf(brand.color)).toBeLessThan(html.indexOf('</head>'))

    const again = await reload(client, uid)
    expect(again.trips).toBe(0)
    expect(titleOf(again.html)).toBe(titleOf(html))
    // Another visitor costs as many round trips as one without an organisation.
    expect((await open(organization)).trips).toBe((await open(undefined)).trips)
  })

  it('has its name in the place of a missing logo, and never the logo of the tenant', async () => {
    const { html } = await open(await storeOrganization({ name: 'Globex', brand: { isPublic: true } }))
    expect(html).toContain('<span class="logo" dir="auto">Globex</span>')
    expect(html).not.toContain('src="/logo.svg"')
  })

  it('limits what the page offers to the methods of the organization', async () => {
    const ofOthers = await open(await storeOrganization({ policy: { methods: ['passkey'] } }))
    expect(ofOthers.html).toContain('name="identifier"')
    const { html } = await open(await storeOrganization({ policy: { methods: ['passkey'] }, brand }))
    expect(html).not.toContain('name="identifier"')
  })

  it('does not leak to other organizations, to none, or to another tenant', async () => {
    const [one, two] = [
      await storeOrganization({ name: 'One', brand: { ...brand, color: '#111111' } }),
      await storeOrganization({ name: 'Two', brand: { ...brand, color: '#222222' } }),
    ]
    const plain = colorOf((await open(undefined)).html)
    const colors = []
    for (const organization of [one, two, undefined, one])
      colors.push(colorOf((await open(organization)).html))
    expect(colors).toEqual(['#111111', '#222222', plain, '#111111'])
  })
})

it('an authenticator app names the tenant and not the organization for which it was set up', async () => {
  const { client, userId, username } = await storeMember(app)
  const organization = await storeOrganization({
    name: 'Acme',
    brand,
    policy: { secondFactor: 'required' },
    userIds: [userId],
  })
  const interaction = await signInByPassword(app, username, client, { ...shop, organization })
  expect((await interaction.submit()).status).toBe(422)
  const setup = await interaction.call('POST', '/factors/totp')
  expect(((await setup.json()) as { address: string }).address).not.toContain('Acme')
})

describe('an organization without a public brand', () => {
  it('looks like one that does not exist, in bytes and in round trips', async () => {
    const policy = { methods: ['passkey' as const], secondFactor: 'required' as const }
    const secret = await storeOrganization({ name: 'Secret', brand: { ...brand, isPublic: false }, policy })
    const unknown = randomId()
    const pages = new Map<string, unknown>()
    for (const organization of [secret, unknown]) {
      const steps = []
      for (const client of [newCookieClient(app), newCookieClient(app)]) {
        const first = await open(organization, client)
        const second = await reload(client, first.uid)
        const withoutIds = (html: string) =>
          html
            .replaceAll(first.uid, 'uid')
            .replaceAll(organization, 'organization')
            .replaceAll(/(code_challenge=|nonce=)[\w-]{43}/g, '$1')
        const cookies = [...client.cookies].map(([name, { value }]) => [
          name.replace(first.uid, 'uid'),
          value.length,
        ])
        const headers = [...first.headers].filter(([name]) => !/date|request-id|set-cookie/.test(name))
        steps.push([
          withoutIds(first.html),
          first.trips,
          withoutIds(second.html),
          second.trips,
          cookies,
          headers,
        ])
      }
      pages.set(organization, steps)
    }
    expect(pages.get(secret)).toEqual(pages.get(unknown))
    // The name is not even in the data of the page.
    expect(JSON.stringify(pages.get(secret))).not.toContain('Secret')
  })

  it('shows its brand to its members, who sign in again', async () => {
    const { client, userId } = await storeMember(app)
    const other = await storeMember(app)
    const organization = await storeOrganization({
      name: 'Secret',
      brand: { ...brand, isPublic: false },
      policy: { secondFactor: 'required' },
      userIds: [userId],
    })
    const { html, uid } = await open(organization, client)
    expect(html).toContain(brand.color)
    expect(titleOf((await reload(client, uid)).html)).toContain('Secret')
    // Someone else's session, or none, changes nothing.
    expect((await open(organization, other.client)).html).not.toContain('Secret')
    expect((await open(organization)).html).not.toContain('Secret')
  })
})
