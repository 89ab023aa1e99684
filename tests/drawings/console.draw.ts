import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { savePicture } from '../journeys/browser.ts'
import { openConsole } from '../journeys/console.ts'
import { untilSettled } from '../journeys/inspection.ts'
import { openTenant, type Tenant } from '../journeys/tenant.ts'
import { freshName, PASSWORD } from '../kit/cookie-client.ts'

/** Every page of the console in both themes, in English and German, for `npm run screens`. */

const languages = ['en', 'de'] as const
const themes = ['light', 'dark'] as const

/** There is something to see on every page. */
async function fill({ call, createUser }: Tenant) {
  const { id: application } = await call<{ id: string }>('POST', '/applications', {
    name: 'Web shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: ['https://shop.example.com/callback'], postLogoutRedirectUris: [] },
  })
  const { id: connector } = await call<{ id: string }>('POST', '/connectors', {
    connectorId: 'google-universal',
    id: 'google',
    config: { clientId: 'client', clientSecret: 'secret' },
  })
  const username = freshName()
  const { id: user } = await createUser({ username, name: 'Ada Lovelace', password: PASSWORD })
  const { id: role } = await call<{ id: string }>('POST', '/roles', { name: 'Editor', description: 'Edits' })
  const { id: api } = await call<{ id: string }>('POST', '/resources', {
    name: 'Orders',
    indicator: 'https://orders.example.com',
  })
  const { id: hook } = await call<{ id: string }>('POST', '/hooks', {
    event: 'PostRegister',
    config: { url: 'https://hooks.example.com', retries: 3 },
  })
  return { application, connector, user, role, api, hook, ...(await signInRow(call)) }
}

/** A row of the log that the administrator's sign-in has left. */
async function signInRow(call: Tenant['call']) {
  type Row = { id: string; payload: { interactionId?: string } }
  const rows = await call<Row[]>('GET', '/logs')
  const row = rows.find(({ payload }) => payload.interactionId)
  if (!row) throw new Error('no row of a sign-in in the log')
  return { log: row.id, interaction: row.payload.interactionId }
}

const pathsOf = (ids: Awaited<ReturnType<typeof fill>>) => [
  '/',
  '/applications',
  '/applications/~new',
  `/applications/${ids.application}`,
  `/applications/${ids.application}/guide`,
  ...['', '/sign-in', '/terms', '/languages'].map((part) => `/experience${part}`),
  '/connectors',
  '/connectors/new/google-universal',
  '/connectors/new/http-email',
  `/connectors/${ids.connector}`,
  '/users',
  '/users/import',
  '/users/export',
  ...['', '/security', '/sessions', '/access', '/activity'].map((part) => `/users/${ids.user}${part}`),
  '/access',
  '/access/apis',
  '/access/administrators',
  '/access/roles/admin-role',
  `/access/roles/${ids.role}`,
  `/access/apis/${ids.api}`,
  '/hooks',
  `/hooks/${ids.hook}`,
  '/log',
  '/log/failed-requests',
  `/log/${ids.log}`,
  `/log/interactions/${ids.interaction}`,
  ...['', '/account-centre', '/limits', '/addresses', '/clients', '/keys', '/deployment'].map(
    (part) => `/settings${part}`,
  ),
  '/as-code',
  '/no-such-page',
]

it('the console', { timeout: 600_000 }, async () => {
  const tenant = await openTenant()
  const { page, complaints } = await openConsole(tenant)
  const ids = await fill(tenant)
  const paths = pathsOf(ids)
  const linked = new Set<string>()
  for (const language of languages) {
    await page.evaluate((chosen) => localStorage.setItem('console-language', chosen), language)
    for (const path of paths) {
      await page.goto(`${tenant.origin}/console${path === '/' ? '' : path}`)
      await draw(page, ['console', ...wordsOf(path, Object.values(ids)), language])
      for (const href of await tabsOf(page)) linked.add(href)
    }
  }
  // What the areas and their tabs lead to is drawn.
  const drawn = paths.map((path) => `/console${path === '/' ? '' : path}`)
  expect([...linked].filter((href) => !drawn.includes(href))).toEqual([])
  expect(complaints).toEqual([])
})

async function draw(page: Page, words: readonly string[]): Promise<void> {
  await page.locator('h1').first().waitFor()
  await expect.poll(() => page.locator('.loading').count()).toBe(0)
  await page.waitForLoadState('networkidle')
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await untilSettled(page)
    await savePicture(page, [...words, 'desktop', colorScheme].join('-'))
  }
}

const tabsOf = (page: Page) =>
  page
    .locator('nav a[href^="/console"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.replace(/\/$/, '') ?? ''))

/** `/users/x8Ab/security`: users one security. */
const wordsOf = (path: string, ids: readonly unknown[]): string[] =>
  path === '/'
    ? ['start']
    : path
        .replace(/\?.*/, '')
        .split('/')
        .filter(Boolean)
        .map((word) => (ids.includes(word) ? 'one' : word.replace('~', '')))
