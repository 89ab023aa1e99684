import type { Page } from 'playwright'
import { expect, inject, it } from 'vitest'
import { savePicture } from '../journeys/browser.ts'
import { openConsole } from '../journeys/console/console.ts'
import { consolePaths, fillTenant } from '../journeys/console/console-pages.ts'
import { untilSettled } from '../journeys/inspection.ts'
import { openTenant, tenantAt } from '../journeys/tenant.ts'

/** Every page of the console in both themes, in English and German, for `npm run screens`. */

const languages = ['en', 'de'] as const
const themes = ['light', 'dark'] as const

it('the console', { timeout: 600_000 }, async () => {
  const tenant = await openTenant()
  const { page, complaints } = await openConsole(tenant)
  const ids = await fillTenant(tenant)
  const paths = consolePaths(ids)
  const linked = new Set<string>()
  for (const language of languages) {
    await page.evaluate((chosen) => localStorage.setItem('console-language', chosen), language)
    for (const path of paths) {
      await page.goto(`${tenant.origin}/console${path === '/' ? '' : path}`)
      await draw(page, ['console', ...wordsOf(path, Object.values(ids)), language])
      for (const href of await tabsOf(page)) linked.add(href)
    }
  }
  // Check that every page to which the areas and their tabs link is drawn.
  const drawn = paths.map((path) => `/console${path === '/' ? '' : path}`)
  expect([...linked].filter((href) => !drawn.includes(href))).toEqual([])
  expect(complaints).toEqual([])
})

/** These pages belong to the operators' tenant. */
it('the tenants', { timeout: 60_000 }, async () => {
  const { page, complaints } = await openConsole(await tenantAt(inject('origin')), { path: '/tenants' })
  for (const language of languages) {
    await page.evaluate((chosen) => localStorage.setItem('console-language', chosen), language)
    await page.reload()
    await draw(page, ['console', 'tenants', language])
  }
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

/** Returns the words for a file name: for `/users/x8Ab/security`, "users", "one" and "security". */
const wordsOf = (path: string, ids: readonly unknown[]): string[] =>
  path === '/'
    ? ['start']
    : path
        .replace(/\?.*/, '')
        .split('/')
        .filter(Boolean)
        .map((word) => (ids.includes(word) ? 'one' : word.replace('~', '')))
