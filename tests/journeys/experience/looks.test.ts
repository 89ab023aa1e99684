import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { looks } from '../../../docs/design/looks.ts'
import { pairsOf, spread } from '../../kit/sweep.ts'
import { browserSweep, desktopOptions, mobileOptions, openPage, savePicture } from '../browser.ts'
import { expectSound, overflowOf, untilSettled, watchContext } from '../inspection.ts'
import { openLook, serveArt } from './looks-tenant.ts'

/**
 * Tests that the themes in the gallery of docs/guides/theming.md use only settings, that every text is
 * readable, and that nothing overflows.
 */

const sizes = { desktop: desktopOptions, mobile: mobileOptions }
/** `npm test` draws four of the themes. */
const themes = browserSweep.isExhaustive ? Object.entries(looks) : spread(Object.entries(looks), 4)
const pairs = pairsOf(
  browserSweep,
  themes.map(([name]) => name),
  ['desktop', 'mobile'] as const,
)

describe.each(themes)('the gallery theme %s', async (name, look) => {
  const { openApplication, origin } = await openLook(look)
  const { authorizationUrl } = await openApplication()
  const { isDarkModeEnabled } = look.experience.color

  const drawn = pairs.flatMap(([each, size]) => (each === name ? [size] : []))
  it.each(drawn)('is accessible on a %s screen, and loads its logo and images', async (size) => {
    const { page, context, complaints } = await openPage(sizes[size])
    const { others } = await watchContext(context, origin)
    await serveArt(context)
    await page.goto((await authorizationUrl()).url)
    const both = ['light', 'dark'] as const
    const inNpmTest = both[pairs.findIndex((pair) => pair[0] === name) % 2] ?? 'light'
    const schemes = !isDarkModeEnabled ? both.slice(0, 1) : browserSweep.isExhaustive ? both : [inNpmTest]
    const paths = browserSweep.isExhaustive ? ['sign-in', 'register'] : ['sign-in']
    for (const at of paths) {
      await page.goto(page.url().replace(/(?<=\/\/[^/]*\/)[^?]*/, at))
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        await untilSettled(page)
        await savePicture(page, `look-${name}-${at}-${colorScheme}-${size}`)
        await expectSound(page)
      }
    }
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await overflowOf(page), '320 px wide').toBe(0)
    // In a narrow window, the picture beside the form is not requested.
    await page.setViewportSize(desktopOptions.viewport)
    const { experience } = look
    const expected = 'layout' in experience && experience.layout.type === 'Split' ? 2 : 1
    await expect.poll(() => picturesOf(page)).toBe(expected)
    expect(complaints).toEqual([])
    expect(others.filter((url) => !url.startsWith('https://cdn.example.com/art/'))).toEqual([])
  })
})

/** Returns the number of pictures on the page that have loaded. */
const picturesOf = (page: Page) =>
  page
    .locator('picture img')
    .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length)

it('every file in the gallery belongs to a theme', () => {
  const settings = JSON.stringify(looks)
  const art = readdirSync('docs/design/art')
  expect(art.filter((file) => !settings.includes(`/art/${file}`))).toEqual([])
  const drawn = readdirSync('docs/design/looks')
  expect(drawn.sort()).toEqual(
    Object.keys(looks)
      .map((name) => `${name}.webp`)
      .sort(),
  )
  for (const [, file] of settings.matchAll(/\/art\/([\w.-]+)/g))
    expect(existsSync(path.join('docs/design/art', file ?? '')), file).toBe(true)
})
