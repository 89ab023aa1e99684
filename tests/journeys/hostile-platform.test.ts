import type { BrowserContext, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { desktopOptions, mobileOptions, openPage, someOf } from './browser.ts'
import {
  chooseName,
  choosePassword,
  followLink,
  passwordField,
  pressButton,
  registerOnPages,
  signInOnPage,
  usernameField,
} from './steps.ts'
import { openTenant } from './tenant.ts'

/**
 * Tests that a fault that the Worker cannot hide is reported, and that the next attempt succeeds. A request
 * header causes the fault (tests/faults/hostile-worker.ts).
 */
describe('a platform fault that users notice', async () => {
  const { openApplication, registeredName } = await openTenant()
  const application = await openApplication()
  const name = await registeredName()

  const arrival = () => `${application.callback}**`
  const isUnavailable = (page: Page) =>
    page.locator('main').getByText('The service isn’t available right now.')
  const ask = (context: BrowserContext, fault: string | null) =>
    context.setExtraHTTPHeaders(fault === null ? {} : { 'x-hostile-platform': fault })
  /** The time limit allows for three attempts with a second between them on a busy machine. */
  const timeout = 20_000

  // A page treats a database that fails like one that does not respond.
  describe.each(someOf(['stalled', 'refused'], 1))('with the database fault "%s"', (fault) => {
    it('the page reports an error, keeps what was typed, and works on the next attempt', async () => {
      const { page, context } = await openPage(desktopOptions)
      await page.goto((await application.authorizationUrl()).url)
      await ask(context, fault)
      const answers: number[] = []
      page.on('response', (response) => {
        if (new URL(response.url()).pathname === '/api/interaction') answers.push(response.status())
      })
      await signInOnPage(page, name)
      await isUnavailable(page).waitFor({ timeout })
      // The page has already retried the call twice (spec/limits#page-calls).
      expect(answers).toEqual([503, 503, 503])
      expect([await usernameField(page).inputValue(), await passwordField(page).inputValue()]).toEqual([
        name,
        PASSWORD,
      ])
      await ask(context, null)
      await pressButton(page, 'Sign in')
      await page.waitForURL(arrival())
    })

    it('without JavaScript, the response is an error, and the form works after going back', async () => {
      const { page, context } = await openPage({ ...mobileOptions, javaScriptEnabled: false })
      await page.goto((await application.authorizationUrl()).url)
      await ask(context, fault)
      await signInOnPage(page, name)
      // The form shows the message, or an error page does if the settings could not be read either.
      await isUnavailable(page).waitFor({ timeout })
      await ask(context, null)
      await page.goBack()
      await signInOnPage(page, name)
      await page.waitForURL(arrival())
    })
  })

  it('a page lets the user start again if the interaction has not reached the region', async () => {
    const { page } = await openPage(desktopOptions)
    await page.goto((await application.authorizationUrl({ interaction_mode: 'signUp' })).url)
    const newcomer = freshName()
    await chooseName(page, newcomer)
    const submit = '**/api/interaction/submit'
    await page.route(submit, (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-hostile-platform': 'moved' } }),
    )
    const answered = page.waitForResponse(submit)
    await choosePassword(page)
    expect((await answered).status()).toBe(404)
    await pressButton(page, 'Got it')
    await page.getByText('This page has expired').waitFor()
    await page.unroute(submit)
    await followLink(page, 'Start again')
    // The failed attempt stored nothing, so the name is still available.
    await registerOnPages(page, newcomer)
    await page.waitForURL(arrival())
  })
})
