import type { Frame, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageTable } from '../../../client/app/routes.ts'
import { previewedAccountPages } from '../../../client/preview/account-pages.ts'
import { spread } from '../../kit/sweep.ts'
import {
  browserSweep,
  desktopOptions,
  openBrowser,
  openPage,
  savePicture,
  type UserAgent,
} from '../browser.ts'
import { untilPainted } from '../inspection.ts'
import { openSite, type Site } from '../site.ts'
import { isLightColor } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests preview mode (spec/experience#preview), in which a console shows the pages with unpublished settings.
 */

const { origin, call } = await openTenant({ customCss: '.title{letter-spacing:9px}' })
const both = { password: true, verificationCode: true, isPasswordPrimary: false }

/** A stub of a console, which shows the preview in a frame, records its messages and sends it settings. */
const consolePage = (path: string) => `
  <style>iframe { inline-size: 1100px; block-size: 700px; border: 0 }</style>
  <script>
    heard = []
    addEventListener('message', ({ origin, data }) => heard.push({ origin, data }))
  </script>
  <iframe src="${origin}${path}"></iframe>`

/** Every page of an interaction that needs no connector. */
const previewed = pageTable
  .filter(({ path, needs }) => needs !== 'nothing' && !path.includes(':'))
  .map(({ path }) => path)

const consolePages = Object.fromEntries(
  [...previewed, ...previewedAccountPages].map((path) => [
    `/console${path}`,
    consolePage(`${path}?preview=true`),
  ]),
)

const consoleSite = await openSite(consolePages)
const others = await openSite({ ...consolePages, '/opener': '<h1>Opener</h1>' })
await call('PATCH', '/configs/settings', { previewOrigins: [consoleSite.origin] })
afterAll(() => {
  consoleSite.close()
  others.close()
})

const READY = { sender: 'vestibule_preview_ready' }

const open = async (site: Site) => openIn(await openPage(desktopOptions), site, '/sign-in')

async function openIn(client: UserAgent, site: Site, path: string) {
  const { page } = client
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto(`${site.origin}/console${path}`)
  await page.waitForFunction(() => Reflect.get(window, 'heard').length > 0)
  const preview = page.frames().find((frame) => frame.url().startsWith(origin))
  if (!preview) throw new Error('there is no preview')
  return { ...client, preview, calls }
}

const send = (page: Page, config: unknown, sender = 'vestibule_preview') =>
  page.evaluate((message) => window.frames[0]?.postMessage(message, '*'), { sender, config })

const DELIVERED = 'delivered'

/**
 * Waits until the preview has handled all earlier messages, and for the next paint. Messages from one sender
 * arrive in order.
 */
async function untilDelivered(preview: Frame | Page): Promise<() => Promise<void>> {
  await preview.evaluate((last) => {
    const arrived = new Promise<void>((resolve) =>
      addEventListener('message', ({ data }) => data?.sender === last && resolve()),
    )
    Reflect.set(window, 'delivered', () => arrived)
  }, DELIVERED)
  return async () => {
    await preview.evaluate(() => Reflect.get(window, 'delivered')())
    await untilPainted(preview)
  }
}

const heading = (preview: Frame, text: string) =>
  preview.getByRole('heading', { name: text, level: 1 }).waitFor()

const everything = {
  signIn: {
    methods: [
      { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
      { identifier: 'email', ...both },
      { identifier: 'phone', ...both },
    ],
  },
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  signInMode: 'SignInAndRegister',
  forgotPassword: { email: true, phone: true },
}

const look = (preview: Frame) =>
  preview.evaluate(() => ({
    theme: document.documentElement.dataset.theme,
    brand: getComputedStyle(document.documentElement).getPropertyValue('--color-brand-default'),
    body: document.body.className.split(' ').sort().join(' '),
    lang: document.documentElement.lang,
    spacing: getComputedStyle(document.querySelector('.title') ?? document.body).letterSpacing,
  }))

describe('a preview inside a console', () => {
  it('is empty before the first message, and reports that it is ready', async () => {
    const { page, preview, complaints } = await open(consoleSite)
    expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([{ origin, data: READY }])
    expect(await preview.locator('#app').innerHTML()).toBe('')
    expect(complaints).toEqual([])
  })

  it('shows every change at once, without reloading', async () => {
    const { page, preview, calls, complaints } = await open(consoleSite)
    await send(page, {
      signInExperience: {
        color: { primaryColor: '#008844', isDarkModeEnabled: true, darkPrimaryColor: '#00cc66' },
        customCss: '.title{letter-spacing:3px}',
        customContent: {
          '/sign-in': '<h2>Beside</h2><script>window.ran = 1</script><img src=x onerror="window.ran=1">',
        },
        termsOfUseUrl: 'https://example.com/terms',
      },
      language: 'de',
      mode: 'light',
      platform: 'web',
      isNative: false,
    })
    await heading(preview, 'Bei Ihrem Konto anmelden')
    expect(await look(preview)).toEqual({
      theme: 'light',
      brand: '#008844',
      body: 'desktop light',
      lang: 'de',
      spacing: '3px',
    })
    await preview.getByRole('heading', { name: 'Beside' }).waitFor()
    expect(await preview.locator('.vestibule-custom-content').innerHTML()).toBe('<h2>Beside</h2><img>')
    await preview.getByRole('link', { name: /Nutzungsbedingungen/ }).waitFor()
    await savePicture(page, 'preview-light')

    const loads = calls.filter((path) => path === '/sign-in').length
    await send(page, {
      signInExperience: {
        ...everything,
        color: { primaryColor: '#008844', isDarkModeEnabled: true, darkPrimaryColor: '#00cc66' },
      },
      language: 'fr',
      mode: 'dark',
      platform: 'mobile',
    })
    await preview.locator('html[lang=fr]').waitFor()
    expect(await look(preview)).toMatchObject({
      theme: 'dark',
      brand: '#00cc66',
      body: 'dark mobile',
      lang: 'fr',
    })
    expect(await preview.locator('.vestibule-custom-content').count()).toBe(0)
    await savePicture(page, 'preview-dark')
    expect(calls.filter((path) => path === '/sign-in')).toHaveLength(loads)
    expect(calls.filter((path) => path.startsWith('/api/interaction'))).toEqual([])
    expect(await preview.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    // The content security policy reports a violation, although the script would not have run anyway.
    expect(complaints.filter((text) => !text.includes('inline event handler'))).toEqual([])
  })

  it('shows the phrases in a message as plain text, instead of the saved phrases', async () => {
    await call('PUT', '/custom-phrases/nl', { action: { sign_in: 'Naar binnen' } })
    const { page, preview, calls } = await open(consoleSite)
    const button = preview.locator('form button[type=submit]').first()
    const sendPhrases = async (phrases: unknown) => {
      await send(page, { signInExperience: {}, language: 'nl', phrases })
      await preview.locator('html[lang=nl]').waitFor()
    }
    await sendPhrases(undefined)
    await expect.poll(() => button.textContent()).toBe('Naar binnen')
    await sendPhrases({ action: { sign_in: '<img src=x onerror="window.ran=1">' }, unknown: { x: 'y' } })
    await expect.poll(() => button.textContent()).toBe('<img src=x onerror="window.ran=1">')
    expect(await preview.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    await sendPhrases({ action: { sign_in: '' } })
    await expect.poll(() => button.textContent()).toBe('Inloggen')
    expect(calls.filter((path) => path === '/api/.well-known/phrases')).toHaveLength(2)
  })

  it("does not follow the system's theme", async () => {
    const { page, preview } = await open(consoleSite)
    const color = { primaryColor: '#008844', isDarkModeEnabled: true, darkPrimaryColor: '#00cc66' }
    await page.emulateMedia({ colorScheme: 'dark' })
    await send(page, { signInExperience: { color }, mode: 'light' })
    await heading(preview, 'Sign in to your account')
    const ground = await preview.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect([(await look(preview)).brand, isLightColor(ground)]).toEqual(['#008844', true])
    expect(await preview.locator('img.logo').getAttribute('src')).toBe('/logo.svg')
    expect(await preview.locator('picture source').count()).toBe(0)
  })

  it('shows the layout of the received settings, and loads its picture once', async () => {
    const { page, preview, calls } = await open(consoleSite)
    const picture = preview.locator('body > .vestibule-picture img')
    const pictureUrl = '/apple-touch-icon.png'
    await send(page, { signInExperience: { layout: { type: 'Split', pictureUrl } } })
    await picture.waitFor()
    expect(await preview.locator('html').getAttribute('class')).toBe('layout-split')
    expect((await picture.boundingBox())?.width).toBeGreaterThan(500)
    await send(page, { signInExperience: { layout: { type: 'Split', pictureUrl } }, language: 'de' })
    await preview.locator('html[lang=de]').waitFor()
    expect(calls.filter((path) => path === pictureUrl)).toHaveLength(1)
    await send(page, { signInExperience: { layout: { type: 'Plain' } } })
    await preview.locator('html.layout-plain').waitFor()
    expect(await preview.locator('body > .vestibule-picture').count()).toBe(0)
  })

  it('does not respond to clicks and keys', async () => {
    const { page, preview, calls } = await open(consoleSite)
    await send(page, { signInExperience: {} })
    await heading(preview, 'Sign in to your account')
    const button = await preview.getByRole('button', { includeHidden: true }).first().boundingBox()
    await page.mouse.click((button?.x ?? 0) + 20, (button?.y ?? 0) + 20)
    await page.keyboard.press('Tab')
    await page.keyboard.type('x')
    expect(await preview.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    expect(await preview.locator('[aria-invalid]').count()).toBe(0)
    expect(calls.filter((path) => path.startsWith('/api/interaction'))).toEqual([])
  })

  describe('at its own URL', () => {
    let client: UserAgent
    beforeAll(async () => {
      client = await openBrowser(desktopOptions)
    })
    afterAll(() => client.context.close())

    // `npm test` opens some of the pages.
    it.each(browserSweep.isExhaustive ? previewed : spread(previewed, 4))('shows %s', async (path) => {
      const { page, preview, calls, complaints } = await openIn(client, consoleSite, path)
      await send(page, { signInExperience: everything })
      await preview.locator('h1').waitFor()
      expect(await preview.locator('h1').textContent()).not.toMatch(/404|Session not found/)
      expect(calls.filter((each) => each.startsWith('/api/interaction'))).toEqual([])
      expect(complaints).toEqual([])
    })

    it.each(browserSweep.isExhaustive ? previewedAccountPages : previewedAccountPages.slice(0, 1))(
      'shows a sample user at %s',
      async (path) => {
        const { page, preview, calls, complaints } = await openIn(
          await openPage(desktopOptions),
          consoleSite,
          path,
        )
        const settings = {
          branding: { name: 'Acme' },
          color: { primaryColor: '#008844', isDarkModeEnabled: true, darkPrimaryColor: '#00cc66' },
          layout: { type: 'Split' },
          customCss: '.account-main{letter-spacing:3px}',
        }
        await send(page, { signInExperience: settings, language: 'de', mode: 'dark', platform: 'mobile' })
        await preview.locator('html[lang=de] h1').waitFor()
        expect(await look(preview)).toMatchObject({ theme: 'dark', brand: '#00cc66', body: 'dark mobile' })
        expect(await preview.locator('a[aria-current=page]').getAttribute('href')).toBe(path)
        expect(await preview.title()).toMatch(
          /^(?:Ihr Konto|Profil|Anmeldung und Sicherheit|Aktivität) · Acme$/,
        )
        const main = preview.locator('.account-main')
        expect(await main.evaluate((element) => getComputedStyle(element).letterSpacing)).toBe('3px')
        expect(await preview.locator('body > .vestibule-picture').count()).toBe(0)

        await send(page, { signInExperience: settings, language: 'ar', platform: 'web' })
        await preview.locator('html[lang=ar][dir=rtl][data-theme=light]').waitFor()
        expect((await look(preview)).body).toBe('desktop light')
        expect(calls.filter((each) => /^\/(?:api\/(?!\.well-known)|oidc)/.test(each))).toEqual([])
        expect(complaints).toEqual([])
      },
    )
  })

  it('switches between sign-in and registration when the settings do', async () => {
    const { page, preview } = await open(consoleSite)
    await send(page, { signInExperience: { signInMode: 'Register' } })
    await heading(preview, 'Create your account')
    await send(page, { signInExperience: { signInMode: 'SignIn' } })
    await heading(preview, 'Sign in to your account')
  })

  it.each([
    { isNative: false, expected: ['Google', 'GitHub'] },
    { isNative: true, expected: ['Google', 'WeChat'] },
  ])(
    'offers the social connectors for native apps only if requested: $isNative',
    async ({ isNative, expected }) => {
      const { page, preview } = await open(consoleSite)
      const connector = (name: string, platform: string) => ({
        id: `${name}.${platform}`,
        target: name.toLowerCase(),
        platform,
        name: { en: name },
        logo: '/logo.svg',
      })
      const socialConnectors = [
        connector('Google', 'Universal'),
        connector('GitHub', 'Web'),
        connector('WeChat', 'Native'),
      ]
      await send(page, { signInExperience: { socialConnectors }, isNative })
      await preview.locator('[name=connectorId]').first().waitFor()
      const names = await preview.locator('[name=connectorId]').allInnerTexts()
      expect(names.map((name) => name.split(' ').at(-1))).toEqual(expected)
    },
  )

  describe('after the first message', () => {
    let client: UserAgent
    let opened: Awaited<ReturnType<typeof openIn>>
    beforeAll(async () => {
      client = await openBrowser(desktopOptions)
      opened = await openIn(client, consoleSite, '/sign-in')
      await send(opened.page, { signInExperience: {} })
      await heading(opened.preview, 'Sign in to your account')
    })
    afterAll(() => client.context.close())

    it.each([
      [
        'of another sender',
        { signInExperience: { customCss: '.title{letter-spacing:7px}' } },
        'other_preview',
      ],
      ['without a config', undefined, undefined],
      ['without settings', { mode: 'dark' }, undefined],
      ['with an invalid colour', { signInExperience: { color: { primaryColor: 'red;}' } } }, undefined],
      [
        'with an invalid mode',
        { signInExperience: { customCss: '.title{letter-spacing:7px}' }, mode: 'blue' },
        undefined,
      ],
      ['with an unknown layout', { signInExperience: { layout: { type: 'Wide' } } }, undefined],
      [
        'with an invalid picture',
        { signInExperience: { layout: { type: 'Split', pictureUrl: 1 } } },
        undefined,
      ],
      ['with invalid methods', { signInExperience: { signIn: { methods: [{}] } } }, undefined],
    ])('[RFC9700-4.17.2] ignores a message %s', async (_, config, sender) => {
      const { page, preview, complaints } = opened
      const before = [await look(preview), await preview.locator('#app').innerHTML()]
      const delivered = await untilDelivered(preview)
      await send(page, config, sender)
      await send(page, null, DELIVERED)
      await delivered()
      expect([await look(preview), await preview.locator('#app').innerHTML()]).toEqual(before)
      expect(complaints).toEqual([])
    })
  })
})

describe('a preview for another origin', () => {
  it('[RFC9700-4.16-2] cannot be framed', async () => {
    const { page, complaints } = await openPage(desktopOptions)
    await page.goto(`${others.origin}/console/sign-in`)
    await expect.poll(() => complaints.join()).toMatch(/frame-ancestors|refused to connect|Refused to frame/i)
  })

  it('ignores messages from the page that opened its window', async () => {
    const { page, context } = await openPage(desktopOptions)
    await page.goto(`${others.origin}/opener`)
    const popup = context.waitForEvent('page')
    await page.evaluate((address) => {
      Reflect.set(window, 'opened', window.open(address))
    }, `${origin}/sign-in?preview=true`)
    const preview = await popup
    await preview.waitForFunction(() => document.getElementById('app')?.inert === true)
    // Messages from the preview's own origin are accepted. The first one loads the code that handles later
    // messages.
    await preview.evaluate(() =>
      postMessage({ sender: 'vestibule_preview', config: { signInExperience: {} } }, '*'),
    )
    await preview.getByRole('heading', { name: 'Sign in to your account' }).waitFor()
    const before = await look(preview.mainFrame())
    const delivered = await untilDelivered(preview)
    await page.evaluate((last) => {
      const config = { signInExperience: { customCss: '.title{letter-spacing:7px}' } }
      const opened: Window = Reflect.get(window, 'opened')
      opened.postMessage({ sender: 'vestibule_preview', config }, '*')
      opened.postMessage({ sender: last }, '*')
    }, DELIVERED)
    await delivered()
    expect(await look(preview.mainFrame())).toEqual(before)
  })
})
