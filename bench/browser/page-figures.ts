import type { BrowserContext } from 'playwright'
import type { BenchRow } from '../row.ts'
import type { Chromium } from './chromium.ts'
import type { SavedBrowser } from './sign-in.ts'
import { CONDITIONS, type Pace, type SlowVisit, visitSlowly } from './slow-visit.ts'
import { describeWeight, firstVisit, weightOf } from './weight.ts'

/** The goals for the first page (spec/budgets#first-response). */
const FIRST_PAINT_SECONDS = 0.55
const INTERACTIVE_SECONDS = 0.6
/** The maximum size of HTML that is painted without another request (spec/budgets#first-response). */
const HTML_BYTES = 14_000

/** Measures how fast a sign-in page appears and how large it is. Works for a page of any server. */
export async function pageFigures(
  chromium: Chromium,
  { name, url, pace }: { name: string; url: string; pace: Pace },
): Promise<BenchRow[]> {
  const worksWithoutScript = await hasPlainForm(chromium, url)
  const visits: SlowVisit[] = []
  for (let turn = 0; turn < pace.warmUps + pace.visits; turn++) {
    const spot = await inFreshContext(chromium, (context) => arriveAt(context, url))
    const visit = await visitSlowly(chromium.browser, spot, pace)
    if (turn >= pace.warmUps) visits.push(visit)
  }
  const median = (of: (visit: SlowVisit) => number) => middle(visits.map(of)) / 1000
  const hydrated = visits.map((visit) => visit.hydrated).filter((each) => each !== null)

  return [
    seconds(`${name}: first contentful paint (slow 4G: ${CONDITIONS}; median of ${pace.visits})`, {
      measured: median(({ firstPaint }) => firstPaint),
      goal: FIRST_PAINT_SECONDS,
    }),
    seconds(`${name}: interactive (${worksWithoutScript ? PLAIN_FORM : SCRIPTED_FORM})`, {
      measured: median(({ field, quiet }) => (worksWithoutScript ? field : Math.max(field, quiet))),
      goal: INTERACTIVE_SECONDS,
    }),
    seconds(`${name}: no task of more than 50 ms after`, { measured: median(({ quiet }) => quiet) }),
    plainRow(
      `${name}: longest task after first paint`,
      longestTask(median(({ longestTask }) => longestTask) * 1000),
    ),
    ...(hydrated.length > 0
      ? [seconds(`${name}: hydrated by its script`, { measured: middle(hydrated) / 1000 })]
      : []),
    countRow(`${name}: layout shift`, { measured: median(({ layoutShift }) => layoutShift) * 1000, goal: 0 }),
    ...(await weightFigures(chromium, { name, url })),
  ]
}

/** Measures how large a sign-in page is, and counts the requests of a first visit. */
export async function weightFigures(
  chromium: Chromium,
  { name, url }: { name: string; url: string },
): Promise<BenchRow[]> {
  const spot = await inFreshContext(chromium, (context) => arriveAt(context, url))
  const exchanges = await inFreshContext(chromium, (context) => firstVisit(context, spot.url), spot)
  return [
    countRow(`${name}: bytes of HTML, brotli`, {
      measured: weightOf(exchanges, 'Document'),
      goal: HTML_BYTES,
    }),
    plainRow(`${name}: first visit`, describeWeight(exchanges)),
  ]
}

const longestTask = (ms: number) => (ms > 0 ? `${ms.toFixed(0)} ms` : 'none above 50 ms')

const PLAIN_FORM = 'a form that needs no script is painted'
const SCRIPTED_FORM = 'a form is painted, and no task of more than 50 ms follows'

/**
 * Follows the redirects of a URL, which are not part of the measurement. Returns the final URL and the cookies at that
 * point.
 */
export async function arriveAt(context: BrowserContext, url: string): Promise<SavedBrowser> {
  const response = await context.request.get(url, { headers: { accept: 'text/html' } })
  if (!response.ok()) throw new Error(`${url} responded with ${response.status()}`)
  return { url: response.url(), state: await context.storageState() }
}

/**
 * Checks whether the form works with JavaScript turned off. If it does, it is interactive as soon as it is painted.
 */
async function hasPlainForm(chromium: Chromium, url: string): Promise<boolean> {
  const context = await chromium.fresh({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'load' })
    const form = page.locator('form[method=post i]').filter({ visible: true })
    const field = form.locator('input:enabled:not([type=hidden], [type=checkbox])').filter({ visible: true })
    const button = form.locator(':is(button:not([type=button], [type=reset]), input[type=submit]):enabled')
    return (await field.count()) > 0 && (await button.filter({ visible: true }).count()) > 0
  } finally {
    await context.close()
  }
}

/** Runs the function in a browser without a cache, with the cookies of a saved browser if one is passed. */
export async function inFreshContext<Result>(
  chromium: Chromium,
  work: (context: BrowserContext) => Promise<Result>,
  spot?: SavedBrowser,
): Promise<Result> {
  const context = await chromium.fresh(spot ? { storageState: spot.state } : {})
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

export function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export function seconds(what: string, { measured, goal }: { measured: number; goal?: number }): BenchRow {
  if (goal === undefined) return plainRow(what, `${measured.toFixed(2)} s`)
  return { what, measured: `${measured.toFixed(2)} s`, goal: `<= ${goal} s`, isMet: measured <= goal }
}

export function countRow(what: string, { measured, goal }: { measured: number; goal: number }): BenchRow {
  return { what, measured: String(measured), goal: goal === 0 ? '0' : `<= ${goal}`, isMet: measured <= goal }
}

export const plainRow = (what: string, measured: string): BenchRow => ({
  what,
  measured,
  goal: null,
  isMet: null,
})
