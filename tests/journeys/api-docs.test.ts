import { expect, inject, it } from 'vitest'
import { browserSweep, mobileOptions, openPage, savePicture } from './browser.ts'
import { axeViolations } from './inspection.ts'
import { bearerToken } from './management.ts'

const origin = inject('origin')

type Document = { paths: Record<string, object> }

/**
 * Reduces the document to a few calls for `npm test`, because all calls are alike and take seconds to render and to
 * inspect.
 */
const withUsersOnly = ({ paths, ...rest }: Document): Document => ({
  ...rest,
  paths: Object.fromEntries(
    Object.entries(paths).filter(([path]) => /^\/api\/users(?:\/\{\w+\})?$/.test(path)),
  ),
})

it('the API reference lists the calls, makes them, and is accessible in both themes', async () => {
  const { page, complaints } = await openPage({ colorScheme: 'dark' })
  const hasTheme = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme })
    await expect
      .poll(() => page.locator('html').evaluate((html) => html.classList.contains('dark-mode')))
      .toBe(colorScheme === 'dark')
  }
  // Checking the accessibility of the whole list takes seconds, so `npm test` checks it once per theme.
  const inspect = async (inNpmTest: 'light' | 'dark') => {
    for (const theme of browserSweep.isExhaustive ? (['dark', 'light'] as const) : [inNpmTest]) {
      await hasTheme(theme)
      expect(await axeViolations(page)).toEqual([])
    }
  }
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))

  if (!browserSweep.isExhaustive)
    await page.route('**/api/openapi.json', async (route) => {
      const document: Document = await (await route.fetch()).json()
      await route.fulfill({ json: withUsersOnly(document) })
    })
  await page.goto(`${origin}/api/docs`)
  await page.getByRole('heading', { name: 'Vestibule' }).waitFor()
  await hasTheme('dark')
  await page.locator('#operations-tag-Users button').click()
  await page.getByRole('button', { name: 'get /api/users', exact: true }).click()
  await page.getByText('Total-Number').first().waitFor()
  await savePicture(page, 'api-docs')

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.getByRole('heading', { name: 'Available authorizations' }).waitFor()
  await inspect('dark')
  const management = page.locator('form').filter({ hasText: 'management (http, Bearer)' })
  await management.getByRole('textbox').fill(await bearerToken(origin))
  await management.getByRole('button', { name: 'Authorize' }).click()
  await management.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).waitFor()
  await inspect('light')
  const answered = page.waitForResponse((response) => response.url().includes('/api/users'))
  await page.getByRole('button', { name: 'Execute' }).click()
  expect((await answered).status()).toBe(200)
  await page.getByText('Response body').first().waitFor()

  expect(complaints).toEqual([])
  expect([...hosts]).toEqual([new URL(origin).host])
})

it('without JavaScript, the API reference links to the OpenAPI document', async () => {
  const { page, complaints } = await openPage({ ...mobileOptions, javaScriptEnabled: false })
  await page.goto(`${origin}/api/docs`)
  await page.getByRole('link', { name: '/api/openapi.json' }).click()
  await page.waitForURL('**/api/openapi.json')
  expect(complaints).toEqual([])
})
