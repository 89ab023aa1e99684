import axe from 'axe-core'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshName } from '../kit/cookie-client.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, mobile, person, picture } from './browser.ts'
import { management } from './management.ts'
import { press, username } from './steps.ts'
import { startUpstream, type Upstream } from './upstream.ts'
import type { Person } from './upstream-accounts.ts'
import { registerConnector, type UpstreamKind } from './upstream-connectors.ts'
import { answerAt } from './upstream-sign-in.ts'

/** In by an account somewhere else: real providers, real redirects, and our pages between them (issue 5). */

const origin = inject('origin')
/** Connectors by their ids, which are their names on the buttons, too. */
const kinds = {
  'up-oidc': 'oidc',
  'up-fragment': 'oidcFragment',
  'up-form': 'oidcFormPost',
  'up-oauth': 'oauth2',
} as const
const OIDC = 'Continue with Upstream oidc'

const byName = { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }
const byCode = { identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false }

const openly = {
  signInMode: 'SignInAndRegister',
  signIn: { methods: [byName] },
  signUp: { identifiers: [], password: false, verify: false },
  socialSignInConnectorTargets: Object.keys(kinds),
  termsOfUseUrl: null,
  privacyPolicyUrl: null,
}

let upstream: Upstream
let application: Application
let call: Awaited<ReturnType<typeof management>>
let before: Record<string, unknown>
beforeAll(async () => {
  upstream = await startUpstream()
  application = await openApplication('Social pages')
  call = await management()
  before = await call('GET', '/sign-in-exp')
  for (const [id, kind] of Object.entries(kinds) as [string, UpstreamKind][]) {
    await call('POST', '/connectors', await registerConnector(upstream, kind, { id, origin }))
  }
  await change({})
})
afterAll(async () => {
  const { signInMode, signIn, signUp, socialSignInConnectorTargets } = before
  await call('PATCH', '/sign-in-exp', { ...openly, signInMode, signIn, signUp, socialSignInConnectorTargets })
  for (const id of Object.keys(kinds)) await call('DELETE', `/connectors/${id}`)
  application.close()
  upstream.close()
})

const change = (settings: Record<string, unknown>) =>
  call('PATCH', '/sign-in-exp', { ...openly, ...settings })

/** Somebody the providers know. */
async function somebody(known: Partial<Person> = {}): Promise<Person> {
  const id = freshName()
  const one = { id, name: id, ...known }
  await fetch(`${upstream.openid}/people`, { method: 'POST', body: JSON.stringify(one) })
  return one
}

const toSignIn = async (page: Page, parameters: Record<string, string> = {}) =>
  page.goto((await application.authorizationUrl(parameters)).url)
const isIn = (page: Page) => page.waitForURL(`${application.callback}?**`)
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

/** From the page with the buttons to the provider, and there by a button of one's own. */
async function by(page: Page, button: string, who: Person | null): Promise<void> {
  await press(page, button)
  await heading(page, 'Who are you?')
  await press(page, who?.name ?? 'Deny')
}

async function inaccessible(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const inspector: typeof axe = Reflect.get(window, 'axe')
    const { violations } = await inspector.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
}

describe('by an account somewhere else', () => {
  it.each(['Upstream oidc', 'Upstream oidcFragment', 'Upstream oidcFormPost', 'Upstream oauth2'])(
    'somebody new registers with %s, and signs in the next time',
    async (provider) => {
      const who = await somebody()
      await fetch(`${upstream.oauth}/people`, { method: 'POST', body: JSON.stringify(who) })
      const { context, page, complaints } = await person()
      for (const _ of ['the first time', 'the next']) {
        await toSignIn(page)
        await by(page, `Continue with ${provider}`, who)
        await isIn(page)
        expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
        await context.clearCookies()
      }
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})

/** For as long as a group of tests runs. */
function during(settings: Record<string, unknown>): void {
  beforeAll(() => change(settings))
  afterAll(() => change({}))
}

const toast = (page: Page) => page.locator('.toast').textContent()
const problem = (page: Page) => page.locator('.form-problem').textContent()
const withoutScript = { ...desktop, javaScriptEnabled: false }

type User = {
  id: string
  name: string | null
  username: string | null
  primaryEmail: string | null
  identities: Record<string, { userId: string }>
}
const freshAddress = () => `${freshName()}@example.com`
const accountOf = (email: string) => call<User>('POST', '/users', { primaryEmail: email })
const userNamed = async (name: string) =>
  (await call<User[]>('GET', `/users?search.name=${name}&mode.name=exact`))[0]

describe('a visitor without script', () => {
  it('registers, and signs in the next time, by two buttons', async () => {
    const who = await somebody()
    const { context, page, complaints } = await person(withoutScript)
    for (const time of ['the first time', 'the next']) {
      await toSignIn(page)
      await by(page, OIDC, who)
      await heading(page, 'Signing you in with Upstream oidc…')
      if (time === 'the next') await picture(page, 'social-return-without-script')
      await press(page, 'Continue')
      await isIn(page)
      await context.clearCookies()
    }
    expect(await userNamed(who.name)).toMatchObject({ identities: { 'up-oidc': { userId: who.id } } })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('who says no there finds the page they came from, and why', async () => {
    const { context, page } = await person(withoutScript)
    await toSignIn(page)
    await by(page, OIDC, null)
    await press(page, 'Continue')
    await heading(page, 'Sign in to your account')
    expect(await problem(page)).toBe('You did not authorize the sign-in, or the provider refused it.')
    expect(await page.title()).toBe('Error: Sign in')
    await picture(page, 'social-denied-without-script')
    await page.reload()
    expect(await page.locator('.form-problem').count()).toBe(0)
    const who = await somebody()
    await by(page, OIDC, who)
    await press(page, 'Continue')
    await isIn(page)
    await context.close()
  })

  it('comes back from the provider to a page that does not send them there again', async () => {
    const { context, page } = await person(withoutScript)
    await toSignIn(page)
    await press(page, OIDC)
    await heading(page, 'Who are you?')
    await page.goBack()
    await heading(page, 'Sign in to your account')
    await context.close()
  })

  it('sees where the way leads when the provider cannot be reached', async () => {
    const { context, page } = await person(withoutScript)
    // Where a browser has not gone, it stays.
    await page.route(`${upstream.openid}/**`, (route) => route.abort('aborted'))
    await toSignIn(page)
    await press(page, OIDC)
    await heading(page, 'Taking you to Upstream oidc…')
    const link = page.getByRole('link', { name: 'Continue', exact: true })
    expect(await link.getAttribute('href')).toContain(`${upstream.openid}/auth?`)
    await picture(page, 'social-leaving-without-script')
    await context.close()
  })
})

describe('who says no at the provider', () => {
  it('finds the page they came from, is told why, and can try again', async () => {
    const { context, page, complaints } = await person()
    await toSignIn(page)
    await by(page, OIDC, null)
    await page.waitForURL('**/sign-in?**')
    expect(await toast(page)).toBe('You did not authorize the sign-in, or the provider refused it.')
    expect(page.url()).not.toMatch(/error|state/)
    await picture(page, 'social-denied')
    await by(page, OIDC, await somebody())
    await isIn(page)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('an answer', () => {
  it('is used once, and is in no history afterwards', async () => {
    const { context, page } = await person()
    const answers: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/callback/up-oidc')) answers.push(request.url())
    })
    await toSignIn(page)
    const uid = new URL(page.url()).searchParams.get('interaction')
    await by(page, OIDC, null)
    await page.waitForURL('**/sign-in?**')
    await page.goto(answers[0] ?? '')
    await page.waitForURL('**/sign-in?**')
    expect(await toast(page)).toBe('The authorization is invalid')
    expect(new URL(page.url()).searchParams.get('interaction')).toBe(uid)
    await context.close()
  })

  it('means nothing in a browser that has not asked', async () => {
    const asking = await person()
    let provider = ''
    await asking.page.route(`${upstream.openid}/auth?**`, (route) => {
      provider = route.request().url()
      return route.abort()
    })
    await toSignIn(asking.page)
    await press(asking.page, OIDC)
    await expect.poll(() => provider).not.toBe('')
    const answer = (await answerAt(provider, await somebody())).url.href

    for (const options of [desktop, withoutScript]) {
      const other = await person(options)
      await other.page.goto(answer)
      await other.page.waitForURL('**/unknown-session')
      // With an interaction of their own, too.
      await toSignIn(other.page)
      await other.page.goto(answer)
      await other.page.waitForURL('**/unknown-session')
      await other.context.close()
    }
    await asking.context.close()
  })
})

describe.each([
  { title: 'with script', options: desktop, pass: async () => {} },
  { title: 'without script', options: withoutScript, pass: (page: Page) => press(page, 'Continue') },
])('$title, somebody new', ({ options, pass }) => {
  describe('where there are terms', () => {
    during({ termsOfUseUrl: 'https://example.com/terms' })

    it('agrees to them, or finds the way back', async () => {
      const who = await somebody()
      const { context, page } = await person(options)
      for (const answer of ['Cancel', 'Agree']) {
        await toSignIn(page)
        await by(page, OIDC, who)
        await pass(page)
        const question = page.getByRole('dialog')
        await question.getByText('To proceed, please agree to the').waitFor()
        expect(await question.getByRole('link', { name: 'Terms of Use' }).count()).toBe(1)
        await page.waitForTimeout(300)
        await picture(page, `social-terms-${options === desktop ? 'script' : 'none'}`)
        if (answer === 'Agree') await press(page, answer)
        else {
          await question.getByText('Cancel').click()
          await heading(page, 'Sign in to your account')
          expect(await userNamed(who.name)).toBeUndefined()
        }
      }
      await isIn(page)
      await context.close()
    })
  })

  describe('whose address is that of an account', () => {
    it('links it', async () => {
      const email = freshAddress()
      const account = await accountOf(email)
      const who = await somebody({ email, isVerified: true })
      const { context, page } = await person(options)
      await toSignIn(page)
      await by(page, OIDC, who)
      await pass(page)
      await heading(page, 'Link or create account')
      expect(page.url()).toContain('/social/link/up-oidc?')
      await press(page, `Link with ${email.slice(0, 4)}****@example.com`)
      await isIn(page)
      expect(await call<User>('GET', `/users/${account.id}`)).toMatchObject({
        identities: { 'up-oidc': { userId: who.id } },
      })
      await context.close()
    })

    it('gets an account of their own instead', async () => {
      const email = freshAddress()
      const account = await accountOf(email)
      const who = await somebody({ email, isVerified: true })
      const { context, page } = await person(options)
      await toSignIn(page)
      await by(page, OIDC, who)
      await pass(page)
      await press(page, 'Create account without linking')
      await isIn(page)
      expect(await call<User>('GET', `/users/${account.id}`)).toMatchObject({ identities: {} })
      expect(await userNamed(who.name)).toMatchObject({ primaryEmail: null })
      await context.close()
    })
  })

  describe('where people register with a username', () => {
    during({ signUp: { identifiers: ['username'], password: true, verify: false } })

    it('is asked for it', async () => {
      const who = await somebody()
      const { context, page } = await person(options)
      await toSignIn(page)
      await by(page, OIDC, who)
      await pass(page)
      await heading(page, 'Set a username')
      expect(new URL(page.url()).searchParams.get('link_social')).toBe('up-oidc')
      expect(await page.title()).toBe('Create account')
      await username(page).fill(who.id)
      await press(page, 'Continue')
      await isIn(page)
      expect(await userNamed(who.name)).toMatchObject({ username: who.id })
      await context.close()
    })
  })

  describe('where people register with an e-mail address', () => {
    during({
      signIn: { methods: [byCode] },
      signUp: { identifiers: ['email'], password: false, verify: true },
    })

    it('is registered with that of the provider', async () => {
      const email = freshAddress()
      const who = await somebody({ email, isVerified: true })
      const { context, page } = await person(options)
      await toSignIn(page)
      await by(page, OIDC, who)
      await pass(page)
      await isIn(page)
      expect(await userNamed(who.name)).toMatchObject({ primaryEmail: email })
      await context.close()
    })

    it('gives one that turns out to be theirs, and links that account', async () => {
      const email = freshAddress()
      const account = await accountOf(email)
      const who = await somebody()
      const { context, page } = await person(options)
      await toSignIn(page)
      await by(page, OIDC, who)
      await pass(page)
      await heading(page, 'Link email')
      await page.getByLabel('Email').fill(email)
      await press(page, 'Continue')
      await page.getByText('has been sent').waitFor()
      const [mail] = (await (await fetch(`${origin}/dev/inbox.json?to=${email}`)).json()) as {
        code: string
      }[]
      for (const [index, digit] of [...(mail?.code ?? '')].entries()) {
        await page.getByLabel(`Digit ${index + 1} of 6`).fill(digit)
      }
      if (options !== desktop) await press(page, 'Continue')
      await page.getByRole('dialog').getByText('Would you like to link?').waitFor()
      await press(page, 'Link and continue')
      await isIn(page)
      expect(await call<User>('GET', `/users/${account.id}`)).toMatchObject({
        identities: { 'up-oidc': { userId: who.id } },
      })
      await context.close()
    })
  })

  describe('where nobody registers', () => {
    during({ signInMode: 'SignIn' })

    it('is told so', async () => {
      const { context, page } = await person(options)
      await toSignIn(page)
      await by(page, OIDC, await somebody())
      await pass(page)
      await heading(page, 'Sign in to your account')
      const said = options === desktop ? toast(page) : problem(page)
      expect(await said).toBe('No account is linked to this social identity yet.')
      await context.close()
    })
  })

  describe('where people only register, and only by accounts of others', () => {
    during({ signInMode: 'Register', termsOfUseUrl: 'https://example.com/terms' })

    it('agrees to the terms once, registers, and is told the next time that they have', async () => {
      const who = await somebody()
      const { context, page } = await person(options)
      await toSignIn(page)
      await heading(page, 'Create your account')
      await page.getByRole('checkbox').check()
      await by(page, OIDC, who)
      await pass(page)
      await isIn(page)
      await context.clearCookies()

      await toSignIn(page)
      if (options === desktop) {
        await press(page, OIDC)
        await page.getByRole('dialog').waitFor()
        await press(page, 'Agree')
        await heading(page, 'Who are you?')
        await press(page, who.name)
      } else {
        await page.getByRole('checkbox').check()
        await by(page, OIDC, who)
      }
      await pass(page)
      await heading(page, 'Create your account')
      const said = options === desktop ? toast(page) : problem(page)
      expect(await said).toBe('This social identity is already linked to an account.')
      await context.close()
    })
  })
})

describe('inside an app', () => {
  type Handed = { callbackUri: string; redirectTo: string }
  const app = (more: object) => `(() => {
    window.handed = []
    const post = (message) => window.handed.push(message)
    window.vestibuleNative = { platform: 'ios', getPostMessage: () => post, ...${JSON.stringify(more)} }
  })()`
  const handed = (page: Page) => page.evaluate(() => Reflect.get(window, 'handed') as Handed[])

  it('hands the way over, and comes back with the answer', async () => {
    const who = await somebody()
    const { context, page, complaints } = await person(mobile)
    await context.addInitScript(app({ callbackLink: 'com.example.app://back' }))
    await toSignIn(page)
    await press(page, OIDC)
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

    // In the browser of the system, and back by the app's own link.
    const { search } = (await answerAt(provider, who)).url
    await page.goto(callbackUri + search)
    await isIn(page)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('has no buttons for what the app cannot do', async () => {
    for (const bridge of [
      app({}),
      app({ callbackLink: 'a://b', supportedConnector: { universal: false } }),
      'window.vestibuleNative = {}',
    ]) {
      const { context, page } = await person(mobile)
      await context.addInitScript(bridge)
      await toSignIn(page)
      await expect.poll(() => page.getByRole('button', { name: /^Continue with/ }).count()).toBe(0)
      await context.close()
    }
  })
})

describe('what it looks like', () => {
  during({
    color: { primaryColor: '#6139F6', isDarkModeEnabled: true, darkPrimaryColor: '#8768F8' },
    termsOfUseUrl: 'https://example.com/terms',
  })

  it.each([
    { screen: 'desktop', options: { ...desktop, colorScheme: 'light' as const } },
    { screen: 'desktop-dark', options: { ...desktop, colorScheme: 'dark' as const } },
    { screen: 'mobile', options: { ...mobile, colorScheme: 'light' as const } },
    { screen: 'mobile-dark', options: { ...mobile, colorScheme: 'dark' as const } },
  ])('can be used by everybody: $screen', async ({ screen, options }) => {
    const email = freshAddress()
    await accountOf(email)
    const who = await somebody({ email, isVerified: true })
    const { context, page, complaints } = await person(options)
    await toSignIn(page)
    expect(await inaccessible(page)).toEqual([])
    await picture(page, `social-buttons-${screen}`)
    await page.route('**/api/interaction/identifiers*', async (route) => {
      await heading(page, 'Signing you in with Upstream oidc…')
      expect(await inaccessible(page)).toEqual([])
      await picture(page, `social-return-${screen}`)
      await route.continue()
    })
    await by(page, OIDC, who)
    await page.getByRole('dialog').waitFor()
    expect(await inaccessible(page)).toEqual([])
    await press(page, 'Agree')
    await heading(page, 'Link or create account')
    expect(await inaccessible(page)).toEqual([])
    await picture(page, `social-link-${screen}`)
    expect(complaints).toEqual([])
    await context.close()
  })
})
