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

/** Social sign-in without JavaScript: forms and redirects alone, at a real provider. */

const OURS = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

let app: TestApp
let client: CookieClient
let uid: string

beforeAll(async () => {
  app = openTestApp()
  await installUpstream(app, ['oidc'])
  await offer({
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

async function offer(experience: Record<string, unknown>): Promise<void> {
  const answer = await (await newOperator(app)).send('PATCH', '/sign-in-exp', experience)
  expect(answer.status).toBe(200)
}

const post = (path: string, form: Record<string, string> = {}) =>
  client.post(path, { interaction: uid, ...form }, OURS)
const location = (answer: Response) => answer.headers.get('location') ?? ''
const isOut = `${ORIGIN}/oidc/auth/`

/** The address at the provider to which the page after the button leads by itself. */
async function leave(): Promise<string> {
  const answer = await post('/sign-in', { intent: 'social', connectorId: 'oidc' })
  expect(answer.status).toBe(200)
  return leadsTo(await answer.text())
}

const unescaped = (text: string) => text.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
const leadsTo = (html: string) =>
  unescaped(/<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(html)?.[1] ?? '')

/** To the provider and back: the address of the page that passes by, with the answer. */
async function goThere(who: { id: string } | null): Promise<string> {
  const back = await comeBack(client, await answerAt(await leave(), who))
  expect(back.pathname).toBe('/sign-in/social/oidc')
  return back.pathname + back.search
}

describe('a button without script', () => {
  it('is answered by a page that goes on by itself, because redirects after a form are limited', async () => {
    const answer = await post('/sign-in', { intent: 'social', connectorId: 'oidc' })
    const html = await answer.text()
    const to = new URL(leadsTo(html))
    expect(to.origin + to.pathname).toBe(`${env.TEST_UPSTREAM.openid}/auth`)
    expect(to.searchParams.get('redirect_uri')).toBe(`${ORIGIN}/callback/oidc`)
    expect(to.searchParams.get('state')).toMatch(new RegExp(`^${uid}\\.[\\w-]{22}$`))
    expect(unescaped(html)).toContain(`href="${to.href}"`)
    // No script: the page is left before anything is loaded.
    expect(html).not.toMatch(/<script|modulepreload/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('of an unknown connector is refused on the page', async () => {
    const answer = await post('/sign-in', { intent: 'social', connectorId: 'nowhere' })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain(
      'cannot be reached at the moment. Try again, or choose another way to sign in.',
    )
  })
})

describe('the way back without script', () => {
  it('is a page that does nothing by itself', async () => {
    const who = await newProviderAccount()
    const page = await goThere(who)
    app.trips()
    const shown = await client.get(page)
    expect(shown.status).toBe(200)
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
    expect(unescaped(await shown.text())).toContain(`action="${page}"`)
    expect(await userByIdentity(app, 'oidc', who.id)).toBeNull()
  })

  it('registers a new user, and signs them in the next time', async () => {
    const who = await newProviderAccount()
    for (const _ of ['the first time', 'the next']) {
      client = newCookieClient(app)
      uid = await openSignInPage(client, await authorizationRequest())
      const answer = await post(await goThere(who))
      expect([answer.status, location(answer)]).toEqual([303, isOut + uid])
    }
    expect(await userByIdentity(app, 'oidc', who.id)).toMatchObject({ name: who.name })
  })

  it('is for one use, and then leads to the first page', async () => {
    const page = await goThere(null)
    const denied = await post(page)
    expect([denied.status, location(denied)]).toEqual([303, `/sign-in?interaction=${uid}`])
    const shown = await (await client.get(location(denied))).text()
    expect(shown).toMatch(
      /You canceled the sign-in with [^<]+\. Try again, or choose another way to sign in\./,
    )
    expect(shown).toContain('<title>Error: Sign in</title>')
    expect(await (await client.get(location(denied))).text()).not.toContain('class="form-problem"')

    const again = await post(page)
    expect(location(again)).toBe(`/sign-in?interaction=${uid}`)
    expect(await (await client.get(location(again))).text()).toContain(
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
  ])('is refused $what', async ({ change }) => {
    const who = await newProviderAccount()
    const page = new URL(await goThere(who), ORIGIN)
    change(page.searchParams)
    const answer = await post(page.pathname + page.search)
    expect(location(answer)).toBe(`/sign-in?interaction=${uid}`)
    expect(await (await client.get(location(answer))).text()).toContain(
      'has expired or was already used. Try again',
    )
    expect(await userByIdentity(app, 'oidc', who.id)).toBeNull()
  })

  it('names its interaction by the state alone, too, as after an app', async () => {
    const who = await newProviderAccount()
    const page = new URL(await goThere(who), ORIGIN)
    page.searchParams.delete('interaction')
    await openSignInPage(client, await authorizationRequest()) // another tab, later
    const html = await (await client.get(page.pathname + page.search)).text()
    expect(html).toContain(`name="interaction" value="${uid}"`)
    expect(location(await post(page.pathname + page.search))).toBe(isOut + uid)
  })
})

describe('an answer in another browser', () => {
  it.each(['with nothing', 'with an interaction of its own'])('%s is refused', async (brings) => {
    const who = await newProviderAccount()
    const page = await goThere(who)
    const other = newCookieClient(app)
    const own = brings === 'with nothing' ? null : await openSignInPage(other, await authorizationRequest())

    const seen = await other.get(page)
    expect([seen.status, location(seen)]).toEqual([302, '/unknown-session'])
    const posted = await other.post(page, { interaction: uid }, OURS)
    expect([posted.status, location(posted)]).toEqual([303, '/unknown-session'])
    if (own) {
      const renamed = page.replace(`interaction=${uid}`, `interaction=${own}`)
      const answer = await other.post(renamed, { interaction: own }, OURS)
      expect(location(answer)).toBe(`/sign-in?interaction=${own}`)
    }
    expect(await userByIdentity(app, 'oidc', who.id)).toBeNull()
  })

  it('is not posted by another site', async () => {
    const page = await goThere(await newProviderAccount())
    const answer = await client.post(
      page,
      { interaction: uid },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    )
    expect(answer.status).toBe(403)
  })
})

describe('a new user with the address of an account', () => {
  async function atTheLink() {
    const email = freshEmail()
    const account = await addUser(app, { email })
    const who = await newProviderAccount({ email, isVerified: true })
    const answer = await post(await goThere(who))
    expect([answer.status, location(answer)]).toEqual([303, `/social/link/oidc?interaction=${uid}`])
    return { email, account, who, page: location(answer) }
  }

  it('links it', async () => {
    const { email, account, who, page } = await atTheLink()
    const html = await (await client.get(page)).text()
    expect(html).toContain(`Link with ${email.slice(0, 4)}****@example.com`)
    expect(html.split('id="boot"')[0]).not.toContain(email)
    const answer = await post(page)
    expect([answer.status, location(answer)]).toEqual([303, isOut + uid])
    expect(await userById(app, account)).toMatchObject({ identities: { oidc: { userId: who.id } } })
  })

  it('registers without linking it', async () => {
    const { account, who, page } = await atTheLink()
    const answer = await post(page, { intent: 'register' })
    expect([answer.status, location(answer)]).toEqual([303, isOut + uid])
    expect(await userById(app, account)).toMatchObject({ identities: {} })
    expect(await userByIdentity(app, 'oidc', who.id)).toMatchObject({ primary_email: null })
  })
})

describe('where there are terms', () => {
  beforeAll(() => offer({ termsOfUseUrl: 'https://example.com/terms' }))

  it('a new user is asked, and goes on after a yes', async () => {
    const who = await newProviderAccount()
    const page = await goThere(who)
    const asked = await post(page)
    const html = await asked.text()
    expect(asked.status).toBe(422)
    expect(html).toMatch(/please agree to the .*href="https:\/\/example.com\/terms"/)
    expect(html).toContain('name="intent" value="agree"')
    expect(await userByIdentity(app, 'oidc', who.id)).toBeNull()

    const answer = await post(page, { intent: 'agree' })
    expect([answer.status, location(answer)]).toEqual([303, isOut + uid])
    expect(await userByIdentity(app, 'oidc', who.id)).not.toBeNull()
  })

  it('a yes without an answer of the provider is refused', async () => {
    const answer = await post('/sign-in/social/oidc', { intent: 'agree' })
    expect(answer.status).not.toBe(303)
  })
})

describe('where users register with a username', () => {
  beforeAll(() =>
    offer({ termsOfUseUrl: null, signUp: { identifiers: ['username'], password: true, verify: false } }),
  )

  it('a new user is asked for it, on pages that know the identity', async () => {
    const who = await newProviderAccount()
    const asked = await post(await goThere(who))
    expect(location(asked)).toBe(`/continue/username?link_social=oidc&interaction=${uid}`)
    const username = freshName()
    const answer = await post(location(asked), { identifier: username })
    expect([answer.status, location(answer)]).toEqual([303, isOut + uid])
    expect(await userByIdentity(app, 'oidc', who.id)).not.toBeNull()
  })
})
