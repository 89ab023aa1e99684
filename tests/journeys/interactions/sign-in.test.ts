import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  expectNowhere,
  inExhaustiveRun,
  openPage,
  scripted,
  scriptless,
  watchAddresses,
  waysOf,
  withoutScript,
} from '../browser.ts'
import { ageSignIn } from '../database.ts'
import {
  chooseName,
  choosePassword,
  followLink,
  forgetInteraction,
  interactionOf,
  passwordField,
  pressButton,
  registerOnPages,
  signInAgain,
  signInOnPage,
  usernameField,
} from '../steps.ts'
import { openTenant } from '../tenant.ts'

const { origin, openApplication, registeredName } = await openTenant()
const one = await openApplication('Application One')
const two = await openApplication('Application Two')

describe('the demo application', () => {
  it('lets a user register, sign out and in again, and change the password after a recent sign-in', async () => {
    const { page, complaints } = await openPage()
    const name = freshName()
    await page.goto(`${origin}/demo-app`)
    await pressButton(page, 'Create account')
    await page.waitForURL('**/register?**')
    await registerOnPages(page, name)
    await page.waitForURL('**/demo-app**')
    await page.getByText(name).first().waitFor()

    await pressButton(page, 'Sign out')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await pressButton(page, 'Sign in')
    await page.waitForURL('**/sign-in?**')
    await signInOnPage(page, name)
    await page.waitForURL('**/demo-app**')
    await page.getByText(name).first().waitFor()
    expect(complaints).toEqual([])

    const change = async () => {
      await page.getByLabel('New password').fill('another-horse-8')
      await pressButton(page, 'Change password')
    }
    await page.getByLabel('New password').waitFor()
    ageSignIn(name)
    await change()
    await signInAgain(page)
    await page.waitForURL('**/demo-app**')
    await change()
    await page.getByText('Your password has been changed.').waitFor()
  })
})

describe.each([scripted, scriptless])('$script', ({ options }) => {
  it('a user registers and returns to the application with an authorization code', async () => {
    const { page, complaints } = await openPage(options)
    const addresses = watchAddresses(page)
    const { url, state } = await one.authorizationUrl()
    await page.goto(url)
    await page.getByRole('link', { name: 'Create account' }).click()
    await page.waitForURL('**/register?**')
    await registerOnPages(page, freshName())
    await page.waitForURL(`${one.callback}**`)
    const back = new URL(page.url()).searchParams
    expect([back.get('state'), Boolean(back.get('code'))]).toEqual([state, true])
    expectNowhere(PASSWORD, addresses)
    expect(complaints).toEqual([])
  })
})

describe.each(waysOf(scriptless))('$script', ({ options }) => {
  it('two tabs that sign in to different applications each return to the right application', async () => {
    const name = await registeredName()
    const { context, page } = await openPage(options)
    const other = await context.newPage()
    const first = await one.authorizationUrl()
    const second = await two.authorizationUrl()
    await page.goto(first.url)
    await other.goto(second.url)
    await signInOnPage(page, name)
    await page.waitForURL(`${one.callback}**`)
    await signInOnPage(other, name)
    await other.waitForURL(`${two.callback}**`)
    expect(new URL(page.url()).searchParams.get('state')).toBe(first.state)
    expect(new URL(other.url()).searchParams.get('state')).toBe(second.state)
  })

  it('a user confirms signing out and then has no session', async () => {
    const name = await registeredName()
    const { page } = await openPage(options)
    await page.goto((await one.authorizationUrl()).url)
    await signInOnPage(page, name)
    await page.waitForURL(`${one.callback}**`)

    await page.goto(`${origin}/oidc/session/end`)
    await pressButton(page, 'Sign out')
    await page.waitForURL('**/oidc/session/end/success**')
    await page.goto((await one.authorizationUrl()).url)
    await passwordField(page).waitFor()
  })
})

// tests/web/pages/forms.test.ts, pages.test.ts, oidc-pages.test.ts and language-picker.test.ts cover these
// flows over HTTP, without JavaScript. `npm test` leaves out those in which a script changes little.
describe.each(waysOf(scripted))('$script', ({ options }) => {
  it('a form reports a wrong password, and then accepts the right one', async () => {
    const name = await registeredName()
    const { page } = await openPage(options)
    const addresses = watchAddresses(page)
    await page.goto((await one.authorizationUrl()).url)
    await signInOnPage(page, name, 'wrong-horse-7')
    await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor()
    expect(await usernameField(page).inputValue()).toBe(name)
    await signInOnPage(page, name)
    await page.waitForURL(`${one.callback}**`)
    expectNowhere('wrong-horse-7', addresses)
    expectNowhere(PASSWORD, addresses)
  })

  inExhaustiveRun('a form reports that a username is in use, and then accepts another one', async () => {
    const { page } = await openPage(options)
    await page.goto((await one.authorizationUrl({ interaction_mode: 'signUp' })).url)
    await usernameField(page).fill(await registeredName())
    await pressButton(page, 'Continue')
    await page.getByText('Username already exists').waitFor()
    expect(new URL(page.url()).pathname).toBe('/register')
    await registerOnPages(page, freshName())
    await page.waitForURL(`${one.callback}**`)
  })

  it('the password page survives a reload, and the back button returns to the username', async () => {
    const { page } = await openPage(options)
    await page.goto((await one.authorizationUrl({ interaction_mode: 'signUp' })).url)
    const name = freshName()
    await chooseName(page, name)
    await page.reload()
    await passwordField(page).waitFor()
    await page.goBack()
    await page.waitForURL('**/register?**')
    await registerOnPages(page, name)
    await page.waitForURL(`${one.callback}**`)
  })

  it('the user can start again if the interaction was finished in another tab', async () => {
    const name = await registeredName()
    const { context, page } = await openPage(options)
    const { url, state } = await one.authorizationUrl()
    await page.goto(url)
    const other = await context.newPage()
    await other.goto(page.url())
    await signInOnPage(other, name)
    await other.waitForURL(`${one.callback}**`)

    await signInOnPage(page, name)
    await page.getByText('This sign-in has expired or was already completed.').waitFor()
    await followLink(page, 'Start again')
    // The session exists, so the user need not type anything.
    await page.waitForURL(`${one.callback}**`)
    expect(new URL(page.url()).searchParams.get('state')).toBe(state)
  })

  inExhaustiveRun('a user chooses a language that also applies to the following pages', async () => {
    const { page } = await openPage(options)
    await page.goto((await one.authorizationUrl()).url)
    await page.goto(`${page.url()}&lng=de`)
    await page.getByRole('heading', { name: 'Bei Ihrem Konto anmelden' }).waitFor()
    await followLink(page, 'Konto erstellen')
    await page.waitForURL('**/register?**')
    expect(page.url()).not.toContain('lng=')
    await page.getByLabel('Benutzername').fill(freshName())
    await pressButton(page, 'Weiter')
    await page.waitForURL('**/register/password?**')
    await page.reload()
    await page.getByRole('heading', { name: 'Passwort festlegen' }).waitFor()
  })

  inExhaustiveRun('a user who declines to sign out remains signed in', async () => {
    const name = await registeredName()
    const { page } = await openPage(options)
    await page.goto((await one.authorizationUrl()).url)
    await signInOnPage(page, name)
    await page.waitForURL(`${one.callback}**`)

    await page.goto(`${origin}/oidc/session/end`)
    await followLink(page, 'Stay signed in')
    await page.getByRole('heading', { name: 'You’re still signed in' }).waitFor()
    const again = await one.authorizationUrl()
    await page.goto(again.url)
    expect(page.url()).toContain(`${one.callback}?`)
    expect(new URL(page.url()).searchParams.get('state')).toBe(again.state)
  })

  it('a request without an interaction shows an error page', async () => {
    const { page } = await openPage(options)
    await page.goto(`${origin}/sign-in`)
    expect(new URL(page.url()).pathname).toBe('/unknown-session')
    await page.getByRole('heading', { name: 'This sign-in can’t continue' }).waitFor()
    expect(await page.getByRole('link', { name: 'Start again' }).count()).toBe(0)
    await page.goto(`${origin}/no-such-page`)
    // The specification: "a not-found screen titled '404 Not Found'".
    expect(await page.title()).toBe('404 Not Found · Vestibule')
    await page.getByRole('heading', { name: '404 Not Found' }).waitFor()
    await page.getByText('The page you’re looking for doesn’t exist or has moved.').waitFor()
  })

  inExhaustiveRun('a page on which the sign-in cannot continue links back to the application', async () => {
    const login = 'https://app.example/login'
    const application = await openApplication('Application Three', { initiateLoginUri: login })
    const { page } = await openPage(options)
    await page.route(
      (address) => address.href.startsWith(login),
      (route) => route.fulfill({ body: 'Welcome' }),
    )
    const { url } = await application.authorizationUrl()
    await page.goto(url)
    await page.goto(`${origin}/unknown-session`)
    await page.getByRole('heading', { name: 'This sign-in can’t continue' }).waitFor()
    await followLink(page, 'Start again')
    await page.waitForURL((address) => address.searchParams.get('iss') === `${origin}/oidc`)

    await page.goto(url.replace(/redirect_uri=[^&]+/, 'redirect_uri=https%3A%2F%2Fevil.example'))
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    await followLink(page, 'Start again')
    await page.waitForURL((address) => address.href.startsWith(login))
  })
})

describe('a browser that has lost its interaction cookie', () => {
  it('can start the sign-in again with JavaScript', async () => {
    const name = await registeredName()
    const { page } = await openPage()
    const { url, state } = await one.authorizationUrl()
    await page.goto(url)
    const uid = interactionOf(page)
    await forgetInteraction(page)
    await signInOnPage(page, name)
    await followLink(page, 'Start again')
    await page.waitForURL((address) => address.pathname === '/sign-in' && !address.href.includes(uid))
    await signInOnPage(page, name)
    await page.waitForURL(`${one.callback}**`)
    expect(new URL(page.url()).searchParams.get('state')).toBe(state)
  })

  it('shows an error page without JavaScript', async () => {
    const { page } = await openPage(withoutScript)
    await page.goto((await one.authorizationUrl()).url)
    const uid = await page.locator('main [name=interaction]').first().inputValue()
    await forgetInteraction(page, uid)
    await signInOnPage(page, 'someone')
    await page.waitForURL('**/unknown-session')
  })

  // tests/web/pages/unknown-session.test.ts and page-cache.test.ts cover the responses.
  inExhaustiveRun('cannot resume the interaction by going back', async () => {
    const { page } = await openPage()
    await page.goto((await one.authorizationUrl({ interaction_mode: 'signUp' })).url)
    await chooseName(page, freshName())
    await forgetInteraction(page)
    await choosePassword(page)
    await page.getByRole('link', { name: 'Start again' }).waitFor()
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/register')
    await page.getByRole('link', { name: 'Start again' }).waitFor()
  })
})

it('a browser that blocks cookies says so at once instead of after the first form', async () => {
  const { page, context } = await openPage()
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }),
  )
  await page.route('**/oidc/auth?**', async (route) => {
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const response = await route.fetch({ headers: { ...route.request().headers(), ...navigation } })
    const { 'set-cookie': _, ...headers } = response.headers()
    await context.clearCookies()
    await route.fulfill({ response, headers })
  })
  await page.goto((await one.authorizationUrl()).url)
  await page.getByRole('heading', { name: 'This sign-in can’t continue' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/unknown-session')
  expect(await context.cookies()).toEqual([])
})

describe('before the script has loaded', () => {
  it('a submitted form is not lost, and its password never appears in a URL', async () => {
    const name = await registeredName()
    const { page } = await openPage()
    const addresses = watchAddresses(page)
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue().catch(() => undefined)
    })
    await page.goto((await one.authorizationUrl()).url, { waitUntil: 'commit' })
    await usernameField(page).fill(name)
    await passwordField(page).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${one.callback}**`)
    release()
    expectNowhere(PASSWORD, addresses)
  })
})

describe('with the keyboard', () => {
  it('a user signs in', async () => {
    const name = await registeredName()
    const { page } = await openPage()
    await page.goto((await one.authorizationUrl()).url)
    const reach = async (field: () => Promise<boolean>) => {
      for (let tabs = 0; tabs < 12 && !(await field()); tabs++) await page.keyboard.press('Tab')
    }
    const isFocused = (label: 'Username' | 'Password') => () =>
      page.getByLabel(label, { exact: true }).evaluate((element) => element === document.activeElement)
    await reach(isFocused('Username'))
    await page.keyboard.type(name)
    await reach(isFocused('Password'))
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${one.callback}**`)
  })
})
