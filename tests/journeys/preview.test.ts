import type { Frame, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { desktop, person, picture } from './browser.ts'
import { management } from './management.ts'
import { openSite, type Site } from './site.ts'

/** Preview mode (product 2, decision 34): an operator's console shows the pages with settings that are not in force. */

const origin = inject('origin')
const both = { password: true, verificationCode: true, isPasswordPrimary: false }

/** What a console is: a page with the preview in it, that hears when it is ready and sends what it wants to see. */
const consolePage = (path: string) => `
  <style>iframe { inline-size: 1100px; block-size: 700px; border: 0 }</style>
  <script>
    heard = []
    addEventListener('message', ({ origin, data }) => heard.push({ origin, data }))
  </script>
  <iframe src="${origin}${path}"></iframe>`

const paths = ['/sign-in', '/sign-in/password', '/register', '/register/password', '/forgot-password']
const codePaths = ['sign-in', 'register', 'forgot-password', 'continue'].map(
  (flow) => `/${flow}/verification-code`,
)
const continued = ['password', 'username', 'email', 'phone', 'emailOrPhone'].map(
  (item) => `/continue/${item}`,
)
const previewed = [...paths, ...codePaths, ...continued, '/forgot-password/reset', '/sign-in/consent']

const pages = Object.fromEntries(
  previewed.map((path) => [`/console${path}`, consolePage(`${path}?preview=true`)]),
)

let operators: Site
let others: Site
let before: unknown
beforeAll(async () => {
  operators = await openSite(pages)
  others = await openSite({ ...pages, '/opener': '<h1>Opener</h1>' })
  const call = await management()
  before = await call<Record<string, unknown>>('GET', '/sign-in-exp')
  await call('PATCH', '/configs/settings', { previewOrigins: [operators.origin] })
  await call('PATCH', '/sign-in-exp', { customCss: '.title{letter-spacing:9px}' })
})
afterAll(async () => {
  const call = await management()
  const { customCss } = before as { customCss: string | null }
  await call('PATCH', '/sign-in-exp', { customCss })
  await call('PATCH', '/configs/settings', { previewOrigins: [] })
  operators.close()
  others.close()
})

const READY = { sender: 'vestibule_preview_ready' }

async function open(site: Site, path = '/sign-in') {
  const context = await person(desktop)
  const { page } = context
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto(`${site.origin}/console${path}`)
  await page.waitForFunction(() => Reflect.get(window, 'heard').length > 0)
  const preview = page.frames().find((frame) => frame.url().startsWith(origin))
  if (!preview) throw new Error('there is no preview')
  return { ...context, preview, calls }
}

const send = (page: Page, config: unknown, sender = 'vestibule_preview') =>
  page.evaluate((message) => window.frames[0]?.postMessage(message, '*'), { sender, config })

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

describe('in the console of an operator', () => {
  it('shows nothing until it is told what, and says that it waits', async () => {
    const { page, preview, complaints, context } = await open(operators)
    expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([{ origin, data: READY }])
    expect(await preview.locator('#app').innerHTML()).toBe('')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('shows every change at once, without a load', async () => {
    const { page, preview, calls, complaints, context } = await open(operators)
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
    await picture(page, 'preview-light')

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
    await picture(page, 'preview-dark')
    expect(calls.filter((path) => path === '/sign-in')).toHaveLength(loads)
    expect(calls.filter((path) => path.startsWith('/api/interaction'))).toEqual([])
    expect(await preview.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    // The policy has its word even where the parser runs nothing.
    expect(complaints.filter((text) => !text.includes('inline event handler'))).toEqual([])
    await context.close()
  })

  it('does not follow the theme of the system', async () => {
    const { page, preview, context } = await open(operators)
    const color = { primaryColor: '#008844', isDarkModeEnabled: true, darkPrimaryColor: '#00cc66' }
    await page.emulateMedia({ colorScheme: 'dark' })
    await send(page, { signInExperience: { color }, mode: 'light' })
    await heading(preview, 'Sign in to your account')
    const ground = await preview.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect([(await look(preview)).brand, ground]).toEqual(['#008844', 'rgb(245, 244, 250)'])
    expect(await preview.locator('img.logo').getAttribute('src')).toBe('/logo.svg')
    expect(await preview.locator('picture source').count()).toBe(0)
    await context.close()
  })

  it('can be looked at, and no more', async () => {
    const { page, preview, calls, context } = await open(operators)
    await send(page, { signInExperience: {} })
    await heading(preview, 'Sign in to your account')
    const button = await preview.getByRole('button', { includeHidden: true }).first().boundingBox()
    await page.mouse.click((button?.x ?? 0) + 20, (button?.y ?? 0) + 20)
    await page.keyboard.press('Tab')
    await page.keyboard.type('x')
    expect(await preview.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    expect(await preview.locator('[aria-invalid]').count()).toBe(0)
    expect(calls.filter((path) => path.startsWith('/api/interaction'))).toEqual([])
    await context.close()
  })

  it.each(previewed)('shows %s, which nobody could come to like this', async (path) => {
    const { page, preview, calls, complaints, context } = await open(operators, path)
    await send(page, { signInExperience: everything })
    await preview.locator('h1').waitFor()
    expect(await preview.locator('h1').textContent()).not.toMatch(/404|Session not found/)
    expect(calls.filter((each) => each.startsWith('/api/interaction'))).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('goes where the settings send everybody, and comes back', async () => {
    const { page, preview, context } = await open(operators)
    await send(page, { signInExperience: { signInMode: 'Register' } })
    await heading(preview, 'Create your account')
    await send(page, { signInExperience: { signInMode: 'SignIn' } })
    await heading(preview, 'Sign in to your account')
    await context.close()
  })

  it.each([
    { isNative: false, shown: ['Google', 'GitHub'] },
    { isNative: true, shown: ['Google', 'WeChat'] },
  ])('offers the social connectors of a native app: $isNative', async ({ isNative, shown }) => {
    const { page, preview, context } = await open(operators)
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
    expect(names.map((name) => name.split(' ').at(-1))).toEqual(shown)
    await context.close()
  })

  it.each([
    ['of somebody else', { signInExperience: { signInMode: 'Register' } }, 'other_preview'],
    ['without a config', undefined, undefined],
    ['without settings', { language: 'de' }, undefined],
    ['with a colour that is none', { signInExperience: { color: { primaryColor: 'red;}' } } }, undefined],
    ['with a mode that is none', { signInExperience: {}, mode: 'blue' }, undefined],
    ['with methods that are none', { signInExperience: { signIn: { methods: [{}] } } }, undefined],
  ])('takes no notice of a message %s', async (_, config, sender) => {
    const { page, preview, complaints, context } = await open(operators)
    await send(page, config, sender)
    await page.waitForTimeout(300)
    expect(await preview.locator('#app').innerHTML()).toBe('')
    await send(page, { signInExperience: {} })
    await heading(preview, 'Sign in to your account')
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('for strangers', () => {
  it('cannot be framed', async () => {
    const { page, complaints, context } = await person(desktop)
    await page.goto(`${others.origin}/console/sign-in`)
    await expect.poll(() => complaints.join()).toMatch(/frame-ancestors|refused to connect|Refused to frame/i)
    await context.close()
  })

  it('is deaf when they have opened it in a window', async () => {
    const { page, context } = await person(desktop)
    await page.goto(`${others.origin}/opener`)
    const popup = context.waitForEvent('page')
    await page.evaluate((address) => {
      Reflect.set(window, 'opened', window.open(address))
    }, `${origin}/sign-in?preview=true`)
    const preview = await popup
    await preview.waitForFunction(() => document.getElementById('app')?.inert === true)
    await page.evaluate(() => {
      const message = { sender: 'vestibule_preview', config: { signInExperience: {} } }
      Reflect.get(window, 'opened').postMessage(message, '*')
    })
    await preview.waitForTimeout(500)
    expect(await preview.locator('#app').innerHTML()).toBe('')
    await context.close()
  })
})
