import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { peerRows, browserRows } from '../../bench/browser/index.ts'
import type { Row } from '../../bench/row.ts'

/** The bench's figures of pages in a browser. Times are never asserted, only which is which and what is counted. */

const ONCE = { visits: 1, quietMs: 500 }
/** A median, as the bench tells it: a paint that falls between two pieces of a page is one visit's own (decision record 0046). */
const THRICE = { visits: 3, quietMs: 500 }
/** A dozen browsers one after another, two of them slowed down. */
const PATIENCE_MS = 180_000

const FILLER = `<p>${'Words that compress well. '.repeat(400)}</p>`
const PLAIN = '<form method="post"><input name="name"><button>Sign in</button></form>'
/** Draws its form late, and then is busy for longer than a visitor would like. */
const SCRIPTED = `<script>
  setTimeout(() => {
    document.body.insertAdjacentHTML('beforeend', '<form method="post"><input name="name"><button>Sign in</button></form>')
    requestAnimationFrame(() => setTimeout(() => {
      const end = performance.now() + 300
      while (performance.now() < end);
    }))
  }, 400)
</script>`
const pages: Record<string, string> = { '/plain': PLAIN, '/scripted': SCRIPTED }

let site: Server
let origin: string
beforeAll(async () => {
  site = createServer(({ url = '/' }, response) => {
    if (url === '/start') return response.writeHead(303, { location: '/plain' }).end()
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><title>Site</title>${FILLER}${pages[url] ?? ''}`,
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(() => {
  site.closeAllConnections()
  site.close()
})

function measured(rows: readonly Row[], about: string): string {
  const row = rows.find(({ what }) => what.includes(about))
  if (!row) throw new Error(`no row about ${about} among ${rows.map(({ what }) => what).join(', ')}`)
  return row.measured
}
const seconds = (rows: readonly Row[], about: string) => Number.parseFloat(measured(rows, about))

describe('the page of another server', () => {
  it('is usable when its form is painted, if that needs no script', async () => {
    const rows = await peerRows(`${origin}/start`, ONCE)
    expect(seconds(rows, 'first contentful paint')).toBeGreaterThan(0.1)
    expect(measured(rows, 'a form that needs no script')).toBe(measured(rows, 'first contentful paint'))
    expect(measured(rows, 'first visit')).toMatch(/^1 request: HTML/)
    // What the site sends is ten thousand bytes long.
    expect(Number(measured(rows, 'bytes of HTML'))).toBeLessThan(1000)
    expect(rows.every(({ goal, isMet }) => (goal === null) === (isMet === null))).toBe(true)
  })

  it('is usable when its script has drawn a form and come to rest', async () => {
    const rows = await peerRows(`${origin}/scripted`, ONCE)
    const paint = seconds(rows, 'first contentful paint')
    expect(seconds(rows, 'interactive')).toBeGreaterThan(paint + 0.5)
    expect(measured(rows, 'interactive')).toBe(measured(rows, 'no task of more than 50 ms'))
  })
})

it('our own pages keep to what can be counted', { timeout: PATIENCE_MS }, async () => {
  const rows = await browserRows({ origin: inject('origin') }, THRICE)
  expect(measured(rows, 'from password to code, with JavaScript')).toBe('3')
  expect(measured(rows, 'from password to code, without')).toBe('2')
  expect(measured(rows, 'layout shift')).toBe('0')
  expect(seconds(rows, 'taken over by its script')).toBeGreaterThan(seconds(rows, 'first contentful paint'))
  expect(Number(measured(rows, 'bytes of HTML'))).toBeLessThanOrEqual(14_000)
  expect(measured(rows, 'the same without JavaScript, cold')).toMatch(/^7 requests, 2 of them for files/)
  // Beside the page: five modules, the logo and the icon; then what the next pages share, ahead of them.
  expect(measured(rows, '/sign-in: first visit')).toMatch(/^8 requests: .*; by script: 4 requests: /)
})
