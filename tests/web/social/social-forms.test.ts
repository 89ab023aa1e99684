import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerAt } from '../../journeys/social/upstream-sign-in.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import {
  addUser,
  comeBack,
  installUpstream,
  newProviderAccount,
  userById,
  userByIdentity,
} from '../../kit/clients/social-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests social sign-in without JavaScript at a real provider, using only forms and redirects. */

const SAME_ORIGIN = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

let app: TestApp
let client: CookieClient
let uid: string

beforeAll(async () => {
  app = openTestApp()
  await installUpstream(app, ['oidc'])
  await configure({
    signIn: {
      methods: [{ identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }],
    },
    signUp: { identifiers: [], password: false, verify: false },
    socialSignInConnectorTargets: ['oidc'],
  })
})

beforeEach(async () => {
  client = newCookieClient(app)
  uid = await openSignInPage(client, await authorizationRequest())
})

async function configure(experience: Record<string, unknown>): Promise<void> {
  const response = await (await newOperator(app)).send('PATCH', '/sign-in-exp', experience)
  expect(response.status).toBe(200)
}

const post = (path: string, form: Record<string, string> = {}) =>
  client.post(path, { interaction: uid, ...form }, SAME_ORIGIN)
const locationOf = (response: Response) => response.headers.get('location') ?? ''
/** The beginning of the address of the application after a completed sign-in. */
const WITH_CODE = `${ORIGIN}/demo-app?code=`

/** Presses the social button. Returns the provider's URL, to which the next page redirects automatically. */
async function pressButton(): Promise<string> {
  const response = await post('/sign-in', { intent: 'social', connectorId: 'oidc' })
  expect(response.status).toBe(200)
  return refreshTarget(await response.text())
}

const unescaped = (text: string) => text.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
const refreshTarget = (html: string) =>
  unescaped(/<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(html)?.[1] ?? '')

/** Follows the redirects to the provider and back. Returns the URL of the page that handles the response. */
async function visitProvider(account: { id: string } | null): Promise<string> {
  const back = await comeBack(client, await answerAt(await pressButton(), account))
  expect(back.pathname).toBe('/sign-in/social/oidc')
  return back.pathname + back.search
}

describe('the social button without JavaScript', () => {
  it('shows a page that continues to the provider, because the content security policy restricts redirects after forms', async () => {
    const response = await post('/sign-in', { intent: 'social', connectorId: 'oidc' })
    const html = await response.text()
    const to = new URL(refreshTarget(html))
    expect(to.origin + to.pathname).toBe(`${env.TEST_UPSTREAM.openid}/auth`)
    expect(to.searchParams.get('redirect_uri')).toBe(`${ORIGIN}/callback/oidc`)
    expect(to.searchParams.get('state')).toMatch(new RegExp(`^${uid}\\.[\\w-]{22}$`))
    expect(unescaped(html)).toContain(`href="${to.href}"`)
    // The browser leaves this page before it can load a script.
    expect(html).not.toMatch(/<script|modulepreload/)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('shows an error if the connector is unknown', async () => {
    const response = await post('/sign-in', { intent: 'social', connectorId: 'nowhere' })
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('right now. Try again, or choose another way to sign in.')
  })
})

describe('the redirect back from the provider without JavaScript', () => {
  it('shows a page that changes nothing until its form is submitted', async () => {
    const account = await newProviderAccount()
    const page = await visitProvider(account)
    app.trips()
    const response = await client.get(page)
    expect(response.status).toBe(200)
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
    expect(unescaped(await response.text())).toContain(`action="${page}"`)
    expect(await userByIdentity(app, 'oidc', account.id)).toBeNull()
  })

  it('registers a new user and signs them in the next time', async () => {
    const account = await newProviderAccount()
    for (const _ of ['the first time', 'the next']) {
      client = newCookieClient(app)
      uid = await openSignInPage(client, await authorizationRequest())
      const response = await post(await visitProvider(account))
      expect([response.status, locationOf(response)]).toEqual([303, expect.stringContaining(WITH_CODE)])
    }
    expect(await userByIdentity(app, 'oidc', account.id)).toMatchObject({ name: account.name })
  })

  it('works only once, and then redirects to the first page', async () => {
    const page = await visitProvider(null)
    const denied = await post(page)
    expect([denied.status, locationOf(denied)]).toEqual([303, `/sign-in?interaction=${uid}`])
    const html = await (await client.get(locationOf(denied))).text()
    expect(html).toMatch(
      /data-tone="calm">.*You didn’t finish signing in with [^<]+\. Try again, or choose another way to sign in\./,
    )
    expect(html).toContain('<title>Error: Sign in</title>')
    expect(await (await client.get(locationOf(denied))).text()).not.toContain('class="form-problem"')

    const again = await post(page)
    expect(locationOf(again)).toBe(`/sign-in?interaction=${uid}`)
    expect(await (await client.get(locationOf(again))).text()).toContain(
      'has expired or was already used. Try again',
    )
  })

  it.each([
    { what: 'without a state', change: (query: URLSearchParams) => query.delete('state') },
    {
      what: 'with another state',
      change: (query: URLSearchParams) => query.set('state', `${uid}.bbbbbbbbbbbbbbbb`),
    },
    {
      what: 'with the state of another interaction',
      change: (query: URLSearchParams) => query.set('state', 'another-uid.bbbbbbbbbbbbbbbb'),
    },
  ])('shows an error for a response $what', async ({ change }) => {
    const account = await newProviderAccount()
    const page = new URL(await visitProvider(account), ORIGIN)
    change(page.searchParams)
    const response = await post(page.pathname + page.search)
    expect(locationOf(response)).toBe(`/sign-in?interaction=${uid}`)
    // The specification: if the state is invalid, 'error.invalid_connector_auth', 'The authorization is invalid'.
    expect(await (await client.get(locationOf(response))).text()).toMatch(
      /The authorization is invalid\. The sign-in with [^<]+ has expired or was already used\. Try again/,
    )
    expect(await userByIdentity(app, 'oidc', account.id)).toBeNull()
  })

  it('finds the interaction by the state if the query has no interaction id, as after a redirect through an app', async () => {
    const account = await newProviderAccount()
    const page = new URL(await visitProvider(account), ORIGIN)
    page.searchParams.delete('interaction')
    await openSignInPage(client, await authorizationRequest()) // another sign-in, begun later in a second tab
    const html = await (await client.get(page.pathname + page.search)).text()
    expect(html).toContain(`name="interaction" value="${uid}"`)
    expect(locationOf(await post(page.pathname + page.search))).toContain(WITH_CODE)
  })
})

describe('a provider’s response in another browser', () => {
  it.each(['without an interaction', 'with its own interaction'])('is rejected %s', async (condition) => {
    const account = await newProviderAccount()
    const page = await visitProvider(account)
    const other = newCookieClient(app)
    const otherUid =
      condition === 'without an interaction'
        ? null
        : await openSignInPage(other, await authorizationRequest())

    const pageResponse = await other.get(page)
    expect([pageResponse.status, locationOf(pageResponse)]).toEqual([302, '/unknown-session'])
    const posted = await other.post(page, { interaction: uid }, SAME_ORIGIN)
    expect([posted.status, locationOf(posted)]).toEqual([303, '/unknown-session'])
    if (otherUid) {
      const renamed = page.replace(`interaction=${uid}`, `interaction=${otherUid}`)
      const response = await other.post(renamed, { interaction: otherUid }, SAME_ORIGIN)
      expect(locationOf(response)).toBe(`/sign-in?interaction=${otherUid}`)
    }
    expect(await userByIdentity(app, 'oidc', account.id)).toBeNull()
  })

  it('is rejected when another site posts it', async () => {
    const page = await visitProvider(await newProviderAccount())
    const response = await client.post(
      page,
      { interaction: uid },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    )
    expect(response.status).toBe(403)
  })
})

describe('a new user whose address belongs to an account', () => {
  async function reachLinkPage() {
    const email = freshEmail()
    const userId = await addUser(app, { email })
    const account = await newProviderAccount({ email, isVerified: true })
    const response = await post(await visitProvider(account))
    expect([response.status, locationOf(response)]).toEqual([303, `/social/link/oidc?interaction=${uid}`])
    return { email, userId, account, page: locationOf(response) }
  }

  it('can link the identity to that account', async () => {
    const { email, userId, account, page } = await reachLinkPage()
    const html = await (await client.get(page)).text()
    expect(html).toContain(`Link to ${email.slice(0, 4)}****@example.com`)
    expect(html).toMatch(/An account with this email already exists\. Link [^<]+ to it\?/)
    expect(html.split('id="boot"')[0]).not.toContain(email)
    const response = await post(page)
    expect([response.status, locationOf(response)]).toEqual([303, expect.stringContaining(WITH_CODE)])
    expect(await userById(app, userId)).toMatchObject({ identities: { oidc: { userId: account.id } } })
  })

  it('can register a separate account instead', async () => {
    const { userId, account, page } = await reachLinkPage()
    const response = await post(page, { intent: 'register' })
    expect([response.status, locationOf(response)]).toEqual([303, expect.stringContaining(WITH_CODE)])
    expect(await userById(app, userId)).toMatchObject({ identities: {} })
    expect(await userByIdentity(app, 'oidc', account.id)).toMatchObject({ primary_email: null })
  })
})

describe('social sign-in at a tenant with terms of use', () => {
  beforeAll(() => configure({ termsOfUseUrl: 'https://example.com/terms' }))

  it('asks a new user to agree and continues after they do', async () => {
    const account = await newProviderAccount()
    const page = await visitProvider(account)
    const question = await post(page)
    const html = await question.text()
    expect(question.status).toBe(422)
    expect(html).toMatch(/please agree to the .*href="https:\/\/example.com\/terms"/)
    expect(html).toContain('name="intent" value="agree"')
    expect(await userByIdentity(app, 'oidc', account.id)).toBeNull()

    const response = await post(page, { intent: 'agree' })
    expect([response.status, locationOf(response)]).toEqual([303, expect.stringContaining(WITH_CODE)])
    expect(await userByIdentity(app, 'oidc', account.id)).not.toBeNull()
  })

  it('rejects an agreement to the terms without a provider response', async () => {
    const response = await post('/sign-in/social/oidc', { intent: 'agree' })
    expect(response.status).not.toBe(303)
  })
})

describe('social sign-in at a tenant where every user has to agree to the terms', () => {
  beforeAll(() => configure({ termsOfUseUrl: 'https://example.com/terms', agreeToTermsPolicy: 'Manual' }))

  it('asks before the user leaves, and not again when they return', async () => {
    const question = await post('/sign-in', { intent: 'social', connectorId: 'oidc' })
    const html = await question.text()
    expect(question.status).toBe(422)
    const form = Object.fromEntries(
      [
        ...(html.split('id="agreed"')[1]?.split('</form>')[0] ?? '').matchAll(/name="(\w+)" value="(\w+)"/g),
      ].map(([, name, value]) => [name, value]),
    )
    expect(form).toMatchObject({ intent: 'agreeSocial', connectorId: 'oidc' })

    const leaving = await (await post('/sign-in', form as Record<string, string>)).text()
    const account = await newProviderAccount()
    const back = await comeBack(client, await answerAt(refreshTarget(leaving), account))
    const response = await post(back.pathname + back.search)
    expect([response.status, locationOf(response)]).toEqual([303, expect.stringContaining(WITH_CODE)])
    expect(await userByIdentity(app, 'oidc', account.id)).not.toBeNull()
  })
})

describe('social sign-in at a tenant that requires usernames', () => {
  beforeAll(() =>
    configure({
      termsOfUseUrl: null,
      agreeToTermsPolicy: 'ManualRegistrationOnly',
      signUp: { identifiers: ['username'], password: true, verify: false },
    }),
  )

  it('asks a new user for a username on pages that keep the social identity', async () => {
    const account = await newProviderAccount()
    const question = await post(await visitProvider(account))
    expect(locationOf(question)).toBe(`/continue/username?link_social=oidc&interaction=${uid}`)
    const username = freshName()
    const response = await post(locationOf(question), { identifier: username })
    expect([response.status, locationOf(response)]).toEqual([303, expect.stringContaining(WITH_CODE)])
    expect(await userByIdentity(app, 'oidc', account.id)).not.toBeNull()
  })
})
