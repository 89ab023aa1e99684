import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import {
  desktopOptions,
  inExhaustiveRun,
  mobileOptions,
  openPage,
  pictureSweep,
  savePicture,
  someOf,
  withoutScript,
} from '../browser.ts'
import {
  addStyles,
  expectSound,
  expectStill,
  footerStyles,
  overflowOf,
  untilSettled,
  watchContext,
} from '../inspection.ts'
import { registerOnPages, usernameField } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'

/** Tests the layouts from which an operator can choose (spec/experience#layouts). */

const color = { primaryColor: '#0A7D55', isDarkModeEnabled: true, darkPrimaryColor: '#3CCB97' }
/**
 * The URL of a picture on another server. The tests respond to requests for it with a picture of their own.
 */
const PICTURE = 'https://pictures.example/harbour.svg'
const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#123" d="M0 0h8v8H0z"/></svg>`
/** All layouts except `Card`, which the other browser tests use. */
const layouts = [{ type: 'Split', pictureUrl: PICTURE }, { type: 'Plain' }] as const

async function visit({ openApplication, origin }: Tenant, options = desktopOptions) {
  const { authorizationUrl, callback } = await openApplication()
  const client = await openPage(options)
  const pictureRequests: string[] = []
  await client.context.route(PICTURE, async (route) => {
    pictureRequests.push(route.request().url())
    await route.fulfill({ contentType: 'image/svg+xml', body: drawn })
  })
  const { others } = await watchContext(client.context, origin, new URL(callback).origin)
  const address = (await authorizationUrl()).url
  return { ...client, pictureRequests, others, address }
}

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not seen`)
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

const mirrored = async (page: Page) => {
  await page.goto(`${page.url()}&lng=ar`)
  await page.locator('html[dir=rtl]').waitFor()
  await untilSettled(page)
}

describe.each(layouts)('the layout $type', async (layout) => {
  const tenant = await openTenant({ layout, color, customContent: { '/sign-in': '<h2>Plan the week</h2>' } })

  const views = [
    { size: 'desktop', options: desktopOptions, inNpmTest: 'dark' },
    { size: 'mobile', options: mobileOptions, inNpmTest: 'light' },
  ] as const
  // `npm test` shows the split layout on a desktop, and the plain one on a phone.
  it.each(pictureSweep.isExhaustive ? views : layout.type === 'Split' ? views.slice(0, 1) : views.slice(1))(
    'is accessible and stable on a $size screen, and requests nothing from other origins',
    async ({ size, options, inNpmTest }) => {
      const { page, complaints, others, address } = await visit(tenant, options)
      await page.goto(address)
      for (const colorScheme of pictureSweep.isExhaustive ? (['light', 'dark'] as const) : [inNpmTest]) {
        await page.emulateMedia({ colorScheme })
        await untilSettled(page)
        await expectStill(page)
        await savePicture(page, `layout-${layout.type}-${colorScheme}-${size}`)
        await expectSound(page)
      }
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await overflowOf(page), '320 px wide').toBe(0)
      await mirrored(page)
      expect(await overflowOf(page), 'mirrored').toBe(0)
      await page.setViewportSize(options.viewport)
      await expectSound(page)
      expect(complaints).toEqual([])
      expect(others.filter((url) => url !== PICTURE)).toEqual([])
    },
  )

  // sign-in.test.ts registers a user in the layout `Card`: the forms are the same in every layout.
  inExhaustiveRun('lets a user register', async () => {
    const { page, address } = await visit(tenant)
    await page.goto(address)
    await page.getByRole('link', { name: 'Create account' }).click()
    await registerOnPages(page, freshName())
    await page.waitForURL('**/callback?**')
  })

  it('works without JavaScript', async () => {
    const { page, address } = await visit(tenant, withoutScript)
    await page.goto(address)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.locator(`html.layout-${layout.type.toLowerCase()}`).count()).toBe(1)
    expect(await overflowOf(page)).toBe(0)
  })
})

describe('the image of a split layout', async () => {
  const tenant = await openTenant({ layout: { type: 'Split', pictureUrl: PICTURE }, color })

  it('is beside the form in windows 900 to 2560 px wide, and on the opposite side in right-to-left languages', async () => {
    const widths = [900, 1280, 2560]
    const { page, address } = await visit(tenant, { viewport: { width: 900, height: 800 } })
    await page.goto(address)
    await untilSettled(page)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const [picture, form] = [await boxOf(page, '.vestibule-picture img'), await boxOf(page, 'main')]
      expect(picture).toMatchObject({ x: 0, y: 0, height: 800 })
      expect(form.x).toBeGreaterThanOrEqual(picture.right)
    }
    await mirrored(page)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const [picture, form] = [await boxOf(page, '.vestibule-picture img'), await boxOf(page, 'main')]
      expect(picture.right).toBe(width)
      expect(form.right).toBeLessThanOrEqual(picture.x)
    }
  })

  it('is neither shown nor loaded in a narrow window', async () => {
    const { page, pictureRequests, address } = await visit(tenant, { viewport: { width: 899, height: 800 } })
    await page.goto(address)
    await untilSettled(page)
    expect(await page.locator('.vestibule-picture').isVisible()).toBe(false)
    expect(pictureRequests).toEqual([])
    await page.setViewportSize({ width: 900, height: 800 })
    await expect.poll(() => pictureRequests).toEqual([PICTURE])
  })

  it('does not delay the form, which is usable before the picture loads', async () => {
    const { page, context, address } = await visit(tenant)
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await context.route(PICTURE, async (route) => {
      await answered
      await route.fulfill({ contentType: 'image/svg+xml', body: drawn })
    })
    await page.goto(address, { waitUntil: 'commit' })
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    await usernameField(page).fill('ada')
    const panel = await boxOf(page, '.vestibule-picture')
    const form = await boxOf(page, 'main')
    expect(await isPictureLoaded(page)).toBe(false)
    answer()
    await expect.poll(() => isPictureLoaded(page)).toBe(true)
    await untilSettled(page)
    await expectStill(page)
    expect(await boxOf(page, '.vestibule-picture')).toEqual(panel)
    expect(await boxOf(page, 'main')).toEqual(form)
  })

  it('is replaced by a panel in the brand colour if it cannot be loaded', async () => {
    const { page, context, address } = await visit(tenant)
    await context.route(PICTURE, (route) => route.abort())
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const panel = await boxOf(page, '.vestibule-picture')
    expect(panel).toMatchObject({ x: 0, y: 0, height: 800 })
    const ground = await page
      .locator('.vestibule-picture')
      .evaluate((element) => getComputedStyle(element).backgroundImage)
    expect(ground).toContain('rgb(10, 125, 85)')
  })

  it('is loaded even if the operator has custom CSS', async () => {
    await tenant.offer({ customCss: '.vestibule-main { letter-spacing: 0 }' })
    const { page, complaints, address } = await visit(tenant)
    await page.goto(address)
    await expect.poll(() => isPictureLoaded(page)).toBe(true)
    expect(complaints).toEqual([])
  })
})

const isPictureLoaded = (page: Page) =>
  page
    .locator('.vestibule-picture img')
    .evaluate((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0)

describe.each(someOf(layouts, 1))('the footer in the layout $type', async (layout) => {
  const tenant = await openTenant({ layout })

  it('is centred below the form as a group, even if CSS hides the signature or the languages', async () => {
    const { page, address } = await visit(tenant)
    await page.goto(address)
    for (const css of footerStyles) {
      await addStyles(page, css)
      for (const width of [390, 1280, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        await savePicture(page, `footer-${layout.type}-${css.split('{')[0]}-${width}`)
        const parts = await page
          .locator('.footer > *:visible')
          .evaluateAll((elements) => elements.map((part) => part.getBoundingClientRect()))
        const form = await boxOf(page, '.content')
        const middle =
          Math.min(...parts.map(({ left }) => left)) + Math.max(...parts.map(({ right }) => right))
        expect(middle / 2, `at ${width} px`).toBeCloseTo((form.x + form.right) / 2, 0)
      }
    }
  })
})

it.each(someOf([{ type: 'Card' } as const, ...layouts], 1))(
  'the language list on a short page scrolls to every language: $type',
  async (layout) => {
    const tenant = await openTenant({ layout })
    const { page } = await visit(tenant, mobileOptions)
    await page.goto(`${tenant.origin}/unknown-session`)
    await untilSettled(page)
    await page.locator('.languages summary').click()
    const list = await boxOf(page, '.languages ul')
    expect(list.y + (await page.evaluate(() => scrollY))).toBeGreaterThanOrEqual(0)
    await page.locator('.languages button').last().click()
    await page.waitForURL('**lng=**')
  },
)

describe('the colour that a phone shows around a page', async () => {
  const tenant = await openTenant({ color })

  const cases = [
    { layout: { type: 'Card' }, options: mobileOptions },
    { layout: { type: 'Card' }, options: desktopOptions },
    { layout: { type: 'Plain' }, options: mobileOptions },
    { layout: { type: 'Split', pictureUrl: PICTURE }, options: mobileOptions },
  ]
  it.each(someOf(cases, 2))(
    'is that of the page at the centre of its top: %o',
    async ({ layout, options }) => {
      await tenant.offer({ layout })
      const { page, address } = await visit(tenant, options)
      await page.goto(`${address}&no_cache`)
      await page.locator(`html.layout-${layout.type.toLowerCase()}`).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await untilSettled(page)
        const named = await page
          .locator(
            colorScheme === 'dark' ? 'meta[name=theme-color][media]' : 'meta[name=theme-color]:not([media])',
          )
          .getAttribute('content')
        const pixel = await pixelOf(page, { x: options.viewport.width / 2, y: 0 })
        const channels = [1, 3, 5].map((at) => Number.parseInt(String(named).slice(at, at + 2), 16))
        // Gradients are painted with rounding and dithering.
        for (const [index, channel] of channels.entries())
          expect(
            Math.abs(channel - (pixel[index] ?? 0)),
            `${colorScheme} ${named} ${pixel}`,
          ).toBeLessThanOrEqual(2)
      }
    },
  )

  it('is not glaring beside a dark form', async () => {
    await tenant.offer({ layout: { type: 'Split' }, color: { ...color, darkPrimaryColor: '#FFE14D' } })
    const { page, address } = await visit(tenant)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${address}&no_cache`)
    await untilSettled(page)
    const brightness = Math.max(...(await pixelOf(page, { x: 0, y: 0 })))
    expect(brightness).toBeLessThan(110)
    expect(brightness).toBeGreaterThan(60)
  })
})

/** Returns the red, green and blue of a pixel, as Chromium paints it. */
async function pixelOf(page: Page, { x, y }: { x: number; y: number }): Promise<readonly number[]> {
  const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 } })
  const blank = await page.context().newPage()
  const pixel = await blank.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
    },
    [...picture],
  )
  await blank.close()
  return pixel
}

describe('the layout Plain', async () => {
  const tenant = await openTenant({ layout: { type: 'Plain' }, color })

  it('is as high as its content, with the footer below it', async () => {
    const { page, address } = await visit(tenant, { viewport: { width: 1280, height: 2000 } })
    await page.goto(address)
    await untilSettled(page)
    const [main, footer] = [await boxOf(page, 'main'), await boxOf(page, '.footer')]
    expect(footer.y).toBe(main.bottom)
    expect((await boxOf(page, 'body')).bottom).toBeLessThan(1000)
    const look = await page.locator('main').evaluate((element) => {
      const { backgroundColor, boxShadow } = getComputedStyle(element)
      return { backgroundColor, boxShadow }
    })
    expect(look).toEqual({ backgroundColor: 'rgba(0, 0, 0, 0)', boxShadow: 'none' })
  })
})
