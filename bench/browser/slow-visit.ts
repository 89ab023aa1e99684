import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright'
import type { SavedBrowser } from './sign-in.ts'
import { openUnwatched, type UnwatchedPage } from './unwatched-page.ts'

/** Slow 4G as Lighthouse and DevTools define it. The latency is per request, not per packet. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const CPU_SLOWDOWN = 4
export const CONDITIONS = '150 ms, 1.6 Mbit/s down, 0.75 up, CPU 4x slower, cold cache'

const SCREEN = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false }

/**
 * The procedure of a measurement: `warmUps` visits that warm up the server and the browser, then `visits` measured
 * visits. A visit ends when the page has been idle for `quietMs`.
 */
export type Pace = { warmUps: number; visits: number; quietMs: number }

/** Lighthouse also waits until the page has been idle for five seconds. */
export const CAREFUL: Pace = { warmUps: 1, visits: 5, quietMs: 5000 }

const TIMEOUT_MS = 60_000

/** A task that takes longer than this is a long task. */
const LONG_TASK_MS = 50

/** Times in milliseconds since the navigation to the final document. */
export type SlowVisit = {
  /** The time before that navigation, spent on the documents that redirected to the final one. */
  before: number
  firstPaint: number
  /** The time at which the first frame with an editable field is painted. */
  field: number
  /** The time at which the last task that takes more than 50 ms ends. */
  quiet: number
  /** The duration of the longest task after the first paint, or 0 if none is longer than 50 ms. */
  longestTask: number
  /** The time by which the tasks after the first paint exceed 50 ms, in total. */
  blocking: number
  /** The time at which our script hydrated the page, or null for pages of other servers. */
  hydrated: number | null
  layoutShift: number
}

/** Visits a page once, in a browser that has never been there. */
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
    const startedAt = Date.now()
    await page.send('Page.navigate', { url: spot.url })
    const { paint, field, taskEnd, tasks, hydrated, shift } = await waitUntilQuiet(page, quietMs)
    const later = tasks.filter(({ start }) => start > paint).map(({ duration }) => duration)
    return {
      before: Number(await page.evaluate('performance.timeOrigin')) - startedAt,
      firstPaint: paint,
      field: field ? Math.max(paint, field) : Number.POSITIVE_INFINITY,
      quiet: Math.max(paint, taskEnd),
      longestTask: Math.max(0, ...later),
      blocking: later.reduce((sum, duration) => sum + duration - LONG_TASK_MS, 0),
      hydrated: hydrated || null,
      layoutShift: shift,
    }
  } finally {
    await page.close()
  }
}

type Observations = {
  paint: number
  field: number
  taskEnd: number
  tasks: { start: number; duration: number }[]
  hydrated: number
  shift: number
}
declare global {
  var watchedByBench: Observations & { quietFor(): number }
}

/** Runs in the page before the page's scripts, so it cannot refer to anything outside this function. */
function watch(): void {
  const watched = {
    paint: 0,
    field: 0,
    taskEnd: 0,
    hydrated: 0,
    shift: 0,
    tasks: [] as { start: number; duration: number }[],
    quietFor() {
      const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const last = Math.max(watched.taskEnd, ...loaded.map(({ responseEnd }) => responseEnd))
      return watched.paint && document.readyState === 'complete' ? performance.now() - last : 0
    },
  }
  globalThis.watchedByBench = watched
  const observe = (type: string, handle: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(handle)).observe({ type, buffered: true })

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

  const checkFields = (frame: number) => {
    const fields = document.querySelectorAll('input:enabled:not([type=hidden], [type=checkbox])')
    // An element that is visible when a frame begins is painted in that frame.
    if ([...fields].some((each) => each.checkVisibility())) watched.field = frame
    else requestAnimationFrame(checkFields)
  }
  requestAnimationFrame(checkFields)
}

/** Waits until the network and the main thread have been quiet for a while. */
async function waitUntilQuiet(page: UnwatchedPage, quietMs: number): Promise<Observations> {
  const deadline = Date.now() + TIMEOUT_MS
  while (Date.now() < deadline) {
    await sleep(250)
    const quiet = await page.evaluate('globalThis.watchedByBench?.quietFor() ?? 0')
    if (Number(quiet) > quietMs)
      return (await page.evaluate('({ ...watchedByBench, quietFor: 0 })')) as Observations
  }
  throw new Error('the page painted nothing, or did not come to rest')
}
