import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { NavigationState } from '../../../src/contract/interactions/interaction.ts'
import {
  desktopOptions,
  mobileOptions,
  openPage,
  scripted,
  scriptless,
  someOf,
  waysOf,
  withoutScript,
} from '../browser.ts'
import {
  addStyles,
  boxOf,
  expectStill,
  footerStyles,
  overflowOf,
  untilHydrated,
  untilSettled,
  watchContext,
} from '../inspection.ts'
import { followLink, interactionOf, pressButton } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'

/**
 * Tests the card that all screens share: the positions of its parts, and that nothing moves if a call gets no
 * valid response (spec/pages#layout).
 */

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

type Box = Awaited<ReturnType<typeof boxOf>>
const bottomOf = ({ top, height }: Box) => top + height

/** Stores the navigation state that the previous page would have stored. */
const remember = (page: Page, navigation: NavigationState) =>
  page.request.put(new URL('/api/interaction/step', page.url()).href, {
    headers: { interaction: interactionOf(page) },
    data: navigation,
  })

describe('the card', async () => {
  const tenant = await openTenant(byAddress)
  const ada = { identifier: { type: 'email', value: 'ada@example.com' } } as const

  const sizes = [
    { size: 'mobile', options: mobileOptions },
    { size: 'desktop', options: desktopOptions },
  ]
  it.each(someOf(sizes, 1))(
    'has its logo, heading and first field in the same place at every step: $size',
    async ({ options }) => {
      const page = await visit(tenant, options)
      const places: number[][] = []
      for (const path of ['sign-in', 'register', 'sign-in/password', 'sign-in/verification-code']) {
        await remember(page, ada)
        await page.goto(page.url().replace(/(?<=\/\/[^/]*\/)[^?]*/, path))
        const field = await boxOf(page, '.field-label, .code-boxes')
        const [logo, heading] = [await boxOf(page, '.logo'), await boxOf(page, 'h1')]
        expect(logo.height).toBe(32)
        // The code page has an icon in a row of its own, and its sentence has two lines.
        const [icon, line] = (await page.locator('.title-disc').count()) > 0 ? [72, 16] : [0, 0]
        expect([heading.top - icon - logo.top - 32, field.top - line - heading.top - heading.height]).toEqual(
          [24, 64],
        )
        places.push([logo.top, heading.top - icon, field.top - icon - line, heading.centre])
      }
      expect(places).toEqual(places.map(() => places[0]))
    },
  )

  it('is 440 px wide, as high as its content, and 14% of the window from its top, but at least 64 px', async () => {
    const page = await visit(tenant)
    const { width, height } = await boxOf(page, 'main')
    expect(width).toBe(440)
    for (const [windowHeight, top] of [
      [1600, 224],
      [800, 112],
      [400, 64],
    ] as const) {
      await page.setViewportSize({ width: 1280, height: windowHeight })
      expect(await boxOf(page, 'main')).toMatchObject({ height, top })
    }
  })
})

describe('the chip that shows the identifier', async () => {
  const tenant = await openTenant({
    ...byAddress,
    signIn: {
      methods: [
        { identifier: 'email', ...both },
        { identifier: 'phone', ...both },
        { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
      ],
    },
    signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  })
  const email = { type: 'email', value: 'ada@example.com' } as const
  const name = { type: 'username', value: 'ada_lovelace' } as const
  const openStep = async (
    path: string,
    identifier: NavigationState['identifier'],
    options = desktopOptions,
  ) => {
    const page = await visit(tenant, options)
    await remember(page, { identifier })
    await page.goto(page.url().replace(/(?<=\/\/[^/]*\/)[^?]*/, path))
    return page
  }
  const steps = [
    { path: 'sign-in/password', identifier: email, first: '/sign-in' },
    { path: 'sign-in/verification-code', identifier: email, first: '/sign-in' },
    { path: 'register/password', identifier: name, first: '/register' },
    { path: 'register/verification-code', identifier: email, first: '/register' },
    { path: 'forgot-password/verification-code', identifier: email, first: '/forgot-password' },
    { path: 'forgot-password/reset', identifier: email, first: '/forgot-password' },
    { path: 'continue/verification-code', identifier: email, first: '/continue/email' },
  ]

  // The link is always the same, so `npm test` follows it on two pages, once with and once without JavaScript.
  it.each(
    someOf(steps, 2).flatMap((step, turn) =>
      waysOf(turn % 2 ? scriptless : scripted).map((way) => ({ ...way, ...step })),
    ),
  )(
    'links from $path to $first, where the identifier can be edited, $script',
    async ({ path, identifier, first, options }) => {
      const page = await openStep(path, identifier, options)
      expect(await page.locator('.chip-name, .code-address').textContent()).toBe(identifier.value)
      const uid = await page.locator('main [name=interaction]').first().inputValue()
      await followLink(page, 'Edit')
      await page.locator('#identifier').waitFor()
      expect([new URL(page.url()).pathname, interactionOf(page)]).toEqual([first, uid])
      expect(await page.locator('#identifier').inputValue()).toBe(identifier.value)
    },
  )

  it('goes back in the browser history if the first page is the previous entry', async () => {
    const page = await visit(tenant)
    await page.locator('[name=identifier]').fill('ada_lovelace')
    await page.locator('button[name=submit]').click()
    await page.waitForURL('**/sign-in/password?**')
    const entries = await page.evaluate(() => history.length)
    await followLink(page, 'Edit')
    await page.waitForURL('**/sign-in?**')
    expect(await page.locator('#identifier').inputValue()).toBe('ada_lovelace')
    expect(await page.evaluate(() => history.length)).toBe(entries)
  })

  const numbers = [
    { path: 'sign-in/verification-code', text: '+1 6502530000' },
    { path: 'sign-in/password', text: '****0000' },
  ]
  it.each(someOf(numbers, 1))(
    'shows the phone number $text from left to right in a right-to-left language',
    async ({ path, text }) => {
      const page = await openStep(path, { type: 'phone', value: '16502530000' })
      const number = page.locator('bdi.chip-name, bdi.code-address')
      expect(await number.textContent()).toBe(text)
      await page.evaluate(() => {
        document.documentElement.dir = 'rtl'
      })
      const { unicodeBidi, direction } = await number.evaluate((element) => {
        const { unicodeBidi, direction } = getComputedStyle(element)
        return { unicodeBidi, direction }
      })
      expect([unicodeBidi, direction]).toEqual(['isolate', 'ltr'])
    },
  )

  it('truncates a long identifier only visually, and keeps the size of its link', async () => {
    const value = `${'long-'.repeat(18)}@example.com`
    const page = await openStep('sign-in/password', { type: 'email', value }, mobileOptions)
    const [chip, card] = [await boxOf(page, '.chip'), await boxOf(page, 'main')]
    expect(chip.width).toBeLessThanOrEqual(card.width)
    const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth
    const name = page.locator('.chip-name')
    expect(await name.locator('span').first().evaluate(isCut), 'the part before the @').toBe(true)
    expect(await name.locator('span').last().evaluate(isCut), 'the domain').toBe(false)
    const heard = await page.locator('.description').ariaSnapshot()
    expect(heard).toContain(`Sign in with the password for email ${value}`)
    const link = await boxOf(page, '.chip a')
    expect([link.width, link.height].every((side) => side >= 44)).toBe(true)
    expect(await overflowOf(page)).toBe(0)
  })
})

describe('the footer', async () => {
  const tenant = await openTenant()

  it('is centred as a group, even if CSS hides the signature or the languages', async () => {
    const page = await visit(tenant)
    for (const css of footerStyles) {
      await addStyles(page, css)
      for (const width of [375, 1280, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        const boxes = await page
          .locator('.footer > *:visible')
          .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()))
        const left = Math.min(...boxes.map((part) => part.left))
        const right = Math.max(...boxes.map((part) => part.right))
        expect((left + right) / 2, `at ${width} px`).toBeCloseTo(width / 2, 0)
        const inner = boxes.reduce((sum, part) => sum + part.width, 0)
        expect(right - left - inner, 'no gap is reserved').toBeLessThanOrEqual(12 * (boxes.length - 1) + 1)
      }
    }
  })
})

describe('a message about the form', async () => {
  const names = await openTenant()

  it('is 12 px from the sentence above it and from the label below it', async () => {
    for (const options of someOf([mobileOptions, desktopOptions], 1)) {
      const page = await visit(names, options)
      await page.route('**/api/interaction', (route) => route.fulfill({ status: 422, json: {} }))
      await page.locator('[name=identifier]').fill('nobody_here')
      await page.locator('[name=password]').fill('wrong-horse-7')
      await pressButton(page, 'Sign in')
      await page.locator('.form-repeat').waitFor()
      await untilSettled(page)
      const sentence = await boxOf(page, '.description')
      const alert = await boxOf(page, '.form-problem')
      const label = await boxOf(page, '.field-label')
      expect([alert.top - bottomOf(sentence), label.top - bottomOf(alert)]).toEqual([12, 12])
      await expectStill(page)
    }
  })

  it('beside a field is 12 px below it, 24 px above the next label and 16 px above the button', async () => {
    const page = await visit(names)
    const positions = async () => {
      const [label, box] = [await boxOf(page, '.field-label'), await boxOf(page, '.field-box')]
      const next = await boxOf(page, '.field + .field .field-label')
      const last = await boxOf(page, '.field + .field .field-box')
      const button = await boxOf(page, 'button[name=submit]')
      expect([label.height, box.height, button.height]).toEqual([20, 48, 48])
      expect(box.top - bottomOf(label)).toBe(8)
      return { box: bottomOf(box), next: next.top, last: bottomOf(last), button: button.top }
    }
    await untilHydrated(page)
    const before = await positions()
    expect([before.next - before.box, before.button - before.last]).toEqual([24, 24])
    await pressButton(page, 'Sign in')
    await page.getByText('Username is required').waitFor()
    const after = await positions()
    expect([after.next - after.box, after.button - after.last]).toEqual([12 + 18 + 24, 12 + 18 + 16])
  })
})

describe('a logo that cannot be loaded', async () => {
  const logoUrl = '/missing.png'
  const named = await openTenant({ branding: { logoUrl, name: 'Acme' } })
  const unnamed = await openTenant({ branding: { logoUrl } })

  it('is replaced by the brand name, or else by a letter, in the same space', async () => {
    for (const [tenant, text] of [
      [named, 'Acme'],
      [unnamed, /^\w$/],
    ] as const) {
      const page = await visit(tenant)
      await page.locator('.vestibule-branding').getByText(text).waitFor()
      expect(await page.locator('.vestibule-branding img').count()).toBe(0)
      await expectStill(page)
    }
  })

  it('shows the brand name without JavaScript', async () => {
    const page = await visit(named, withoutScript)
    const name = await page.locator('.logo').evaluate((logo) => {
      const { content, height } = getComputedStyle(logo, '::before')
      return { content, height }
    })
    // The name fills the visible part, so the browser's sign for a broken image is below it.
    expect(name).toEqual({ content: '"Acme"', height: '32px' })
    expect(await boxOf(page, '.vestibule-branding')).toMatchObject({ height: 32 })
  })
})
