import axe from 'axe-core'
import type { BrowserContext, Frame, Page } from 'playwright'
import { expect } from 'vitest'

/** What holds on every page: axe finds nothing, nothing scrolls sideways, nothing moves, no other origin is asked. */

/** To call before the first page of the context is opened. */
export async function watchContext(
  context: BrowserContext,
  ...allowed: string[]
): Promise<{ others: string[] }> {
  const others: string[] = []
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && !allowed.includes(origin)) others.push(request.url())
  })
  await context.addInitScript(recordLayoutShifts)
  return { others }
}

/**
 * Runs in the page, so it names nothing outside itself. A page that arrives in two parts may be painted between them,
 * which moves its card (ADR-0046): the first frame of the whole page is not counted after a frame of a part.
 */
function recordLayoutShifts(): void {
  const shifts: { at: number; text: string }[] = []
  const record = (entries: readonly PerformanceEntry[]) => {
    for (const entry of entries) {
      const sources: { node?: Element }[] = Reflect.get(entry, 'sources')
      const text = `${Reflect.get(entry, 'value')} ${sources.map(({ node }) => node?.className).join()}`
      shifts.push({ at: entry.startTime, text })
    }
  }
  const observer = new PerformanceObserver((list) => record(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })

  let wasPartial = false
  let wholeSince = 0
  const eachFrame = () => {
    if (document.readyState === 'loading') {
      wasPartial = true
      requestAnimationFrame(eachFrame)
    } else if (wasPartial) {
      requestAnimationFrame(() => {
        wholeSince = performance.now()
      })
    }
  }
  requestAnimationFrame(eachFrame)

  Reflect.set(window, 'layoutShifts', () => {
    record(observer.takeRecords())
    return shifts.filter(({ at }) => at >= wholeSince).map(({ text }) => text)
  })
}

/** The frames that are due have been painted. */
export const untilPainted = (page: Page | Frame) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** The script has taken over what the server drew. */
export const untilHydrated = (page: Page) => page.locator('body:is(.light, .dark)').waitFor()

/** Since the page was loaded, hydration included. */
export async function expectStill(page: Page): Promise<void> {
  await untilHydrated(page)
  await untilPainted(page)
  expect(await page.evaluate(() => Reflect.get(window, 'layoutShifts')()), 'nothing moves').toEqual([])
}

/** Animations have ended, except those that never do. */
export async function untilSettled(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState === 'finished' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )
}

/** What axe finds, by rule, once animations have ended: half-transparent text has less contrast. Frames hold pages of other origins, or are inspected on their own. */
export async function axeViolations(page: Page | Frame): Promise<string[]> {
  await untilSettled(page)
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const inspector: typeof axe = Reflect.get(window, 'axe')
    const { violations: found } = await inspector.run({ resultTypes: ['violations'], iframes: false })
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
}

/** How far the page scrolls sideways. */
export const overflowOf = (page: Page | Frame) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * What is smaller than a fingertip. A label belongs to its checkbox, a box to its field; links inside a sentence are excepted
 * (WCAG 2.2 SC 2.5.8), and so is the operator's own content.
 */
export const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentNode?.childNodes ?? [])].some(
        ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
      )
    const targets = [...document.querySelectorAll('a[href], button, input, summary, [role=option]')].filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.closest('.vestibule-custom-content, [inert], [aria-hidden]') &&
        !(element.matches('a') && isInSentence(element)),
    )
    return targets.flatMap((element) => {
      const box = element.closest('label, .field-box:has(> .field-input)')
      const isPart = element.matches('input') && box !== null
      const { width, height } = (isPart ? box : element).getBoundingClientRect()
      // Half a pixel of rounding.
      return Math.min(width, height) < 43.5
        ? [`${width} x ${height}: ${element.outerHTML.slice(0, 200)}`]
        : []
    })
  })

/** Texts that are wider than the element that cuts them, but for those that only screen readers get. */
export const cutTexts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :is(h1, h2, label, legend, p, a, button), footer :is(a, summary)')]
      .filter((element) => element.checkVisibility())
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .filter((element) => getComputedStyle(element).overflowX !== 'visible')
      .map(({ textContent }) => textContent),
  )

/** The pieces of text that users see or hear. */
export const shownTexts = (page: Page) =>
  page.evaluate(() => {
    const texts: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
          texts.push(node.getAttribute(name) ?? '')
      } else if (!node.parentElement?.closest('script, style')) texts.push(node.textContent ?? '')
    }
    return texts.map((text) => text.trim()).filter((text) => text !== '')
  })

export async function expectSound(page: Page | Frame): Promise<void> {
  expect(await overflowOf(page), 'nothing to scroll sideways').toBe(0)
  expect(await axeViolations(page)).toEqual([])
}
