import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { desktopOptions, mobileOptions, openPage, pictureSweep, savePicture } from '../browser.ts'
import { axeViolations, overflowOf, untilSettled } from '../inspection.ts'
import { serveLogo } from './northwind.ts'

/**
 * Shows states of the end users' pages in eight views: on a desktop and a phone, in English and Arabic, and in both
 * themes. Every state is opened directly, without the pages that lead to it where possible.
 */

const sizes = { desktop: desktopOptions, mobile: mobileOptions }
const languages = ['en', 'ar'] as const
const themes = ['light', 'dark'] as const
export type View = { size: keyof typeof sizes; language: (typeof languages)[number] }

const views: readonly View[] = languages.flatMap((language) =>
  (['desktop', 'mobile'] as const).map((size) => ({ size, language })),
)

type Opening = (page: Page, view: View) => Promise<unknown>
/** A function that brings a page into the state, or that function with the views in which the state exists. */
export type State = Opening | { open: Opening; isIn: (view: View) => boolean }
export type States = Record<string, State>

/** States that exist only on a phone, or only in English. */
export const onPhones = (open: Opening): State => ({ open, isIn: ({ size }) => size === 'mobile' })
export const inEnglish = (open: Opening): State => ({ open, isIn: ({ language }) => language === 'en' })

let taken = 0
/** Returns all views in the exhaustive run, and otherwise one of them and one theme, in turn. */
function viewsOf(state: State): { view: View; colorSchemes: readonly (typeof themes)[number][] }[] {
  const possible = views.filter((view) => typeof state === 'function' || state.isIn(view))
  if (pictureSweep.isExhaustive) return possible.map((view) => ({ view, colorSchemes: themes }))
  // Start with Arabic on a phone, where problems are most likely.
  const view = possible.at(-1 - (taken % possible.length))
  return view ? [{ view, colorSchemes: [themes[taken++ % themes.length] ?? 'light'] }] : []
}

/**
 * Checks that states are accessible and fit the screen, and draws them. `npm test` inspects only the states named in
 * `chosen`, because other tests cover the remaining ones in another way.
 */
export function inspectStates(family: string, states: States, chosen: readonly string[] = []): void {
  const inspected = Object.entries(states).filter(
    ([name]) => pictureSweep.isExhaustive || chosen.includes(name),
  )
  const cases = inspected.flatMap(([name, state]) =>
    viewsOf(state).map(({ view, colorSchemes }) => ({
      name: `${family}-${name}`,
      view,
      colorSchemes,
      ...view,
      open: typeof state === 'function' ? state : state.open,
    })),
  )
  it.each(cases)('$name is accessible: $size, $language', async ({ name, open, view, colorSchemes }) => {
    const { page } = await openPage({ ...sizes[view.size], locale: view.language })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await serveLogo(page)
    await open(page, view)
    const problems: string[] = []
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme })
      await untilSettled(page)
      await savePicture(page, [name, view.language, view.size, colorScheme].join('-'))
      const violations = await axeViolations(page)
      problems.push(...violations.map((problem) => `${colorScheme}: ${problem}`))
    }
    expect(problems).toEqual([])
    expect(await overflowOf(page), 'nothing to scroll sideways').toBe(0)
  })
}
