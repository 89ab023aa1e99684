import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright'
import { expect } from 'vitest'
import { hasScript } from './browser.ts'
import { unwatchedSession } from './reused-browsers.ts'

/**
 * Checks that apply to every page: axe reports nothing, the page does not scroll sideways, nothing moves, and
 * no other origin is contacted.
 */

/** Watches all pages of a browser context. Call this before the first page is opened. */
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
 * Records what moves, except that a message about what the user sent may push the rest of the form (spec/pages#layout),
 * and that a right-to-left field becomes narrower while it has a button that clears it.
 * This function runs in the page, so it must not refer to anything outside itself. A page that arrives in two
 * parts may be painted before the second part, which moves its card (ADR-0046). The first frame with the
 * whole page is therefore not checked if it follows a frame with only a part.
 */
function recordLayoutShifts(): void {
  const shifts: { at: number; text: string }[] = []
  let hasInput = false
  let hadMessage = false
  for (const type of ['keydown', 'pointerdown', 'input']) {
    addEventListener(type, () => {
      hasInput = true
    })
  }
  const record = (entries: readonly PerformanceEntry[]) => {
    for (const entry of entries) {
      const hasMessage =
        hasInput && document.querySelector('.banner > *, .field-problem:not(:empty)') !== null
      const isPushed = hasMessage || hadMessage
      hadMessage = hasMessage
      if (isPushed) continue
      const sources: { node?: Element }[] = Reflect.get(entry, 'sources')
      const isNarrowed = sources.every(({ node }) => node?.className === 'field-input')
      if (isNarrowed && hasInput) continue
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

/** Waits until the pending frames have been painted. */
export const untilPainted = (page: Page | Frame) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Returns everything that has moved since the page was loaded, including during hydration. */
export async function layoutShifts(page: Page): Promise<string[]> {
  await untilHydrated(page)
  await untilPainted(page)
  return page.evaluate(() => Reflect.get(window, 'layoutShifts')())
}

export async function expectStill(page: Page): Promise<void> {
  expect(await layoutShifts(page), 'nothing moves').toEqual([])
}

/**
 * Polls from the test's process, because `page.waitForFunction` waits for animation frames in the page, which
 * never come without JavaScript.
 */
export const untilTrue = (page: Page | Frame, holds: () => boolean) =>
  expect.poll(() => page.evaluate(holds)).toBe(true)

/**
 * Waits until React handles the events of the server-rendered elements, if the page is one of ours and has a script.
 * Before that, a click loads the next page, and typed text is kept but triggers nothing (spec/pages#code-boxes).
 * Without waiting, the outcome of a test would depend on timing.
 */
export const untilHydrated = async (page: Page) => {
  if (hasScript(page)) await untilTrue(page, isHydrated)
}

/** This function runs in the page. */
function isHydrated(): boolean {
  const container = document.getElementById('app')
  const key = Object.keys(container ?? {}).find((name) => name.startsWith('__reactContainer$'))
  const root = key && Reflect.get(container ?? {}, key)
  if (root) return root.stateNode.current.memoizedState.isDehydrated === false
  return document.readyState === 'complete' && document.getElementById('boot') === null
}

/** Waits until all animations, except for infinite ones, have ended. */
export const untilSettled = (page: Page | Frame) =>
  untilTrue(page, () =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState === 'finished' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )

/**
 * The minified source is half the size of the package's main file. Passing the source to the page takes most
 * of the time of a check.
 */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Loads axe through Chromium's DevTools protocol. `page.evaluate` would take 50% longer, because it passes
 * the source as an argument that the page compiles with `eval`.
 */
async function loadAxe(page: Page | Frame): Promise<void> {
  if (!('context' in page)) return page.evaluate(axeSource)
  const session = sessions.get(page) ?? (await unwatchedSession(page))
  sessions.set(page, session)
  await session.send('Runtime.evaluate', { expression: axeSource })
}

const sessions = new WeakMap<Page, CDPSession>()

/**
 * Returns the problems that axe finds, by rule. Waits for animations to end, because half-transparent text
 * has less contrast. Frames are skipped, because they contain pages of other origins or are inspected
 * separately. Style sheets are not reloaded, because only an experimental rule reads them.
 */
export async function axeViolations(page: Page | Frame): Promise<string[]> {
  await untilSettled(page)
  if (!(await page.evaluate(() => Reflect.has(window, 'axe')))) await loadAxe(page)
  return page.evaluate(async () => {
    const inspector: typeof axe = Reflect.get(window, 'axe')
    const { violations } = await inspector.run({
      resultTypes: ['violations'],
      iframes: false,
      preload: false,
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
}

/** Returns the distance in pixels by which the page scrolls sideways. */
export const overflowOf = (page: Page | Frame) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Returns the touch targets that are smaller than a fingertip. A label belongs to the target of its checkbox,
 * and a code box to that of its field. Links inside a sentence (WCAG 2.2 SC 2.5.8) and the operator's custom
 * content are exempt.
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
      // Half a pixel is allowed for rounding.
      return Math.min(width, height) < 43.5
        ? [`${width} x ${height}: ${element.outerHTML.slice(0, 200)}`]
        : []
    })
  })

export async function expectSound(page: Page | Frame): Promise<void> {
  expect(await overflowOf(page), 'nothing to scroll sideways').toBe(0)
  expect(await axeViolations(page)).toEqual([])
}

/**
 * Checks a page of the account centre: it does not scroll sideways, no touch target is too small, axe finds
 * nothing, and the printed page contains the text but not the controls (spec/account-centre#pages).
 */
export async function expectWhole(page: Page): Promise<void> {
  await expectSound(page)
  expect(await smallTargets(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  expect(await overflowOf(page), 'nothing is cut off on paper').toBe(0)
  const pressed = page.locator(
    '.account nav, .account button, .account-action, .account-skip, .account .footer',
  )
  expect(await pressed.filter({ visible: true }).count(), 'nothing to press on paper').toBe(0)
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  await page.emulateMedia({ media: null })
}

/** Custom CSS with which operators hide parts of the footer. One variant is empty. */
export const footerStyles = ['', '.vestibule-signature{display:none}', '.languages{display:none}']

/**
 * Applies custom CSS in place of CSS that was applied before. surroundings.test.ts tests CSS that the server
 * sends with the page.
 */
export const addStyles = (page: Page, css: string) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [sheet]
  }, css)

/** Returns the position of an element in the window, in CSS pixels. */
export const boxOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, left, right, width, height } = element.getBoundingClientRect()
      return { top, width, height, centre: (left + right) / 2 }
    })
