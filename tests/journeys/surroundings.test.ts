import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/cookie-client.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, mobile, person, picture } from './browser.ts'
import { overflow, violations } from './inspection.ts'
import { management } from './management.ts'
import { openSite, type Site } from './site.ts'
import { press, username } from './steps.ts'

/** What stands around the forms: the operator's own content and look, terms, tips, apps, and visitors who differ. */

const origin = inject('origin')

let application: Application
let terms: Site
let closed: Site
beforeAll(async () => {
  application = await openApplication('Application')
  terms = await openSite({
    '/terms': '<h1>Our terms</h1><script>document.querySelector("h1").textContent = "Script ran"</script>',
  })
  closed = await openSite({ '/privacy': '<h1>Privacy</h1>' }, { 'x-frame-options': 'DENY' })
})
afterAll(() => {
  application.close()
  terms.close()
  closed.close()
})

async function change(settings: Record<string, unknown>): Promise<void> {
  const call = await management()
  await call('PATCH', '/sign-in-exp', settings)
}

/** For as long as a group of tests runs. */
function during(settings: Record<string, unknown>, after: Record<string, unknown>): void {
  beforeAll(() => change(settings))
  afterAll(() => change(after))
}

const toSignIn = async (page: Page, parameters: Record<string, string> = {}) =>
  page.goto((await application.authorizationUrl(parameters)).url)

const toRegistration = (page: Page) => toSignIn(page, { interaction_mode: 'signUp' })

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not seen`)
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

const CONTENT = `
  <h2>Plan the week in one quiet place</h2>
  <p>Example keeps calendars, notes and people together. <a href="https://example.com/tour">Take the tour</a>.</p>
  <ul><li>Shared boards for every team</li><li>Works offline, syncs later</li></ul>`

const HOSTILE = `${CONTENT}
  <script>window.ran = 'script'</script>
  <img src="https://127.0.0.1:1/x" onerror="window.ran = 'handler'" alt="">
  <svg onload="window.ran = 'svg'"><script>window.ran = 'svg script'</script></svg>
  <a id="boot" name="app" href="javascript:window.ran = 'link'">Do not follow</a>
  <iframe srcdoc="<script>parent.ran = 'frame'</script>"></iframe>
  <form action="https://127.0.0.1:1/"><input name="identifier" value="theirs"></form>
  <style>.vestibule-main { display: none }</style>
  <img src=x onerror="window.ran = 'unclosed'"`

describe("the operator's own content", () => {
  during({ customContent: { '/sign-in': HOSTILE, '/register': '<h2>Join us</h2>' } }, { customContent: {} })

  it('stands beside the card, runs nothing, and takes nothing over', async () => {
    const { context, page, complaints } = await person(desktop)
    await toSignIn(page)
    await username(page).fill('ada')
    await page.getByRole('link', { name: 'Do not follow' }).or(page.getByText('Do not follow')).click()
    await page.waitForTimeout(300)
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    expect(await page.locator('[name=identifier]').count()).toBe(1)
    expect(page.frames()).toHaveLength(1)

    const content = await boxOf(page, '.vestibule-custom-content')
    const card = await boxOf(page, '.vestibule-main')
    expect(content.right).toBeLessThan(card.x)
    expect(await page.locator('.vestibule-custom-content + .vestibule-main').count()).toBe(1)
    expect(await overflow(page)).toBe(0)
    // Its picture cannot be had; otherwise there is nothing to complain of, the taking over of the page included.
    expect(complaints.filter((text) => !/ERR_/.test(text))).toEqual([])
    await picture(page, 'custom-content-hostile')
    await context.close()
  })

  it('is that of the page, when the page changes without a load', async () => {
    const { context, page, complaints } = await person(desktop)
    await toSignIn(page)
    await page.getByRole('link', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Join us' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Plan the week' }).waitFor()
    expect(complaints.filter((text) => !/ERR_/.test(text))).toEqual([])
    await context.close()
  })

  it.each([
    { width: 1000, height: 800, isBelow: true },
    { width: 500, height: 800, isBelow: true },
    { width: 1920, height: 1080, isBelow: false },
    { width: 3840, height: 2160, isBelow: false },
  ])('has its place on a screen of $width by $height', async ({ width, height, isBelow }) => {
    const { context, page } = await person({ viewport: { width, height } })
    await toSignIn(page)
    const content = await boxOf(page, '.vestibule-custom-content')
    const card = await boxOf(page, '.vestibule-main')
    expect(content.y >= card.bottom).toBe(isBelow)
    expect(await overflow(page)).toBe(0)
    await picture(page, `custom-content-${width}`)
    expect(await violations(page)).toEqual([])
    await context.close()
  })

  it('is not there on a phone', async () => {
    const { context, page } = await person(mobile)
    await toSignIn(page)
    expect(await page.locator('.vestibule-custom-content').count()).toBe(0)
    await context.close()
  })
})

describe("the operator's look", () => {
  const color = { primaryColor: '#6139F6', darkPrimaryColor: '#8768F8' }

  describe('with CSS and a favicon', () => {
    during(
      {
        customCss: '.vestibule-main{border-radius:3px} body.dark .title{color:rgb(1, 2, 3)}',
        branding: { logoUrl: '/logo.svg', darkLogoUrl: '/logo-dark.svg', favicon: '/logo.svg' },
        color: { ...color, isDarkModeEnabled: true },
      },
      {
        customCss: null,
        branding: { logoUrl: '/logo.svg', darkLogoUrl: '/logo-dark.svg' },
        color: { ...color, isDarkModeEnabled: false },
      },
    )

    it('is applied, and follows the theme of the system as it changes', async () => {
      const { context, page, complaints } = await person({ ...desktop, colorScheme: 'light' })
      await toSignIn(page)
      const look = () =>
        page.evaluate(() => ({
          radius: getComputedStyle(document.querySelector('.vestibule-main') ?? document.body).borderRadius,
          ground: getComputedStyle(document.body).backgroundColor,
          brand: getComputedStyle(document.documentElement).getPropertyValue('--color-brand-default'),
          logo: document.querySelector<HTMLImageElement>('img.logo')?.currentSrc.split('/').at(-1),
          theme: document.body.className.match(/dark|light/)?.[0],
        }))
      await page.locator('body.light').waitFor()
      expect(await look()).toEqual({
        radius: '3px',
        ground: 'rgb(245, 244, 250)',
        brand: '#6139F6',
        logo: 'logo.svg',
        theme: 'light',
      })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('body.dark').waitFor()
      await expect.poll(look).toEqual({
        radius: '3px',
        ground: 'rgb(14, 15, 17)',
        brand: '#8768F8',
        logo: 'logo-dark.svg',
        theme: 'dark',
      })
      expect(await page.locator('.title').evaluate((title) => getComputedStyle(title).color)).toBe(
        'rgb(1, 2, 3)',
      )
      expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/logo.svg')
      expect(complaints).toEqual([])
      await context.close()
    })
  })

  it('stays light where there is no dark theme', async () => {
    const { context, page } = await person({ ...desktop, colorScheme: 'dark' })
    await toSignIn(page)
    await page.locator('body.light').waitFor()
    expect(await page.locator('picture source').count()).toBe(0)
    await context.close()
  })
})

describe('terms', () => {
  beforeAll(() =>
    change({
      termsOfUseUrl: `${terms.origin}/terms`,
      privacyPolicyUrl: `${closed.origin}/privacy`,
    }),
  )
  afterAll(() => change({ termsOfUseUrl: null, privacyPolicyUrl: null }))

  const sheet = (page: Page) => page.locator('.sheet')

  it('open over the page on a phone, in a frame that can do nothing', async () => {
    const { context, page, complaints } = await person(mobile)
    await toSignIn(page)
    const link = page.getByRole('link', { name: 'Terms of Use' })
    await link.click()
    await sheet(page).waitFor()
    await sheet(page).frameLocator('iframe').getByRole('heading', { name: 'Our terms' }).waitFor()
    await page.locator('.sheet-bar[data-done]').waitFor({ state: 'attached' })
    expect(await page.locator('.sheet iframe').getAttribute('sandbox')).toBe('')
    await page.waitForTimeout(400)
    await picture(page, 'terms-sheet')
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.sheet[data-closing]').waitFor()
    await sheet(page).waitFor({ state: 'detached' })
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(complaints.filter((text) => !/sandboxed/.test(text))).toEqual([])
    await context.close()
  })

  it('offer a tab of their own to a site that will not be framed, and are done loading', async () => {
    const { context, page } = await person(mobile)
    await toSignIn(page)
    await page.getByRole('link', { name: 'Privacy Policy' }).click()
    await page.locator('.sheet-bar[data-done]').waitFor({ state: 'attached' })
    const tab = context.waitForEvent('page')
    await sheet(page).getByRole('link', { name: 'Open in a new tab' }).click()
    await (await tab).getByRole('heading', { name: 'Privacy' }).waitFor()
    await page.keyboard.press('Escape')
    await sheet(page).waitFor({ state: 'detached' })
    await context.close()
  })

  it('do not tick the box they stand beside, nor send or close what they stand in', async () => {
    const { context, page, complaints } = await person(mobile)
    await toRegistration(page)
    const close = async () => {
      await sheet(page).getByRole('button', { name: 'Close' }).click()
      await sheet(page).waitFor({ state: 'detached' })
    }
    await page.locator('main').getByRole('link', { name: 'Terms of Use' }).click()
    await close()
    expect(await page.getByRole('checkbox').isChecked()).toBe(false)

    await username(page).fill(freshName())
    await press(page, 'Create account')
    const question = page.locator('.dialog')
    await question.getByRole('link', { name: 'Terms of Use' }).click()
    await close()
    expect(await question.isVisible()).toBe(true)
    await press(page, 'Agree')
    await page.waitForURL('**/register/password?**')
    expect(complaints.filter((text) => !/sandboxed/.test(text))).toEqual([])
    await context.close()
  })

  it('are asked about with the keyboard as with the finger: Escape declines, Enter and Space agree', async () => {
    for (const key of ['Enter', ' ']) {
      const { context, page } = await person(desktop)
      await toRegistration(page)
      await page.locator('body.light').waitFor() // the script is here
      await username(page).fill(freshName())
      await press(page, 'Create account')
      await page.locator('.dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.dialog').waitFor({ state: 'detached' })
      expect(await page.getByRole('checkbox').isChecked()).toBe(false)

      await press(page, 'Create account')
      await page.locator('.dialog').waitFor()
      await page.keyboard.press(key)
      await page.waitForURL('**/register/password?**')
      await context.close()
    }
  })

  it('are asked about on a phone by two buttons, one above the other', async () => {
    const { context, page } = await person(mobile)
    await toRegistration(page)
    await page.locator('body.light').waitFor()
    await username(page).fill(freshName())
    await press(page, 'Create account')
    const yes = await boxOf(page, '.dialog-actions > :last-child')
    const no = await boxOf(page, '.dialog-actions > :first-child')
    expect([yes.width, yes.bottom < no.y]).toEqual([no.width, true])
    await context.close()
  })

  it.each([
    { on: 'a computer', options: desktop },
    { on: 'a phone without JavaScript', options: { ...mobile, javaScriptEnabled: false } },
  ])('open in a tab of their own on $on', async ({ options }) => {
    const { context, page } = await person(options)
    await toSignIn(page)
    const tab = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Terms of Use (opens in a new tab)' }).click()
    expect((await tab).url()).toBe(`${terms.origin}/terms`)
    expect(await sheet(page).count()).toBe(0)
    await context.close()
  })

  it('are all that may be framed', async () => {
    const policy = async () =>
      (await fetch(`${origin}/unknown-session?no_cache`)).headers.get('content-security-policy') ?? ''
    expect(await policy()).toContain(`; frame-src ${terms.origin} ${closed.origin};`)
    await change({ termsOfUseUrl: null, privacyPolicyUrl: null })
    expect(await policy()).not.toContain('frame-src')
  })
})

describe('the tip of the demo application', () => {
  it.each([
    { width: 1280, height: 720 },
    { width: 1280, height: 1400 },
    { width: 1280, height: 500 },
    { width: 900, height: 900 },
  ])('is 24 above the card, but never closer than 32 to the top ($width by $height)', async (viewport) => {
    const { context, page } = await person({ viewport })
    await page.goto(`${origin}/demo-app`)
    await press(page, 'Sign in')
    const tip = page.locator('.notification')
    await tip.getByText('Create an account first to test the sign-in experience.').waitFor()
    const placed = async () => {
      const [banner, card] = [await boxOf(page, '.notification'), await boxOf(page, '.vestibule-main')]
      expect(banner.y).toBeCloseTo(Math.max(32, card.y - banner.height - 24), 0)
    }
    await placed()
    await page.setViewportSize({ width: 1100, height: viewport.height + 150 })
    await placed()

    await page.locator('body.light').waitFor() // the script is here
    await page.getByRole('link', { name: 'Create account' }).click()
    await tip.waitFor()
    await tip.getByRole('link', { name: 'Got it' }).click()
    expect(await tip.count()).toBe(0)
    await page.reload()
    await tip.waitFor()
    await context.close()
  })
})

describe('inside an app', () => {
  it('pages have the layout of a phone, and what the app says is said', async () => {
    const { context, page, complaints } = await person(desktop)
    await page.addInitScript(() => {
      Reflect.set(window, 'vestibuleNative', { platform: 'ios', getPostMessage: () => () => {} })
    })
    await change({ customContent: { '/sign-in': '<h2>Beside</h2>' } })
    await toSignIn(page)
    await page.locator('body.mobile').waitFor()
    expect(await page.locator('body').getAttribute('class')).not.toContain('desktop')
    expect(await page.locator('.vestibule-custom-content').count()).toBe(0)
    await page.evaluate(() => window.postMessage({ error: 'The app says no.' }, '*'))
    const toast = page.getByRole('alert').filter({ hasText: '{"error":"The app says no."}' })
    await toast.waitFor()
    await toast.waitFor({ state: 'detached', timeout: 4_500 })
    expect(complaints).toEqual([])
    await change({ customContent: {} })
    await context.close()
  })

  it('no message is said where there is no app', async () => {
    const { context, page } = await person(desktop)
    await toSignIn(page)
    await page.evaluate(() => window.postMessage({ error: 'Nobody asked.' }, '*'))
    await page.waitForTimeout(300)
    expect(await page.getByText('Nobody asked.').count()).toBe(0)
    await context.close()
  })
})

describe('a window that an application has opened', () => {
  it('can be closed from a page that leads nowhere', async () => {
    const { context, page } = await person(desktop)
    await page.goto(`${terms.origin}/terms`)
    const opened = context.waitForEvent('page')
    await page.evaluate((address) => {
      window.open(address)
    }, `${origin}/unknown-session`)
    const popup = await opened
    await popup.getByRole('button', { name: 'Close' }).waitFor()
    await picture(popup, 'close-bar')
    await Promise.all([popup.waitForEvent('close'), press(popup, 'Close')])
    await page.goto(`${origin}/unknown-session`)
    await page.locator('h1').waitFor()
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await context.close()
  })
})

describe('visitors who differ', () => {
  during(
    {
      termsOfUseUrl: 'https://example.com/terms',
      customContent: { '/sign-in': CONTENT, '/register': CONTENT },
    },
    { termsOfUseUrl: null, customContent: {} },
  )

  it.each([
    { path: 'sign-in', go: toSignIn },
    { path: 'register', go: toRegistration },
  ])('read $path enlarged four times without scrolling sideways', async ({ path, go }) => {
    const { context, page } = await person({ viewport: { width: 320, height: 256 } })
    await go(page)
    expect(await overflow(page)).toBe(0)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.vestibule-page *')]
        .filter((element) => element.getClientRects().length > 0)
        .filter((element) => getComputedStyle(element).clipPath === 'none')
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.outerHTML.slice(0, 80)),
    )
    expect(cut).toEqual([])
    await picture(page, `enlarged-${path}`)
    await context.close()
  })

  it('with colours of their own see what has the focus, every box and every picture', async () => {
    const { context, page } = await person({ ...desktop, forcedColors: 'active', colorScheme: 'dark' })
    await toSignIn(page)
    const seen = () =>
      page.evaluate(() => {
        const focused = document.activeElement
        const box = focused?.closest('.field-box') ?? focused
        const style = getComputedStyle(box ?? document.body)
        return { line: style.outlineStyle, wide: Number.parseFloat(style.outlineWidth) > 0 }
      })
    for (let step = 0; step < 7; step++) {
      await page.keyboard.press('Tab')
      expect(await seen()).toMatchObject({ wide: true })
      expect((await seen()).line).not.toBe('none')
    }
    const borders = await page
      .locator('.field-box, .button, .vestibule-main')
      .evaluateAll((boxes) => boxes.map((each) => getComputedStyle(each).borderTopWidth))
    expect(borders).not.toContain('0px')
    await picture(page, 'forced-colors')
    await context.close()
  })

  it('who want no motion get none that moves things', async () => {
    const { context, page } = await person({ ...mobile, reducedMotion: 'reduce' })
    await toRegistration(page)
    await username(page).fill(freshName())
    await press(page, 'Create account')
    await page.locator('.dialog').waitFor()
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => effect instanceof KeyframeEffect)
        .flatMap(({ effect }) => (effect instanceof KeyframeEffect ? effect.getKeyframes() : []))
        .filter((frame) => 'transform' in frame || 'translate' in frame),
    )
    expect(moving).toEqual([])
    await context.close()
  })

  it('with the largest screens find the card in the middle', async () => {
    await change({ customContent: {} })
    const { context, page } = await person({ viewport: { width: 3840, height: 2160 } })
    await toSignIn(page)
    const card = await boxOf(page, '.vestibule-main')
    expect(card.x + card.width / 2).toBeCloseTo(1920, 0)
    expect(Math.abs(card.y + card.height / 2 - 1080)).toBeLessThan(60)
    await context.close()
  })
})

describe('whoever comes to change a password', () => {
  const both = { password: true, verificationCode: true, isPasswordPrimary: true }
  during(
    {
      signIn: { methods: [{ identifier: 'email', ...both }] },
      signUp: { identifiers: ['email'], password: true, verify: true },
    },
    {
      signIn: {
        methods: [
          { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
        ],
      },
      signUp: { identifiers: ['username'], password: true, verify: false },
    },
  )

  it('resets it, signs in with it, and is told that all is done', async () => {
    const email = `${freshName()}@example.com`
    const call = await management()
    await call('POST', '/users', { primaryEmail: email, password: PASSWORD })
    const { context, page, complaints } = await person(desktop)
    await page.goto(`${origin}/.well-known/change-password`)
    await page.waitForURL('**/forgot-password?**')
    await page.locator('[name=identifier]').fill(email)
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL('**/forgot-password/verification-code?**')
    await page.getByLabel('Digit 1 of 6').focus()
    const [message] = (await (await fetch(`${origin}/dev/inbox.json?to=${email}`)).json()) as {
      code: string
    }[]
    await page.keyboard.type(message?.code ?? '')
    await page.waitForURL('**/forgot-password/reset?**')
    await page.locator('[name=newPassword]').fill(`${PASSWORD}-new`)
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL('**/sign-in?**')
    await page.locator('[name=identifier]').fill(email)
    await page.locator('button[name=submit]').click()
    await page.waitForURL('**/sign-in/password?**')
    await page.locator('[name=password]').fill(`${PASSWORD}-new`)
    await page.locator('button[name=submit]').click()
    await page.getByRole('heading', { name: 'You’re signed in', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.has('code')).toBe(false)
    await picture(page, 'password-changed')
    expect(complaints).toEqual([])
    await context.close()
  })
})
