import type { BenchRow } from '../row.ts'
import { withChromium } from './chromium.ts'
import { middle, plainRow, seconds } from './page-figures.ts'
import { newAuthorization } from './sign-in.ts'
import { CAREFUL, CONDITIONS, type SlowVisit, visitSlowly } from './slow-visit.ts'

/** The goals for a sign-in page, measured from the authorization request (spec/budgets#taking-over). */
const PAINT_RATIO = 0.95
const BLOCKING_MS = 100
const READY_SECONDS = 1.1

/** The figures of one page: medians, in milliseconds since the authorization request. */
type Arrival = { name: string; paint: number; blocking: number; ready: number }

/**
 * Measures how long a user waits for the sign-in page from the authorization request, in a browser that has never been
 * there. With `against`, a URL that leads to the sign-in page of another server, visits to the two alternate.
 */
export async function arrivalRows(
  { origin }: { origin: string },
  against: string | null = null,
  pace = CAREFUL,
): Promise<BenchRow[]> {
  const targets = [
    { name: '/oidc/auth', url: () => newAuthorization(origin).url },
    ...(against === null ? [] : [{ name: new URL(against).host, url: () => against }]),
  ]
  const visits = targets.map((): SlowVisit[] => [])
  await withChromium(async ({ browser }) => {
    for (let turn = 0; turn < pace.warmUps + pace.visits; turn++)
      for (const [index, { url }] of targets.entries()) {
        const visit = await visitSlowly(browser, { url: url(), state: { cookies: [], origins: [] } }, pace)
        if (turn >= pace.warmUps) visits[index]?.push(visit)
      }
  })
  const [ours, theirs] = targets.map(({ name }, index) => summarise(name, visits[index] ?? []))
  if (!ours) return []
  const condition = `from the authorization request (slow 4G: ${CONDITIONS}; median of ${pace.visits})`
  return [
    seconds(`${ours.name}: first contentful paint, ${condition}`, { measured: ours.paint / 1000 }),
    blockingRow(ours, BLOCKING_MS),
    seconds(`${ours.name}: hydrated by its script`, {
      measured: ours.ready / 1000,
      goal: READY_SECONDS,
    }),
    ...(theirs ? comparisonRows(ours, theirs) : []),
  ]
}

function summarise(name: string, visits: readonly SlowVisit[]): Arrival {
  const median = (of: (visit: SlowVisit) => number) => middle(visits.map(of))
  return {
    name,
    paint: median(({ before, firstPaint }) => before + firstPaint),
    blocking: median(({ blocking }) => blocking),
    // We can't see when another server's page is hydrated, only when its field is painted and its long tasks have
    // ended.
    ready: median(({ before, hydrated, field, quiet }) => before + (hydrated ?? Math.max(field, quiet))),
  }
}

const comparisonRows = (ours: Arrival, theirs: Arrival): BenchRow[] => [
  seconds(`${theirs.name}: first contentful paint, in turns with ours`, { measured: theirs.paint / 1000 }),
  blockingRow(theirs),
  seconds(`${theirs.name}: a field is painted, and no task of more than 50 ms follows`, {
    measured: theirs.ready / 1000,
  }),
  ratioRow('first contentful paint relative to the other page', ours.paint / theirs.paint, PAINT_RATIO),
  ratioRow('time until it is hydrated, relative to the other page', ours.ready / theirs.ready),
]

function blockingRow({ name, blocking }: Arrival, goal?: number): BenchRow {
  const what = `${name}: blocking time after first paint`
  const measured = `${blocking.toFixed(0)} ms`
  if (goal === undefined) return plainRow(what, measured)
  return { what, measured, goal: `<= ${goal} ms`, isMet: blocking <= goal }
}

function ratioRow(what: string, ratio: number, goal?: number): BenchRow {
  const measured = ratio.toFixed(2)
  return goal === undefined
    ? plainRow(what, measured)
    : { what, measured, goal: `<= ${goal}`, isMet: ratio <= goal }
}
