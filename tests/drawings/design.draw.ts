import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { desktopOptions, mobileOptions, openPage } from '../journeys/browser.ts'
import { openConsole } from '../journeys/console/console.ts'
import { untilSettled } from '../journeys/inspection.ts'
import { interactionOf } from '../journeys/steps.ts'
import { openTenant, type Tenant } from '../journeys/tenant.ts'
import { PASSWORD } from '../kit/clients/cookie-client.ts'
import { tokenTable } from '../kit/design-tokens.ts'
import { writePicture } from './pictures.ts'

/** Draws the pictures of docs/guides/console.md, and the pictures and the table of docs/development/design.md. */

const ada = { identifier: { type: 'email', value: 'ada@example.com' } } as const
const both = { password: true, verificationCode: true, isPasswordPrimary: true }
const tenant = await openTenant({
  color: { primaryColor: '#6139F6', isDarkModeEnabled: true, darkPrimaryColor: '#8768F8' },
  termsOfUseUrl: 'https://example.com/terms',
  privacyPolicyUrl: 'https://example.com/privacy',
  signIn: {
    methods: [
      { identifier: 'email', ...both },
      { identifier: 'phone', ...both },
    ],
  },
  signUp: { identifiers: ['email'], password: true, verify: true },
})
for (const name of ['google', 'github'])
  await tenant.call('POST', '/connectors', {
    connectorId: `${name}-universal`,
    config: { clientId: 'client', clientSecret: 'secret' },
  })
await tenant.offer({ socialSignInConnectorTargets: ['google', 'github'] })
const application = await tenant.openApplication()
const byName = await openTenant({
  color: { primaryColor: '#6139F6', isDarkModeEnabled: true, darkPrimaryColor: '#8768F8' },
})
await byName.createUser({ username: 'ada_lovelace', name: 'Ada Lovelace', password: PASSWORD })
const shop = await byName.openApplication('Corner Shop', {
  isThirdParty: true,
  redirectUri: 'https://shop.example/callback',
  logoUri: `${byName.origin}/favicon.svg`,
})

const screens: Record<string, (page: Page) => Promise<unknown>> = {
  'sign-in': async (page) => page.goto((await application.authorizationUrl()).url),
  password: (page) => step(page, 'sign-in/password', ada),
  code: (page) => step(page, 'sign-in/verification-code', ada),
  consent,
  error: (page) => page.goto(`${tenant.origin}/unknown-session`),
}

const views = [
  { name: 'light', size: desktopOptions, colorScheme: 'light' },
  { name: 'dark', size: desktopOptions, colorScheme: 'dark' },
] as const

describe('docs/development/design.md', () => {
  it.each(Object.keys(screens).flatMap((screen) => views.map((view) => ({ screen, ...view }))))(
    'shows $screen in the $name theme',
    async ({ screen, name, size, colorScheme }) =>
      draw(`${screen}-${name}`, screen, { ...size, colorScheme }),
  )

  it.each([
    { screen: 'sign-in', colorScheme: 'light' },
    { screen: 'code', colorScheme: 'dark' },
  ] as const)('shows $screen on a phone', async ({ screen, colorScheme }) =>
    draw(`${screen}-${colorScheme}-phone`, screen, { ...mobileOptions, colorScheme }),
  )

  it.each(views)('shows the console in the $name theme', async ({ name, colorScheme }) => {
    const { page } = await openConsole(byName, { path: '/experience' })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.getByLabel('Brand color', { exact: true }).fill('#0b7a4b')
    await page.getByLabel('Name', { exact: true }).fill('Acme')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText(name === 'dark' ? 'Dark' : 'Light', { exact: true }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Sign in to Acme' }).waitFor()
    await drawConsole(page, name)
  })

  it('shows the connectors, the users and the log in the console', async () => {
    const acme = await openTenant()
    const { page, id } = await openConsole(acme, { path: '/connectors' })
    await acme.call('PATCH', `/users/${id}`, { name: 'Ada Lovelace', username: 'ada_lovelace' })
    await fillAcme(acme)
    await page.reload()
    await page.getByRole('link', { name: 'GitHub' }).first().waitFor()
    await drawConsole(page, 'connectors')

    const open = (path: string) => page.goto(`${acme.origin}/console${path}`)
    await open('/users')
    for (const name of ['Grace Hopper', 'Alan Turing'])
      await page.getByRole('checkbox', { name: new RegExp(name) }).click()
    await page.getByText('2 users selected').waitFor()
    await drawConsole(page, 'users')
    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('2 users were changed.').waitFor()

    await open('/log')
    await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor()
    await drawConsole(page, 'log')
  })

  it('has the tokens', () => {
    const file = 'docs/development/design.md'
    const [before = '', rest = ''] = readFileSync(file, 'utf8').split('<!-- tokens -->\n')
    const after = rest.slice(rest.indexOf('<!-- end of tokens -->'))
    writeFileSync(file, `${before}<!-- tokens -->\n\n${tokenTable()}\n\n${after}`)
  })
})

/** Gives a tenant connectors, users and changes that the console can show. */
async function fillAcme({ call, createUser, offer }: Tenant): Promise<void> {
  const config = { clientId: 'client', clientSecret: 'secret' }
  for (const name of ['google', 'github'])
    await call('POST', '/connectors', { connectorId: `${name}-universal`, config })
  await offer({ socialSignInConnectorTargets: ['google', 'github'] })
  const people = [
    'Grace Hopper',
    'Alan Turing',
    'Hedy Lamarr',
    'Konrad Zuse',
    'Radia Perlman',
    'Tim Berners-Lee',
  ]
  for (const name of people) {
    const username = name.toLowerCase().replaceAll(/\W/g, '_')
    await createUser({ username, name, primaryEmail: `${username}@example.com` })
  }
}

/** Takes the picture of a console page, without the marks of the focus and of the pointer. */
async function drawConsole(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await untilSettled(page)
  await writePicture(page, `docs/design/console/${name}.webp`, 60_000)
}

async function draw(file: string, screen: string, options: Parameters<typeof openPage>[0]): Promise<void> {
  const { page } = await openPage(options)
  await screens[screen]?.(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await untilSettled(page)
  await writePicture(page, `docs/design/${file}.webp`, 40_000)
}

/** Opens a page with the navigation state that the previous page would have stored. */
async function step(page: Page, path: string, navigation: NavigationState): Promise<void> {
  await page.goto((await application.authorizationUrl()).url)
  const answer = await page.request.put(`${tenant.origin}/api/interaction/step`, {
    headers: { interaction: interactionOf(page) },
    data: navigation,
  })
  expect(answer.ok()).toBe(true)
  await page.goto(page.url().replace('/sign-in', `/${path}`))
}

async function consent(page: Page): Promise<void> {
  await page.goto((await shop.authorizationUrl({ scope: 'openid profile email phone' })).url)
  await page.locator('main [name=identifier]').fill('ada_lovelace')
  await page.locator('main [name=password]').fill(PASSWORD)
  await page.locator('main button[name=submit]').click()
  await page.locator('main [name=decision]').first().waitFor()
}
