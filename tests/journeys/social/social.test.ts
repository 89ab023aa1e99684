import type { Page } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import { pairsOf } from '../../kit/sweep.ts'
import {
  browserSweep,
  desktopOptions,
  inExhaustiveRun,
  mobileOptions,
  openPage,
  pictureSweep,
  savePicture,
  someOf,
  withoutScript,
} from '../browser.ts'
import { axeViolations, smallTargets, untilHydrated } from '../inspection.ts'
import { pressButton, signInOnPage, usernameField } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'
import { startUpstream } from './upstream.ts'
import type { ProviderAccount } from './upstream-accounts.ts'
import { registerConnector, type UpstreamKind } from './upstream-connectors.ts'
import { answerAt } from './upstream-sign-in.ts'

/**
 * Tests signing in with an account at another provider, with real providers, real redirects and the pages
 * between them.
 */

/** The ids of the connectors, which are also their kinds. */
const kinds = {
  'up-oidc': 'oidc',
  'up-fragment': 'oidcFragment',
  'up-form': 'oidcFormPost',
  'up-oauth': 'oauth2',
} as const
const OIDC = 'Continue with Upstream oidc'

const byName = { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }
const byCode = { identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false }
const TERMS = 'https://example.com/terms'

type User = {
  id: string
  name: string | null
  username: string | null
  primaryEmail: string | null
  identities: Record<string, { userId: string }>
}

const upstream = await startUpstream()
afterAll(() => upstream.close())

/** Opens a tenant with these connectors on its pages. Its users need neither a username nor a password. */
async function openSocialTenant(
  settings: Record<string, unknown> = {},
  ids: readonly (keyof typeof kinds)[] = ['up-oidc'],
) {
  const tenant = await openTenant()
  const { origin, call } = tenant
  for (const id of ids) {
    const kind: UpstreamKind = kinds[id]
    await call('POST', '/connectors', await registerConnector(upstream, kind, { id, origin }))
  }
  await tenant.offer({
    signIn: { methods: [byName] },
    signUp: { identifiers: [], password: false, verify: false },
    socialSignInConnectorTargets: ids,
    ...settings,
  })
  const application = await tenant.openApplication('Social pages')
  return {
    ...tenant,
    toSignIn: async (page: Page) => page.goto((await application.authorizationUrl()).url),
    isIn: (page: Page) => page.waitForURL(`${application.callback}?**`),
    accountOf: (email: string) => tenant.createUser({ primaryEmail: email }),
    userOf: (id: string) => call<User>('GET', `/users/${id}`),
    userNamed: async (name: string) =>
      (await call<User[]>('GET', `/users?search.name=${name}&mode.name=exact`))[0],
  }
}

/** Creates a user account at the OpenID Provider. */
async function newProviderAccount(known: Partial<ProviderAccount> = {}): Promise<ProviderAccount> {
  const id = freshName()
  const one = { id, name: id, ...known }
  await fetch(`${upstream.openid}/accounts`, { method: 'POST', body: JSON.stringify(one) })
  return one
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const problem = (page: Page) => page.locator('.form-problem').textContent()
const NEXT = 'Try again, or choose another way to sign in.'

/**
 * Follows the button to the provider and signs in there. If the account is null, the user denies the request.
 */
async function signInBy(page: Page, button: string, who: ProviderAccount | null): Promise<void> {
  await pressButton(page, button)
  await heading(page, 'Who are you?')
  await pressButton(page, who?.name ?? 'Deny')
}

const standard = await openSocialTenant({}, Object.keys(kinds) as (keyof typeof kinds)[])

describe('with another provider', () => {
  const { toSignIn, isIn } = standard

  // To a browser, OAuth 2.0 servers and OpenID Providers look the same. social-server.test.ts covers the
  // difference, and the tests below register users with the OpenID Provider.
  const unseen = browserSweep.isExhaustive ? ['Upstream oidc', 'Upstream oauth2'] : []

  it.each(['Upstream oidcFragment', 'Upstream oidcFormPost', ...unseen])(
    'a new user registers with %s, and signs in the next time',
    async (provider) => {
      const who = await newProviderAccount()
      await fetch(`${upstream.oauth}/accounts`, { method: 'POST', body: JSON.stringify(who) })
      const { context, page, complaints } = await openPage()
      // A test below covers the next sign-in, which does not depend on how the provider responds.
      const isTriedAgain = browserSweep.isExhaustive
      for (const _ of isTriedAgain ? ['the first time', 'the next'] : ['the first time']) {
        await toSignIn(page)
        await signInBy(page, `Continue with ${provider}`, who)
        await isIn(page)
        expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
        await context.clearCookies()
      }
      expect(complaints).toEqual([])
    },
  )
})

describe('without JavaScript', () => {
  const { toSignIn, isIn, userNamed } = standard

  // tests/web/social/social-forms.test.ts covers the next sign-in over HTTP.
  it('a new user registers, and signs in the next time, by pressing two buttons each time', async () => {
    const who = await newProviderAccount()
    const { context, page, complaints } = await openPage(withoutScript)
    for (const time of someOf(['the first time', 'the next'], 1)) {
      await toSignIn(page)
      await signInBy(page, OIDC, who)
      await heading(page, 'Signing you in with Upstream oidc…')
      if (time === 'the next') await savePicture(page, 'social-return-without-script')
      await pressButton(page, 'Continue')
      await isIn(page)
      await context.clearCookies()
    }
    expect(await userNamed(who.name)).toMatchObject({ identities: { 'up-oidc': { userId: who.id } } })
    expect(complaints).toEqual([])
  })

  // tests/web/social/social-forms.test.ts covers these errors over HTTP.
  inExhaustiveRun(
    'an error at the provider redirects to the first page, which shows the reason',
    async () => {
      const { page } = await openPage(withoutScript)
      await toSignIn(page)
      await signInBy(page, OIDC, null)
      await pressButton(page, 'Continue')
      await heading(page, 'Sign in to your account')
      expect(await problem(page)).toBe(`You didn’t finish signing in with Upstream oidc. ${NEXT}`)
      expect(await page.title()).toBe('Error: Sign in')
      await savePicture(page, 'social-denied-without-script')
      await page.reload()
      expect(await page.locator('.form-problem').count()).toBe(0)
      const who = await newProviderAccount()
      await signInBy(page, OIDC, who)
      await pressButton(page, 'Continue')
      await isIn(page)
    },
  )

  it('going back from the provider shows the sign-in page instead of redirecting again', async () => {
    const { page } = await openPage(withoutScript)
    await toSignIn(page)
    await pressButton(page, OIDC)
    await heading(page, 'Who are you?')
    await page.goBack()
    await heading(page, 'Sign in to your account')
  })

  it('the page that redirects to the provider offers a link if the provider cannot be reached', async () => {
    const { page } = await openPage(withoutScript)
    await page.route(`${upstream.openid}/**`, (route) => route.abort('aborted'))
    await toSignIn(page)
    await pressButton(page, OIDC)
    await heading(page, 'Taking you to Upstream oidc…')
    const link = page.getByRole('link', { name: 'Continue', exact: true })
    expect(await link.getAttribute('href')).toContain(`${upstream.openid}/auth?`)
    await savePicture(page, 'social-leaving-without-script')
  })
})

describe('an error at the provider', () => {
  const { toSignIn, isIn } = standard

  it('redirects to the first page, which shows the reason and allows another attempt', async () => {
    const { page, complaints } = await openPage()
    await page.clock.install()
    await toSignIn(page)
    await signInBy(page, OIDC, null)
    await page.waitForURL('**/sign-in?**')
    expect(await problem(page)).toBe(`You didn’t finish signing in with Upstream oidc. ${NEXT}`)
    // The message is shown until the next attempt.
    await page.clock.fastForward(10_000)
    expect(await page.locator('.form-problem').count()).toBe(1)
    expect(page.url()).not.toMatch(/error|state/)
    await savePicture(page, 'social-denied')
    await signInBy(page, OIDC, await newProviderAccount())
    await isIn(page)
    expect(complaints).toEqual([])
  })
})

describe('a response from the provider', () => {
  const { toSignIn, isIn } = standard

  // tests/client/social-journeys.test.ts and tests/web/social/social-forms.test.ts cover this.
  inExhaustiveRun('is accepted only once', async () => {
    const { page } = await openPage()
    const answers: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/callback/up-oidc')) answers.push(request.url())
    })
    await toSignIn(page)
    const uid = new URL(page.url()).searchParams.get('interaction')
    await signInBy(page, OIDC, null)
    await page.waitForURL('**/sign-in?**')
    await page.goto(answers[0] ?? '')
    await page.waitForURL('**/sign-in?**')
    expect(await problem(page)).toBe(
      `The authorization is invalid. The sign-in with Upstream oidc has expired or was already used. ${NEXT}`,
    )
    expect(new URL(page.url()).searchParams.get('interaction')).toBe(uid)
  })

  it('is compared once with the state in the session storage, which is removed', async () => {
    const { page } = await openPage()
    let provider = ''
    await page.route(`${upstream.openid}/auth?**`, (route) => {
      provider = route.request().url()
      return route.abort('aborted')
    })
    await toSignIn(page)
    await pressButton(page, OIDC)
    await expect.poll(() => provider, { timeout: 15_000 }).not.toBe('')
    const stored = () => page.evaluate(() => sessionStorage.getItem('social_auth_state:up-oidc'))
    expect(await stored()).toBe(new URL(provider).searchParams.get('state'))
    const answer = (await answerAt(provider, await newProviderAccount())).url.href
    const wrong = new URL(answer)
    wrong.searchParams.set('state', `${wrong.searchParams.get('state')?.split('.')[0]}.${'a'.repeat(22)}`)
    await page.goto(wrong.href)
    await page.waitForURL('**/sign-in?**')
    expect(await problem(page)).toBe(
      `The authorization is invalid. The sign-in with Upstream oidc has expired or was already used. ${NEXT}`,
    )
    expect(await stored()).toBeNull()
    // The tab knows an earlier state, because the user started again before the script ran: the server decides.
    await page.evaluate(() => sessionStorage.setItem('social_auth_state:up-oidc', 'of an earlier start'))
    await page.goto(answer)
    await isIn(page)
  })

  it('is rejected in a browser that did not start the sign-in', async () => {
    const asking = await openPage()
    let provider = ''
    await asking.page.route(`${upstream.openid}/auth?**`, (route) => {
      provider = route.request().url()
      return route.abort()
    })
    await toSignIn(asking.page)
    await pressButton(asking.page, OIDC)
    await expect.poll(() => provider, { timeout: 15_000 }).not.toBe('')
    const answer = (await answerAt(provider, await newProviderAccount())).url.href

    // tests/web/social/social-forms.test.ts covers this over HTTP, without JavaScript.
    for (const options of browserSweep.isExhaustive ? [desktopOptions, withoutScript] : [desktopOptions]) {
      const { page } = await openPage(options)
      await page.goto(answer)
      await page.waitForURL('**/unknown-session')
      // The response is also rejected if the browser has another interaction.
      await toSignIn(page)
      await page.goto(answer)
      await page.waitForURL('**/unknown-session')
    }
  })
})

const withTerms = await openSocialTenant({ termsOfUseUrl: TERMS })
const withUsernames = await openSocialTenant({
  signUp: { identifiers: ['username'], password: true, verify: false },
})
const withEmails = await openSocialTenant({
  signIn: { methods: [byCode] },
  signUp: { identifiers: ['email'], password: false, verify: true },
})
const withoutRegistration = await openSocialTenant({ signInMode: 'SignIn' })
const withoutSignIn = await openSocialTenant({ signInMode: 'Register', termsOfUseUrl: TERMS })

const scripted = { title: 'with JavaScript', options: desktopOptions, pass: async () => {} }
const scriptless = {
  title: 'without JavaScript',
  options: withoutScript,
  pass: (page: Page) => pressButton(page, 'Continue'),
}

// tests/web/social/social-forms.test.ts covers the same over HTTP, without JavaScript.
it.each(someOf([scripted, scriptless], 1))(
  'a returning user continues at the provider of the last sign-in, $title',
  async ({ options, pass }) => {
    const who = await newProviderAccount()
    const { context, page } = await openPage(options)
    for (const button of [OIDC, `${OIDC} Last used`]) {
      await standard.toSignIn(page)
      await signInBy(page, button, who)
      await pass(page)
      await standard.isIn(page)
      await context.clearCookies({ name: /_session/ })
    }
  },
)

describe.each(browserSweep.isExhaustive ? [scripted, scriptless] : [scripted])(
  '$title, a new user',
  ({ options, pass }) => {
    it('must agree to the terms or go back', async () => {
      const { toSignIn, isIn, userNamed } = withTerms
      const who = await newProviderAccount()
      const { page } = await openPage(options)
      for (const answer of ['Cancel', 'Agree']) {
        await toSignIn(page)
        await signInBy(page, OIDC, who)
        await pass(page)
        const question = page.getByRole('dialog')
        await question.getByText('To proceed, please agree to the').waitFor()
        expect(await question.getByRole('link', { name: 'Terms of Use' }).count()).toBe(1)
        await savePicture(page, `social-terms-${options === desktopOptions ? 'script' : 'none'}`)
        if (answer === 'Agree') await pressButton(page, answer)
        else {
          await question.getByText('Cancel').click()
          await heading(page, 'Sign in to your account')
          expect(await userNamed(who.name)).toBeUndefined()
        }
      }
      await isIn(page)
    })

    it('can link the account with the same address', async () => {
      const { toSignIn, isIn, accountOf, userOf } = standard
      const email = freshEmail()
      const account = await accountOf(email)
      const who = await newProviderAccount({ email, isVerified: true })
      const { page } = await openPage(options)
      await toSignIn(page)
      await signInBy(page, OIDC, who)
      await pass(page)
      await heading(page, 'Is this your account?')
      expect(page.url()).toContain('/social/link/up-oidc?')
      await page.reload()
      await page.getByText('An account with this email already exists. Link Upstream oidc to it?').waitFor()
      if (options === desktopOptions) await untilHydrated(page)
      const link = page.getByRole('button', { name: `Link to ${email.slice(0, 4)}****@example.com` })
      // The first stop after "Back"
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await link.evaluate((it) => it === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await isIn(page)
      expect(await userOf(account.id)).toMatchObject({ identities: { 'up-oidc': { userId: who.id } } })
    })

    // tests/client/social-journeys.test.ts covers this step and the next one.
    inExhaustiveRun('can create another account instead', async () => {
      const { toSignIn, isIn, accountOf, userOf, userNamed } = standard
      const email = freshEmail()
      const account = await accountOf(email)
      const who = await newProviderAccount({ email, isVerified: true })
      const { page } = await openPage(options)
      await toSignIn(page)
      await signInBy(page, OIDC, who)
      await pass(page)
      await pressButton(page, 'Create a new account')
      await isIn(page)
      expect(await userOf(account.id)).toMatchObject({ identities: {} })
      expect(await userNamed(who.name)).toMatchObject({ primaryEmail: null })
    })

    inExhaustiveRun('must choose a username if accounts require one', async () => {
      const { toSignIn, isIn, userNamed } = withUsernames
      const who = await newProviderAccount()
      const { page } = await openPage(options)
      await toSignIn(page)
      await signInBy(page, OIDC, who)
      await pass(page)
      await heading(page, 'Choose a username')
      expect(new URL(page.url()).searchParams.get('link_social')).toBe('up-oidc')
      expect(await page.title()).toBe('Create account')
      await usernameField(page).fill(who.id)
      await pressButton(page, 'Continue')
      await isIn(page)
      expect(await userNamed(who.name)).toMatchObject({ username: who.id })
    })
  },
)

/**
 * `npm test` runs these tests alternately with and without JavaScript. tests/web/social/social-forms.test.ts
 * covers their common steps over HTTP, and tests/client/social-journeys.test.ts those that the exhaustive run adds.
 */
describe('a new user', () => {
  const both = [scripted, scriptless]
  const only = (each: (typeof both)[number]) => (browserSweep.isExhaustive ? both : [each])

  inExhaustiveRun.each(both)(
    "is registered with the provider's address if accounts require one, $title",
    async ({ options, pass }) => {
      const { toSignIn, isIn, userNamed } = withEmails
      const email = freshEmail()
      const who = await newProviderAccount({ email, isVerified: true })
      const { page } = await openPage(options)
      await toSignIn(page)
      await signInBy(page, OIDC, who)
      await pass(page)
      await isIn(page)
      expect(await userNamed(who.name)).toMatchObject({ primaryEmail: email })
    },
  )

  it.each(only(scriptless))(
    'can verify an existing account’s address to link the account, $title',
    async ({ options, pass }) => {
      const { toSignIn, isIn, accountOf, codeTo, userOf } = withEmails
      const email = freshEmail()
      const account = await accountOf(email)
      const who = await newProviderAccount()
      const { page } = await openPage(options)
      await toSignIn(page)
      await signInBy(page, OIDC, who)
      await pass(page)
      await heading(page, 'Add your email')
      await page.getByRole('textbox', { name: 'Email' }).fill(email)
      await pressButton(page, 'Continue')
      await page.getByText('We sent a 6-digit code to').waitFor()
      for (const [index, digit] of [...(await codeTo(email))].entries()) {
        await page.getByLabel(`Digit ${index + 1} of 6`).fill(digit)
      }
      if (options !== desktopOptions) await pressButton(page, 'Continue')
      await page.getByRole('dialog').getByText('Would you like to link?').waitFor()
      await pressButton(page, 'Link and continue')
      await isIn(page)
      expect(await userOf(account.id)).toMatchObject({ identities: { 'up-oidc': { userId: who.id } } })
    },
  )

  inExhaustiveRun.each(both)('is rejected if registration is disabled, $title', async ({ options, pass }) => {
    const { page } = await openPage(options)
    await withoutRegistration.toSignIn(page)
    await signInBy(page, OIDC, await newProviderAccount())
    await pass(page)
    await heading(page, 'Sign in to your account')
    expect(await problem(page)).toBe(`No account is linked to this Upstream oidc account yet. ${NEXT}`)
  })

  inExhaustiveRun.each(both)(
    'agrees to the terms only once to register if sign-in is disabled, $title',
    async ({ options, pass }) => {
      const { toSignIn, isIn } = withoutSignIn
      const who = await newProviderAccount()
      const { context, page } = await openPage(options)
      await toSignIn(page)
      await heading(page, 'Create your account')
      await page.getByRole('checkbox').check()
      await signInBy(page, OIDC, who)
      await pass(page)
      await isIn(page)
      await context.clearCookies()

      await toSignIn(page)
      if (options === desktopOptions) {
        await pressButton(page, OIDC)
        await page.getByRole('dialog').waitFor()
        await pressButton(page, 'Agree')
        await heading(page, 'Who are you?')
        await pressButton(page, who.name)
      } else {
        await page.getByRole('checkbox').check()
        await signInBy(page, OIDC, who)
      }
      await pass(page)
      await heading(page, 'Create your account')
      expect(await problem(page)).toBe(
        `This Upstream oidc account is already linked to another account. ${NEXT}`,
      )
    },
  )
})

describe('inside an app', () => {
  const { origin, toSignIn, isIn } = standard
  type Handed = { callbackUri: string; redirectTo: string }
  const app = (more: object) => `(() => {
    window.handed = []
    const post = (message) => window.handed.push(message)
    window.vestibuleNative = { platform: 'ios', getPostMessage: () => post, ...${JSON.stringify(more)} }
  })()`
  const handed = (page: Page) => page.evaluate(() => Reflect.get(window, 'handed') as Handed[])

  it('the app opens the provider, and the page continues with its response', async () => {
    const who = await newProviderAccount()
    const { context, page, complaints } = await openPage(mobileOptions)
    await context.addInitScript(app({ callbackLink: 'com.example.app://back' }))
    await toSignIn(page)
    await pressButton(page, OIDC)
    await expect.poll(() => handed(page)).toHaveLength(1)
    const [{ callbackUri, redirectTo } = { callbackUri: '', redirectTo: '' }] = await handed(page)
    expect(callbackUri).toBe(`${origin}/sign-in/social/up-oidc`)
    const landing = new URL(redirectTo)
    expect(landing.origin + landing.pathname).toBe(`${origin}/social/landing/up-oidc`)
    expect(landing.searchParams.get('native_callback')).toBe('com.example.app://back')
    const provider = landing.searchParams.get('redirect_to') ?? ''
    expect(provider).toMatch(new RegExp(`^${upstream.openid}/auth\\?`))
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    expect(await page.locator('[aria-busy=true]').count()).toBe(0)

    // The app opens the provider in the system's browser, and returns through an app link.
    const { search } = (await answerAt(provider, who)).url
    const stored = () => page.evaluate(() => Object.entries(sessionStorage).sort())
    expect(await stored()).toEqual([
      ['social_auth_state:up-oidc', new URL(provider).searchParams.get('state')],
      ['social_callback_data:up-oidc', 'com.example.app://back'],
    ])
    await page.goto(callbackUri + search)
    await isIn(page)
    await toSignIn(page)
    expect(await stored()).toEqual([])
    expect(complaints).toEqual([])
  })

  it('without a callback link, no provider has a button, and the user signs in with a password', async () => {
    const { context, page, complaints } = await openPage(mobileOptions)
    await context.addInitScript(app({ supportedConnector: { universal: true, nativeTargets: ['wechat'] } }))
    await toSignIn(page)
    // "plus Universal ones when a callback link exists"
    await expect.poll(() => page.getByRole('button', { name: /^Continue with/ }).count()).toBe(0)
    const username = freshName()
    await standard.createUser({ username, password: PASSWORD })
    await signInOnPage(page, username)
    await isIn(page)
    expect(await page.evaluate(() => Reflect.get(window, 'handed'))).toEqual([])
    expect(complaints).toEqual([])
  })

  // tests/web/social/social-landing.test.ts covers what the page stores, and the page without JavaScript.
  it('an app that opens the provider itself gets the user back', async () => {
    const callback = 'com.example.app://back'
    const native = await standard.openApplication('App', { type: 'Native', redirectUri: callback })
    const { page, complaints } = await openPage({ ...mobileOptions, colorScheme: 'dark' })
    await page.goto((await native.authorizationUrl()).url)
    const state = `${new URL(page.url()).searchParams.get('interaction')}.aaaaaaaaaaaaaaaa`
    const query = new URLSearchParams({ connectorId: 'up-oidc', callback, state })
    // The interaction is stored with its first call.
    await pressButton(page, OIDC)
    await heading(page, 'Who are you?')
    await page.goto(`${origin}/springboard?${query}`)
    await heading(page, 'Return to your app')
    expect(await page.title()).toBe('Return to your app · Vestibule')
    expect([await axeViolations(page), await smallTargets(page)]).toEqual([[], []])
    await savePicture(page, 'springboard')
    expect(complaints).toEqual([])
  })

  // tests/client/native-bridge.test.tsx covers these bridges.
  inExhaustiveRun('connectors that the app does not support have no buttons', async () => {
    for (const bridge of [
      app({}),
      app({ callbackLink: 'a://b', supportedConnector: { universal: false } }),
      'window.vestibuleNative = {}',
    ]) {
      const { context, page } = await openPage(mobileOptions)
      await context.addInitScript(bridge)
      await toSignIn(page)
      await expect.poll(() => page.getByRole('button', { name: /^Continue with/ }).count()).toBe(0)
    }
  })
})

describe('the pages in a social sign-in', async () => {
  const { toSignIn, accountOf } = await openSocialTenant(
    {
      color: bothThemes,
      termsOfUseUrl: TERMS,
    },
    Object.keys(kinds) as (keyof typeof kinds)[],
  )

  let inspected = 0
  const isSound = async (page: Page) => {
    if (!pictureSweep.isExhaustive)
      await page.emulateMedia({ colorScheme: inspected++ % 2 === 0 ? 'light' : 'dark' })
    expect([await axeViolations(page), await smallTargets(page)]).toEqual([[], []])
  }

  const looks = pairsOf(pictureSweep, ['mobile', 'desktop'] as const, ['light', 'dark'] as const)

  // `npm test` uses a phone, where problems are most likely, and alternates between the themes.
  it.each(pictureSweep.isExhaustive ? looks : looks.slice(0, 1))(
    'are accessible: %s, %s',
    async (screen, colorScheme) => {
      const email = freshEmail()
      await accountOf(email)
      const who = await newProviderAccount({ email, isVerified: true })
      const { page, complaints } = await openPage({
        ...(screen === 'mobile' ? mobileOptions : desktopOptions),
        colorScheme,
      })
      await toSignIn(page)
      await isSound(page)
      await savePicture(page, `social-buttons-${screen}-${colorScheme}`)
      await page.route('**/api/interaction/identifiers*', async (route) => {
        await heading(page, 'Signing you in with Upstream oidc…')
        await isSound(page)
        await savePicture(page, `social-return-${screen}-${colorScheme}`)
        await route.continue()
      })
      await signInBy(page, OIDC, who)
      await page.getByRole('dialog').waitFor()
      await isSound(page)
      await pressButton(page, 'Agree')
      await heading(page, 'Is this your account?')
      await isSound(page)
      await savePicture(page, `social-link-${screen}-${colorScheme}`)
      expect(complaints).toEqual([])
    },
  )
})
