import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { NavigationState } from '../../src/contract/interaction.ts'
import { freshEmail, wrongCode } from '../kit/interaction-client.ts'
import { desktopOptions, mobileOptions, openPage, withoutScript } from './browser.ts'
import { expectStill, watchContext } from './inspection.ts'
import { interactionOf, pressButton } from './steps.ts'
import { openTenant, type Tenant } from './tenant.ts'

/** One card for all screens: what stands where, and that nothing moves when a form is refused (spec/pages#layout). */

const both = { password: true, verificationCode: true, isPasswordPrimary: false }
const byAddress = {
  signIn: { methods: [{ identifier: 'email', ...both }] },
  signUp: { identifiers: ['email'], password: true, verify: true },
}

async function visit({ openApplication, origin }: Tenant, options = desktopOptions) {
  const { authorizationUrl } = await openApplication()
  const { page, context } = await openPage(options)
  await watchContext(context, origin)
  await page.goto((await authorizationUrl()).url)
  return page
}

/** As the page before would have left it. */
const remember = (page: Page, navigation: NavigationState) =>
  page.request.put(new URL('/api/interaction/step', page.url()).href, {
    headers: { interaction: interactionOf(page) },
    data: navigation,
  })

const boxOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, left, right, width, height } = element.getBoundingClientRect()
      return { top, width, height, centre: (left + right) / 2 }
    })

describe('the card', async () => {
  const tenant = await openTenant(byAddress)
  const ada = { identifier: { type: 'email', value: 'ada@example.com' } } as const

  it.each([
    { size: 'desktop', options: desktopOptions },
    { size: 'mobile', options: mobileOptions },
  ])('has logo, heading and first field in one place in every step: $size', async ({ options }) => {
    const page = await visit(tenant, options)
    const places: number[][] = []
    for (const path of ['sign-in', 'register', 'sign-in/password', 'sign-in/verification-code']) {
      await remember(page, ada)
      await page.goto(page.url().replace(/(?<=\/\/[^/]*\/)[^?]*/, path))
      const field = await boxOf(page, '.field-label, .code-boxes')
      const [logo, heading] = [await boxOf(page, '.logo'), await boxOf(page, 'h1')]
      expect(logo.height).toBe(32)
      places.push([logo.top, heading.top, field.top, heading.centre])
    }
    expect(places).toEqual(places.map(() => places[0]))
  })

  it('is 440 px wide, no higher than its content, and at the top of the window', async () => {
    const page = await visit(tenant)
    const { top, width, height } = await boxOf(page, 'main')
    expect(width).toBe(440)
    await page.setViewportSize({ width: 1280, height: 1600 })
    expect(await boxOf(page, 'main')).toMatchObject({ height })
    expect(top).toBeLessThan(100)
  })
})

describe('the footer', async () => {
  const tenant = await openTenant()

  it.each(['', '.vestibule-signature{display:none}', '.languages{display:none}'])(
    'is one group in the middle with the CSS "%s"',
    async (customCss) => {
      await tenant.offer({ customCss })
      const page = await visit(tenant)
      for (const width of [375, 1280, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        const shown = await page
          .locator('.footer > *:visible')
          .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()))
        const left = Math.min(...shown.map((part) => part.left))
        const right = Math.max(...shown.map((part) => part.right))
        expect((left + right) / 2, `at ${width} px`).toBeCloseTo(width / 2, 0)
        const inner = shown.reduce((sum, part) => sum + part.width, 0)
        expect(right - left - inner, 'no gap is reserved').toBeLessThanOrEqual(12 * (shown.length - 1) + 1)
      }
    },
  )
})

describe('nothing moves when the page says', async () => {
  const names = await openTenant()
  const addresses = await openTenant(byAddress)

  it('that the password is wrong', async () => {
    const page = await visit(names)
    await page.locator('[name=identifier]').fill('nobody_here')
    await page.locator('[name=password]').fill('wrong-horse-7')
    await pressButton(page, 'Sign in')
    await page.locator('#password-problem', { hasText: /\w/ }).waitFor()
    await expectStill(page)
  })

  it('that a field is empty', async () => {
    const page = await visit(names)
    await pressButton(page, 'Sign in')
    await page.locator('#password-problem', { hasText: /\w/ }).waitFor()
    await expectStill(page)
  })

  it('that a code is wrong', async () => {
    const page = await visit(addresses)
    const email = freshEmail()
    await page.locator('[name=identifier]').fill(email)
    await page.locator('button[name=submit]').click()
    await page.locator('.code-box').first().waitFor()
    await page
      .locator('.code-box')
      .first()
      .fill(wrongCode(await addresses.codeTo(email)))
    await page.locator('#passcode-problem', { hasText: /\w/ }).waitFor()
    await expectStill(page)
  })

  it('anything, without script either', async () => {
    const page = await visit(names, withoutScript)
    const before = await boxOf(page, '#identifier')
    await page.locator('[name=identifier]').fill('nobody_here')
    await page.locator('[name=password]').fill('wrong-horse-7')
    await pressButton(page, 'Sign in')
    await page.locator('#password-problem', { hasText: /\w/ }).waitFor()
    expect(await boxOf(page, '#identifier')).toEqual(before)
  })
})
