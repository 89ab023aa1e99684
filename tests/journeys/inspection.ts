import axe from 'axe-core'
import type { BrowserContext, Frame, Page } from 'playwright'
import { expect } from 'vitest'

/** What no page may do, whichever it is: say what nobody can read or hear, scroll sideways, move under the hand, ask strangers. */

/** Must be called before the first page of the context is opened. */
export async function watch(context: BrowserContext, ...allowed: string[]): Promise<{ others: string[] }> {
  const others: string[] = []
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && !allowed.includes(origin)) others.push(request.url())
  })
  await context.addInitScript(() => {
    const moved: string[] = []
    Reflect.set(window, 'moved', moved)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const sources: { node?: Element }[] = Reflect.get(entry, 'sources')
        moved.push(`${Reflect.get(entry, 'value')} ${sources.map(({ node }) => node?.className).join()}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return { others }
}

/** Since the page was loaded: what the server drew, and what the script made of it. */
export async function expectStill(page: Page): Promise<void> {
  // The script is here, and what it made of the page has been drawn.
  await page.locator('body:is(.light, .dark)').waitFor()
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))),
      ),
  )
  expect(await page.evaluate(() => Reflect.get(window, 'moved')), 'nothing moves').toEqual([])
}

/** What fades in is judged once it has; what turns never ends. */
export async function settled(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState === 'finished' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )
}

/** Empty is what one hopes for. */
export async function violations(page: Page | Frame): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const inspector: typeof axe = Reflect.get(window, 'axe')
    const { violations: found } = await inspector.run()
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
}

/** How far one could scroll sideways. */
export const overflow = (page: Page | Frame) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

export async function expectSound(page: Page | Frame): Promise<void> {
  expect(await overflow(page), 'nothing to scroll sideways').toBe(0)
  expect(await violations(page)).toEqual([])
}
