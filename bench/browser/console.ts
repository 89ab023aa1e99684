import { randomBytes } from 'node:crypto'
import type { BrowserContext } from 'playwright'
import { MANAGEMENT_CLIENT_ID, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../src/contract/product.ts'
import { CONSOLE_BYTES, consoleBytes } from '../console-bytes.ts'
import type { LocalServer } from '../local-server.ts'
import type { BenchRow } from '../row.ts'
import { withChromium } from './chromium.ts'
import { inFreshContext, middle, plainRow, seconds } from './page-figures.ts'
import { previewLatency } from './preview-latency.ts'
import { CAREFUL, CONDITIONS, visitSlowly } from './slow-visit.ts'
import { kilobytes } from './traffic.ts'

/** The goals for the console (spec/budgets#console). */
const PREVIEW_MS = 100
const INTERACTIVE_SECONDS = 2
const TURNS = 20

type Server = Pick<LocalServer, 'origin' | 'managementSecret'>

/**
 * Measures how long an administrator waits for the console, and how much the browser downloads (spec/budgets#console).
 */
export async function consoleRows(server: Server, pace = CAREFUL): Promise<BenchRow[]> {
  const link = await createInvitation(server)
  return [
    ...byteRows(),
    ...(await withChromium(async (chromium) => {
      const { latency, state } = await inFreshContext(chromium, async (context) => ({
        latency: await measureLatency(context, server, link),
        state: await context.storageState(),
      }))
      const times: number[] = []
      for (let turn = 0; turn < pace.warmUps + pace.visits; turn++) {
        const spot = { url: `${server.origin}/console/users`, state }
        const { before, field, quiet } = await visitSlowly(chromium.browser, spot, pace)
        if (turn >= pace.warmUps) times.push(before + Math.max(field, quiet))
      }
      return [
        seconds(
          `/console/users: interactive (slow 4G: ${CONDITIONS}), signed in at the provider; median of ${pace.visits}`,
          { measured: middle(times) / 1000, goal: INTERACTIVE_SECONDS },
        ),
        ...latencyRows(latency),
      ]
    })),
  ]
}

function byteRows(): BenchRow[] {
  const { first, areas } = consoleBytes()
  const [[name, largest] = ['', 0]] = Object.entries(areas).sort(([, a], [, b]) => b - a)
  return [
    bytesRow('/console: scripts and styles until it can be used, brotli', first, CONSOLE_BYTES.first),
    bytesRow(`/console: what the largest area adds (${name}), brotli`, largest, CONSOLE_BYTES.area),
  ]
}

const bytesRow = (what: string, measured: number, goal: number): BenchRow => ({
  what,
  measured: kilobytes(measured),
  goal: `<= ${goal / 1000} kB`,
  isMet: measured <= goal,
})

function latencyRows({ changes, frames }: Awaited<ReturnType<typeof measureLatency>>): BenchRow[] {
  const change = middle(changes)
  return [
    {
      what: `/console/experience: from an input of the brand colour to the frame of the preview that shows it; median of ${TURNS}`,
      measured: `${change.toFixed(0)} ms`,
      goal: `<= ${PREVIEW_MS} ms`,
      isMet: change <= PREVIEW_MS,
    },
    plainRow('the same, relative to an empty frame', (change / middle(frames)).toFixed(1)),
  ]
}

/** Measures the latency of the preview for an administrator who has followed an invitation link. */
async function measureLatency(context: BrowserContext, { origin }: Server, link: string) {
  const page = await context.newPage()
  await page.goto(link)
  const password = `P-${randomBytes(9).toString('hex')}`
  await page.locator('main [name=identifier]').fill(`a${randomBytes(9).toString('hex')}`)
  await page.locator('main [name=newPassword]').fill(password)
  await page.locator('main [name=confirmPassword]').fill(password)
  await page.locator('main button[value=create]').click()
  await page.waitForURL(`${origin}/console`)
  await page.goto(`${origin}/console/experience`)
  await page.frameLocator('iframe').locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  return previewLatency(page, TURNS)
}

/** Creates an invitation link for an administrator (spec/management#administrator-invitations). */
async function createInvitation({ origin, managementSecret }: Server): Promise<string> {
  const post = async (path: string, headers: Record<string, string>, body: BodyInit) => {
    const response = await fetch(new URL(path, origin), { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json() as Promise<Record<string, string>>
  }
  const { access_token } = await post(
    '/oidc/token',
    { authorization: `Basic ${btoa(`${MANAGEMENT_CLIENT_ID}:${managementSecret}`)}` },
    new URLSearchParams({
      grant_type: 'client_credentials',
      resource: MANAGEMENT_RESOURCE.indicator,
      scope: MANAGEMENT_SCOPE.name,
    }),
  )
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const { url = '' } = await post('/api/administrator-invitations', headers, '{}')
  return url
}
