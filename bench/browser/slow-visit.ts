import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright'
import type { SavedBrowser } from './sign-in.ts'
import { openUnwatched, type UnwatchedPage } from './unwatched-page.ts'

/** Slow 4G as Lighthouse and DevTools define it; the latency is per request, not per packet. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const CPU_SLOWDOWN = 4
export const CONDITIONS = '150 ms, 1.6 Mbit/s down, 0.75 up, CPU 4x slower, cold cache'

const SCREEN = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false }

/** A page is visited `visits` times, after `warmUps` that only warm server and browser. A visit ends when the page was quiet for `quietMs`. */
export type Pace = { warmUps: number; visits: number; quietMs: number }

/** Lighthouse, too, waits five seconds without work. */
export const CAREFUL: Pace = { warmUps: 1, visits: 5, quietMs: 5000 }

const TIMEOUT_MS = 60_000

/** Milliseconds since the navigation began to the document that the page comes to rest at. */
export type SlowVisit = {
  /** Until then, by documents that have led on to this one. */
  before: number
  firstPaint: number
  /** A frame with a field that can be typed into. */
  field: number
  /** The last task of more than 50 ms has ended. */
  quiet: number
  /** The longest task after the first paint, in milliseconds; 0 where none is longer than 50 ms. */
  longestTask: number
  /** Our script has hydrated the page; null on pages of other servers. */
  hydrated: number | null
  layoutShift: number
}

/** One visit, in a browser that has never been there. */
export async function visitSlowly(
  browser: Browser,
  spot: SavedBrowser,
  { quietMs }: Pace,
): Promise<SlowVisit> {
  const page = await openUnwatched(browser, spot)
  try {
    await page.send('Emulation.setDeviceMetricsOverride', SCREEN)
    await page.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.send('Network.enable')
    await page.send('Network.emulateNetworkConditions', SLOW_4G)
    await page.send('Page.enable')
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch})()` })
    const begun = Date.now()
    await page.send('Page.navigate', { url: spot.url })
    const { paint, field, taskEnd, tasks, hydrated, shift } = await untilQuiet(page, quietMs)
    return {
      before: Number(await page.evaluate('performance.timeOrigin')) - begun,
      firstPaint: paint,
      field: field ? Math.max(paint, field) : Number.POSITIVE_INFINITY,
      quiet: Math.max(paint, taskEnd),
      longestTask: Math.max(0, ...tasks.filter(({ start }) => start > paint).map(({ duration }) => duration)),
      hydrated: hydrated || null,
      layoutShift: shift,
    }
  } finally {
    await page.close()
  }
}

type Watched = {
  paint: number
  field: number
  taskEnd: number
  tasks: { start: number; duration: number }[]
  hydrated: number
  shift: number
}
declare global {
  var watchedByBench: Watched & { quietFor(): number }
}

/** Runs in the page before its scripts, so it refers to nothing outside of this function. */
function watch(): void {
  const watched = {
    ...{ paint: 0, field: 0, taskEnd: 0, hydrated: 0, shift: 0 },
    tasks: [] as { start: number; duration: number }[],
    quietFor() {
      const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const last = Math.max(watched.taskEnd, ...loaded.map(({ responseEnd }) => responseEnd))
      return watched.paint && document.readyState === 'complete' ? performance.now() - last : 0
    },
  }
  globalThis.watchedByBench = watched
  const observe = (type: string, see: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true })

  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') watched.paint = startTime
  })
  observe('longtask', ({ startTime, duration }) => {
    watched.taskEnd = Math.max(watched.taskEnd, startTime + duration)
    watched.tasks.push({ start: startTime, duration })
  })
  observe('layout-shift', (entry) => {
    watched.shift += (entry as PerformanceEntry & { value: number }).value
  })
  // A hydrated form has `novalidate`, because the script validates it (`client/forms/journey-form.tsx`).
  new MutationObserver(() => {
    watched.hydrated ||= performance.now()
  }).observe(document, { subtree: true, attributeFilter: ['novalidate'] })

  const look = (frame: number) => {
    const fields = document.querySelectorAll('input:enabled:not([type=hidden], [type=checkbox])')
    // An element that is visible in this frame is painted with it.
    if ([...fields].some((each) => each.checkVisibility())) watched.field = frame
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Waits until network and main thread have been quiet for a while. */
async function untilQuiet(page: UnwatchedPage, quietMs: number): Promise<Watched> {
  const deadline = Date.now() + TIMEOUT_MS
  while (Date.now() < deadline) {
    await sleep(250)
    const quiet = await page.evaluate('globalThis.watchedByBench?.quietFor() ?? 0')
    if (Number(quiet) > quietMs)
      return (await page.evaluate('({ ...watchedByBench, quietFor: 0 })')) as Watched
  }
  throw new Error('the page paints nothing, or does not come to rest')
}
