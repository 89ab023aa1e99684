import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshName, PASSWORD } from '../visitor.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, expectNowhere, person, watchAddresses } from './browser.ts'

const origin = inject('origin')

let one: Application
let two: Application
beforeAll(async () => {
  one = await openApplication('Application One')
  two = await openApplication('Application Two')
})
afterAll(() => {
  one.close()
  two.close()
})

const username = (page: Page) => page.getByLabel('Username')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

async function signIn(page: Page, name: string, secret = PASSWORD) {
  await username(page).fill(name)
  await password(page).fill(secret)
  await press(page, 'Sign in')
}

async function register(page: Page, name: string, secret = PASSWORD) {
  await username(page).fill(name)
  await press(page, 'Create account')
  await page.waitForURL('**/register/password?**')
  await page
    .getByLabel(/password/i)
    .first()
    .fill(secret)
  const again = page.getByLabel(/confirm/i)
  if ((await again.count()) > 0) await again.fill(secret)
  await press(page, /save|create|continue/i)
}

/** A name that can sign in, registered in a browser of its own. */
async function somebody(): Promise<string> {
  const name = freshName()
  const { page, context } = await person()
  await page.goto((await one.authorizationUrl({ interaction_mode: 'signUp' })).url)
  await register(page, name)
  await page.waitForURL(`${one.callback}**`)
  await context.close()
  return name
}

describe('the demo application', () => {
  it('lets a person register, shows who they are, signs out, and signs in again', async () => {
    const { page, complaints } = await person()
    const name = freshName()
    await page.goto(`${origin}/demo-app`)
    await press(page, 'Create account')
    await page.waitForURL('**/register?**')
    await register(page, name)
    await page.waitForURL('**/demo-app**')
    await page.getByText(name).first().waitFor()

    await press(page, 'Sign out')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await press(page, 'Sign in')
    await page.waitForURL('**/sign-in?**')
    await signIn(page, name)
    await page.waitForURL('**/demo-app**')
    await page.getByText(name).first().waitFor()
    expect(complaints).toEqual([])
  })
})

describe.each([
  { script: 'with JavaScript', options: desktop },
  { script: 'without JavaScript', options: { ...desktop, javaScriptEnabled: false } },
])('$script', ({ options }) => {
  it('a person registers and is sent back with a code', async () => {
    const { page, complaints } = await person(options)
    const addresses = watchAddresses(page)
    const { url, state } = await one.authorizationUrl()
    await page.goto(url)
    await page.getByRole('link', { name: 'Create account' }).click()
    await page.waitForURL('**/register?**')
    await register(page, freshName())
    await page.waitForURL(`${one.callback}**`)
    const back = new URL(page.url()).searchParams
    expect([back.get('state'), Boolean(back.get('code'))]).toEqual([state, true])
    expectNowhere(PASSWORD, addresses)
    expect(complaints).toEqual([])
  })

  it('a wrong password is said at the form, and the right one then works', async () => {
    const name = await somebody()
    const { page } = await person(options)
    const addresses = watchAddresses(page)
    await page.goto((await one.authorizationUrl()).url)
    await signIn(page, name, 'wrong-horse-7')
    await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor()
    expect(await username(page).inputValue()).toBe(name)
    await signIn(page, name)
    await page.waitForURL(`${one.callback}**`)
    expectNowhere('wrong-horse-7', addresses)
    expectNowhere(PASSWORD, addresses)
  })

  it('a taken username is said at the form, and another then works', async () => {
    const name = await somebody()
    const { page } = await person(options)
    await page.goto((await one.authorizationUrl({ interaction_mode: 'signUp' })).url)
    await username(page).fill(name)
    await press(page, 'Create account')
    if (
      await page.waitForURL('**/register/password?**', { timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    ) {
      await page
        .getByLabel(/password/i)
        .first()
        .fill(PASSWORD)
      const again = page.getByLabel(/confirm/i)
      if ((await again.count()) > 0) await again.fill(PASSWORD)
      await press(page, /save|create|continue/i)
    }
    await page
      .getByText(/exists|taken|in use/i)
      .first()
      .waitFor()
  })

  it('the password step survives a reload, and the back button leads to the name', async () => {
    const { page } = await person(options)
    await page.goto((await one.authorizationUrl({ interaction_mode: 'signUp' })).url)
    const name = freshName()
    await username(page).fill(name)
    await press(page, 'Create account')
    await page.waitForURL('**/register/password?**')
    await page.reload()
    await page
      .getByLabel(/password/i)
      .first()
      .waitFor()
    await page.goBack()
    await page.waitForURL('**/register?**')
    await register(page, name)
    await page.waitForURL(`${one.callback}**`)
  })

  it('two tabs for two applications each end in their own', async () => {
    const name = await somebody()
    const { context, page } = await person(options)
    const other = await context.newPage()
    const first = await one.authorizationUrl()
    const second = await two.authorizationUrl()
    await page.goto(first.url)
    await other.goto(second.url)
    await signIn(page, name)
    await page.waitForURL(`${one.callback}**`)
    await signIn(other, name)
    await other.waitForURL(`${two.callback}**`)
    expect(new URL(page.url()).searchParams.get('state')).toBe(first.state)
    expect(new URL(other.url()).searchParams.get('state')).toBe(second.state)
  })

  it('a page left open until its hour is over offers to start again, and that leads on', async () => {
    const name = await somebody()
    const { context, page } = await person(options)
    const { url, state } = await one.authorizationUrl()
    await page.goto(url)
    const uid = new URL(page.url()).searchParams.get('interaction') ?? ''
    // The same interaction, finished in another tab.
    const other = await context.newPage()
    await other.goto(page.url())
    await signIn(other, name)
    await other.waitForURL(`${one.callback}**`)

    await signIn(page, name)
    await page
      .getByRole('link', { name: /start again/i })
      .or(page.getByRole('button', { name: /start again/i }))
      .click()
    await page.waitForURL((address) => address.href.startsWith(one.callback) || !address.href.includes(uid))
    if (!page.url().startsWith(one.callback)) {
      await signIn(page, name)
      await page.waitForURL(`${one.callback}**`)
    }
    expect(new URL(page.url()).searchParams.get('state')).toBe(state)
  })

  it('a person signs out when asked, and is a stranger afterwards', async () => {
    const name = await somebody()
    const { page } = await person(options)
    await page.goto((await one.authorizationUrl()).url)
    await signIn(page, name)
    await page.waitForURL(`${one.callback}**`)

    await page.goto(`${origin}/oidc/session/end`)
    await press(page, /sign out/i)
    await page.waitForURL('**/oidc/session/end/success**')
    await page.goto((await one.authorizationUrl()).url)
    await password(page).waitFor()
  })

  it('whoever comes with nothing is told so', async () => {
    const { page } = await person(options)
    await page.goto(`${origin}/sign-in`)
    expect(new URL(page.url()).pathname).toBe('/unknown-session')
    await page.getByText('Session not found. Please go back and sign in again.').waitFor()
    await page.goto(`${origin}/no-such-page`)
    expect(await page.title()).toBe('Vestibule')
    await page.getByText(/404/).waitFor()
  })
})

describe('before the script has arrived', () => {
  it('a submitted form is not lost, and its password is in no address', async () => {
    const name = await somebody()
    const { page } = await person()
    const addresses = watchAddresses(page)
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await held
      await route.continue().catch(() => undefined)
    })
    await page.goto((await one.authorizationUrl()).url, { waitUntil: 'commit' })
    await signIn(page, name)
    await page.waitForURL(`${one.callback}**`)
    release()
    expectNowhere(PASSWORD, addresses)
  })
})

describe('by keyboard alone', () => {
  it('a person signs in', async () => {
    const name = await somebody()
    const { page } = await person()
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
