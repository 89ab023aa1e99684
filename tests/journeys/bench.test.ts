import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { arrivalRows } from '../../bench/browser/arrival.ts'
import { browserRows, countedRows, peerRows } from '../../bench/browser/index.ts'
import { openLocalServer } from '../../bench/local-server.ts'
import type { BenchRow } from '../../bench/row.ts'
import { sweepOfProcess } from '../kit/sweep.ts'

/**
 * Tests the page measurements of the benchmark. The benchmark's edge compresses only responses over plain http. The
 * tests check counts and the order of events, but no durations.
 */

const ONCE = { warmUps: 0, visits: 1, quietMs: 500 }
/** On a busy machine, hydration may pause for more than half a second. */
const PATIENTLY = { warmUps: 0, visits: 1, quietMs: 2000 }
/** The time limit allows for a dozen browsers one after another, two of them slowed down. */
const TIMEOUT_MS = 180_000

/** The headless shell of Chromium does not fetch icons. */
const icons = process.env.CHROMIUM_PATH?.includes('headless') ? 0 : 1

const FILLER = `<p>${'Words that compress well. '.repeat(400)}</p>`
const PLAIN = '<form method="post"><input name="name"><button>Sign in</button></form>'
/** A page that renders its form late and then runs a long task. */
const SCRIPTED = `<script>
  setTimeout(() => {
    document.body.insertAdjacentHTML('beforeend', '<form method="post"><input name="name"><button>Sign in</button></form>')
    requestAnimationFrame(() => setTimeout(() => {
      const end = performance.now() + 300
      while (performance.now() < end);
    }))
  }, 1000)
</script>`
const pages: Record<string, string> = { '/plain': PLAIN, '/scripted': SCRIPTED }

let site: Server
let origin: string
beforeAll(async () => {
  site = createServer(({ url = '/' }, response) => {
    if (url === '/start') return response.writeHead(303, { location: '/plain' }).end()
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><title>Site</title>${pages[url] ?? ''}${FILLER}`,
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(() => {
  site.closeAllConnections()
  site.close()
})

function measured(rows: readonly BenchRow[], about: string): string {
  const row = rows.find(({ what }) => what.includes(about))
  if (!row) throw new Error(`no row about ${about} among ${rows.map(({ what }) => what).join(', ')}`)
  return row.measured
}
const seconds = (rows: readonly BenchRow[], about: string) => Number.parseFloat(measured(rows, about))

// The test below measures our page in the same way.
it.runIf(sweepOfProcess().isExhaustive)(
  'compares the arrival at our page with that at another one',
  { timeout: TIMEOUT_MS },
  async () => {
    const server = await openLocalServer()
    onTestFinished(() => server.close())
    const rows = await arrivalRows(server, `${origin}/scripted`, PATIENTLY)
    const host = new URL(origin).host
    expect(seconds(rows, '/oidc/auth: hydrated')).toBeGreaterThan(
      seconds(rows, '/oidc/auth: first contentful'),
    )
    expect(Number.parseFloat(measured(rows, `${host}: blocking time`))).toBeGreaterThan(200)
    expect(seconds(rows, `${host}: a field is painted`)).toBeGreaterThan(1)
    expect(Number(measured(rows, 'first contentful paint relative'))).toBeGreaterThan(0)
  },
)

// These tests check the measurement itself in slowed-down browsers.
describe.runIf(sweepOfProcess().isExhaustive)("the benchmark for another server's page", () => {
  it('considers a page without scripts usable once its form is painted', async () => {
    const rows = await peerRows(`${origin}/start`, ONCE)
    expect(seconds(rows, 'first contentful paint')).toBeGreaterThan(0.1)
    const usable = seconds(rows, 'a form that needs no script')
    expect(usable).toBeGreaterThanOrEqual(seconds(rows, 'first contentful paint'))
    expect(measured(rows, 'first visit')).toMatch(/^1 request: HTML/)
    // The uncompressed page has ten thousand bytes.
    expect(Number(measured(rows, 'bytes of HTML'))).toBeLessThan(1000)
    expect(rows.every(({ goal, isMet }) => (goal === null) === (isMet === null))).toBe(true)
  })

  it('considers a page with scripts usable once its form is rendered and no long task remains', async () => {
    const rows = await peerRows(`${origin}/scripted`, ONCE)
    const paint = seconds(rows, 'first contentful paint')
    expect(seconds(rows, 'interactive')).toBeGreaterThan(paint + 0.5)
    expect(measured(rows, 'interactive')).toBe(measured(rows, 'no task of more than 50 ms'))
  })
})

it('the sign-in pages make only the expected number of requests', { timeout: TIMEOUT_MS }, async () => {
  const server = await openLocalServer()
  onTestFinished(() => server.close())
  const { isExhaustive } = sweepOfProcess()
  const rows = await (isExhaustive ? browserRows(server, PATIENTLY) : countedRows(server))
  expect(measured(rows, 'from password to code, with JavaScript')).toBe('2')
  expect(measured(rows, 'from password to code, without')).toBe('1')
  if (isExhaustive)
    expect(seconds(rows, 'hydrated by its script')).toBeGreaterThan(seconds(rows, 'first contentful paint'))
  expect(Number(measured(rows, 'bytes of HTML'))).toBeLessThanOrEqual(14_000)
  // The requests are one for the page, two calls, the logo and the icon.
  const [all, files] = [4 + icons, 1 + icons]
  expect(measured(rows, 'the same without JavaScript, cold')).toMatch(
    new RegExp(`^${all} requests, ${files} of them for files`),
  )
  // Besides the page, the first visit requests three modules and either the logo or the icon. It then
  // preloads five scripts and three style sheets, which the next pages share.
  expect(measured(rows, '/sign-in: first visit')).toMatch(
    new RegExp(`^${5 + icons} requests: .*; by script: 8 requests: `),
  )
})
