import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/cookie-client.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, mobile, person } from './browser.ts'
import {
  chooseName,
  choosePassword,
  follow,
  password,
  press,
  register,
  signIn,
  somebody,
  username,
} from './steps.ts'

/**
 * What nobody can be spared is said, and the next try works. Only on the hostile platform, which is asked for trouble by a
 * header (tests/faults/hostile-worker.ts).
 */
describe.runIf(process.env.HOSTILE === '1')('on a bad day', () => {
  let application: Application
  let name: string
  beforeAll(async () => {
    application = await openApplication('Application')
    name = await somebody(application)
  })
  afterAll(() => application?.close())

  const arrival = () => `${application.callback}**`
  const isUnavailable = (page: Page) => page.getByText('The service is not available at the moment.')
  const ask = (context: BrowserContext, trouble: string | null) =>
    context.setExtraHTTPHeaders(trouble === null ? {} : { 'x-hostile-platform': trouble })
  /** Three tries with five seconds of the store each, a second between them, and a busy machine. */
  const timeout = 40_000

  describe.each(['refused', 'stalled'])('when the database %s', (trouble) => {
    it('the page says so, keeps what was typed, and the next try works', async () => {
      const { page, context } = await person(desktop)
      await page.goto((await application.authorizationUrl()).url)
      await ask(context, trouble)
      const answers: number[] = []
      page.on('response', (response) => {
        if (new URL(response.url()).pathname === '/api/interaction') answers.push(response.status())
      })
      await signIn(page, name)
      await isUnavailable(page).waitFor({ timeout })
      // The page itself has asked twice more (product 8).
      expect(answers).toEqual([503, 503, 503])
      expect([await username(page).inputValue(), await password(page).inputValue()]).toEqual([name, PASSWORD])
      await ask(context, null)
      await press(page, 'Sign in')
      await page.waitForURL(arrival())
      await context.close()
    })

    it('whoever has no JavaScript is told the same, goes back and gets in', async () => {
      const { page, context } = await person({ ...mobile, javaScriptEnabled: false })
      await page.goto((await application.authorizationUrl()).url)
      await ask(context, trouble)
      await signIn(page, name)
      // On the form, or, when the settings were not known either, on the page of an error.
      await isUnavailable(page).waitFor({ timeout })
      await ask(context, null)
      await page.goBack()
      await signIn(page, name)
      await page.waitForURL(arrival())
      await context.close()
    })
  })

  it('whoever is where their last step has not arrived is told to begin again, and does', async () => {
    const { page, context } = await person(desktop)
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
    await page.getByText('This page has expired').waitFor()
    await page.unroute(submit)
    await follow(page, 'Start again')
    // Nothing was stored: the name is still to be had.
    await register(page, newcomer)
    await page.waitForURL(arrival())
    await context.close()
  })
})
