import type { Page, Route } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { inExhaustiveRun, openPage, someOf, withoutScript } from './browser.ts'
import { untilPainted } from './inspection.ts'
import type { NewApplication } from './management.ts'
import {
  chooseName,
  choosePassword,
  passwordField,
  pressButton,
  signInOnPage,
  usernameField,
} from './steps.ts'
import { openTenant } from './tenant.ts'

const tenant = await openTenant()
const { origin, call } = tenant
const application = await tenant.openApplication()
const name = await tenant.registeredName()

const arrival = () => `${application.callback}**`
const anyCall = '**/api/interaction/**'
const start = '**/api/interaction'

const refuse = (status: number, code: string, message: string) => (route: Route) =>
  route.fulfill({ status, json: { code, message } })

/** Delays calls until the returned function is called, and then passes them to `answer`. */
async function hold(page: Page, address: string, answer: (route: Route) => Promise<void>) {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await released
    await answer(route)
  })
  return () => release()
}

const toRegistration = async (page: Page) =>
  page.goto((await application.authorizationUrl({ interaction_mode: 'signUp' })).url)

describe('a sign-in page', () => {
  // hostile-platform.test.ts and interactions/pending.test.ts cover these two in another way.
  inExhaustiveRun('reports a server error, keeps what was typed, and works on the next attempt', async () => {
    const { page } = await openPage()
    await page.goto((await application.authorizationUrl()).url)
    await page.route(start, refuse(501, 'server.internal', 'Something went wrong on our side.'))
    await signInOnPage(page, name)
    await page.getByRole('alert').filter({ hasText: 'Something went wrong on our side.' }).waitFor()
    expect([await usernameField(page).inputValue(), await passwordField(page).inputValue()]).toEqual([
      name,
      PASSWORD,
    ])
    await page.unroute(start)
    await pressButton(page, 'Sign in')
    await page.waitForURL(arrival())
  })

  inExhaustiveRun(
    'shows a pending state while the server is slow, and sends the form only once',
    async () => {
      const { page } = await openPage()
      await page.goto((await application.authorizationUrl()).url)
      let calls = 0
      const release = await hold(page, start, (route) => {
        calls++
        return route.continue()
      })
      await signInOnPage(page, name)
      await page.getByText('Loading…').waitFor({ state: 'attached' })
      await passwordField(page).press('Enter')
      release()
      await page.waitForURL(arrival())
      expect(calls).toBe(1)
    },
  )

  it('explains why giving consent failed, and offers to try again', async () => {
    const { page } = await openPage()
    await page.goto((await application.authorizationUrl({ prompt: 'consent' })).url)
    await page.route('**/api/interaction/consent', refuse(501, 'server.internal', 'Not now.'))
    await signInOnPage(page, name)
    await page.getByRole('alert').filter({ hasText: 'Not now.' }).waitFor()
    expect(await page.getByText('Taking you back').count()).toBe(0)
    await page.unroute('**/api/interaction/consent')
    await pressButton(page, 'Try again')
    await page.waitForURL(arrival())
  })
})

describe('going back', () => {
  it('does not return to the consent page after the user has consented', async () => {
    const { page } = await openPage()
    await page.goto((await application.authorizationUrl({ prompt: 'consent' })).url)
    await signInOnPage(page, name)
    await page.waitForURL(arrival())
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  it('discards the response that the page was waiting for', async () => {
    const { page } = await openPage()
    await toRegistration(page)
    await chooseName(page, freshName())
    const release = await hold(page, anyCall, refuse(422, 'server.internal', 'Too late.'))
    await choosePassword(page)
    await page.goBack()
    await usernameField(page).waitFor()
    const answered = page.waitForResponse(anyCall)
    release()
    await (await answered).finished()
    await untilPainted(page)
    expect(await page.getByText('Too late.').count()).toBe(0)
    await page.unroute(anyCall)
    await chooseName(page, freshName())
  })

  it('closes an open dialog', async () => {
    const { page } = await openPage()
    await toRegistration(page)
    await chooseName(page, freshName())
    await page.route('**/api/interaction/submit', refuse(422, 'user.username_already_in_use', 'Taken.'))
    await choosePassword(page)
    await page.getByRole('dialog').filter({ hasText: 'Taken.' }).waitFor()
    await page.goBack()
    await usernameField(page).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  describe('to a page with terms of use', async () => {
    const { openApplication } = await openTenant({ termsOfUseUrl: 'https://example.com/terms' })
    const { authorizationUrl } = await openApplication()

    it.each(someOf(['given in the dialog', 'ticked'], 1))('keeps the agreement that was %s', async (how) => {
      const { page } = await openPage()
      await page.goto((await authorizationUrl({ interaction_mode: 'signUp' })).url)
      const box = page.getByRole('checkbox')
      await usernameField(page).fill(freshName())
      if (how === 'ticked') await box.check()
      await pressButton(page, 'Continue')
      if (how !== 'ticked') await pressButton(page, 'Agree')
      await page.waitForURL('**/register/password?**')
      await page.goBack()
      await usernameField(page).waitFor()
      expect(await box.isChecked()).toBe(true)
    })
  })
})

describe('a native application', () => {
  it('is opened by its URL scheme, and the page reports this', async () => {
    const scheme = 'com.example.app://callback'
    const { id } = await call<NewApplication>('POST', '/applications', {
      name: 'App',
      type: 'Native',
      oidcClientMetadata: { redirectUris: [scheme], postLogoutRedirectUris: [] },
    })
    const { page } = await openPage()
    await page.goto((await application.authorizationUrl({ client_id: id, redirect_uri: scheme })).url)
    await page.clock.install()
    const submitted = page.waitForResponse('**/api/interaction/submit')
    await signInOnPage(page, name)
    await submitted
    // The page first waits for the browser to open the app.
    const afterAWhile = async () => {
      await page.clock.fastForward(5_000)
      return page.getByText('Your app should be open now.').isVisible()
    }
    await expect.poll(afterAWhile).toBe(true)
    const link = await page.getByRole('link', { name: 'Continue' }).getAttribute('href')
    expect(link).toMatch(/^com\.example\.app:\/\/callback\?code=[\w-]+/)
    expect(await page.locator('[aria-busy=true]').count()).toBe(0)
  })
})

describe('a page at high zoom', () => {
  it('shows an error in view, without scrolling', async () => {
    const { page } = await openPage({ viewport: { width: 320, height: 256 } })
    await page.goto((await application.authorizationUrl()).url)
    await usernameField(page).fill(name)
    await passwordField(page).fill('wrong-horse-7')
    await passwordField(page).press('Enter')
    const problem = page.getByRole('alert').filter({ hasText: 'That account or password isn’t right' })
    await problem.waitFor()
    const bottom = await problem.evaluate((element) => element.getBoundingClientRect().bottom)
    expect(bottom).toBeLessThanOrEqual(256)
  })
})

describe('a page used with a screen reader', () => {
  it('contains every live region before its first message', async () => {
    const { page } = await openPage()
    await page.goto((await application.authorizationUrl()).url)
    const displays = await page
      .locator('form :is([role=alert], [role=status])')
      .evaluateAll((places) => places.map((place) => getComputedStyle(place).display))
    expect(displays.length).toBeGreaterThan(1)
    expect(displays).not.toContain('none')
  })
})

describe('a file with a content hash in its name', () => {
  it('is cached for a year and marked as immutable', async () => {
    const html = await (await fetch(`${origin}/unknown-session`)).text()
    const script = /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? ''
    const { status, headers } = await fetch(origin + script)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('the demo application without JavaScript', () => {
  it('is styled, and states that it needs JavaScript', async () => {
    const { page } = await openPage(withoutScript)
    await page.goto(`${origin}/demo-app`)
    await page.locator('#demo .demo-lead').waitFor()
    const radius = await page.locator('#demo').evaluate((main) => getComputedStyle(main).borderRadius)
    expect(radius).toBe('16px')
  })
})
