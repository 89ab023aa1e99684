import type { BrowserContextOptions, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshEmail, wrongCode } from '../../kit/clients/interaction-client.ts'
import { pairsOf } from '../../kit/sweep.ts'
import { browserSweep, mobileOptions, openPage, someOf } from '../browser.ts'
import { boxOf, expectStill, untilSettled, watchContext } from '../inspection.ts'
import { typeCode } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'

/**
 * Tests that an error next to a field leaves everything above it in its place and moves what is below it only by its
 * own height, with and without JavaScript, in a language with long words and in a right-to-left language
 * (spec/pages#layout).
 */

const both = { password: true, verificationCode: true, isPasswordPrimary: false }
const byAddress = {
  signIn: { methods: [{ identifier: 'email', ...both }] },
  signUp: { identifiers: ['email'], password: true, verify: true },
}

async function visit({ openApplication, origin }: Tenant, options: BrowserContextOptions) {
  const { authorizationUrl } = await openApplication()
  const { page, context } = await openPage(options)
  await watchContext(context, origin)
  await page.goto((await authorizationUrl()).url)
  return page
}

describe('only what is below it moves if the page shows', async () => {
  const names = await openTenant()
  const addresses = await openTenant(byAddress)

  const above = async (page: Page) =>
    Promise.all(
      ['.logo', 'h1', 'main :is(.field-label, .code-boxes)'].map(
        async (part) => (await boxOf(page, part)).top,
      ),
    )
  /** Returns the position of the button without the errors above it, which are nearer to it than fields are. */
  const buttonTop = async (page: Page) => {
    const errors = await page
      .locator('.field-problem:not(:empty)')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height + 12))
    const { top } = await boxOf(page, 'main button[name=submit]')
    return top - errors.reduce((sum, height) => sum + height, 0) + (errors.length > 0 ? 8 : 0)
  }
  const places = async (page: Page) => [...(await above(page)), await buttonTop(page)]
  const untilShown = (page: Page, field: string) =>
    page.locator(`#${field}-problem`, { hasText: /\p{L}/u }).waitFor()
  const send = (page: Page) => page.locator('main button[name=submit]').click()

  type Provoked = { what: string; tenant: Tenant; field: string; provoke(page: Page): Promise<unknown> }
  const problems: (Provoked & { path?: string })[] = [
    {
      what: 'a wrong password',
      tenant: names,
      field: 'password',
      async provoke(page) {
        await page.locator('[name=identifier]').fill('nobody_here')
        await page.locator('[name=password]').fill('wrong-horse-7')
        await send(page)
      },
    },
    { what: 'an empty field', tenant: names, field: 'password', provoke: send },
    {
      what: 'the rules for usernames in two lines',
      tenant: names,
      field: 'identifier',
      path: '/register',
      async provoke(page) {
        await page.locator('[name=identifier]').fill('a da')
        await send(page)
      },
    },
    {
      what: 'a wrong code',
      tenant: addresses,
      field: 'passcode',
      provoke: async (page) =>
        typeCode(page, wrongCode(await addresses.codeTo(new URL(page.url()).hash.slice(1)))),
    },
  ]

  /** A window in which even the page with an error leaves the footer at the bottom. */
  const desktop = { viewport: { width: 1280, height: 900 } }
  /** The two views that differ most: a language with longer words and a right-to-left language. */
  const views = [
    { size: 'desktop', options: { ...desktop, locale: 'de' } },
    { size: 'mobile', options: { ...mobileOptions, locale: 'ar' } },
    { size: 'mobile', options: { ...mobileOptions, locale: 'de' } },
    { size: 'desktop', options: { ...desktop, locale: 'ar' } },
  ]
  const cases = someOf(pairsOf(browserSweep, views, problems), 3).map(([view, problem]) => ({
    ...{ ...view, ...problem },
    language: view.options.locale,
  }))

  it.each(cases)('$what: $size, $language', async ({ options, tenant, field, path, provoke }) => {
    const page = await visit(tenant, options)
    if (path) await page.goto(page.url().replace('/sign-in', path))
    if (tenant === addresses) {
      const email = freshEmail()
      await page.locator('[name=identifier]').fill(email)
      await send(page)
      await page.locator('.code-box').first().waitFor()
      await page.evaluate((sentTo) => history.replaceState(history.state, '', `#${sentTo}`), email)
    }
    await untilSettled(page)
    const before = await places(page)
    await provoke(page)
    await untilShown(page, field)
    await untilSettled(page)
    expect(await places(page)).toEqual(before)
    await expectStill(page)
  })

  it.each(someOf(views, 1))('an error without JavaScript: $size, $options.locale', async ({ options }) => {
    const page = await visit(names, { ...options, javaScriptEnabled: false })
    const before = await places(page)
    await page.locator('[name=identifier]').fill('nobody_here')
    await page.locator('[name=password]').fill('wrong-horse-7')
    await send(page)
    await untilShown(page, 'password')
    expect(await places(page)).toEqual(before)
  })
})
