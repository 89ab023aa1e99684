import { readdirSync, readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { authorizationRequest, newCookieClient } from '../tests/kit/clients/cookie-client.ts'
import type { LocalServer } from './local-server.ts'
import type { BenchRow } from './row.ts'

const GOAL = 0.35 // spec/budgets#throughput
const ROUNDS = 9
const ROUND_SECONDS = 1
/** The number of connections: enough to keep one isolate busy, but few enough for one core to serve. */
const CONNECTIONS = 10

type Target = { path: string; headers: Record<string, string> }

/**
 * Compares the throughput of pages with that of an empty route of the same Worker, with warm caches and over open
 * connections. Each round measures all routes in turn, so that other load on the machine affects both sides of a
 * ratio. A constant route with as many bytes as the first page shows the upper bound.
 */
export async function throughputRows(server: LocalServer): Promise<BenchRow[]> {
  const pageTargets = await pages(server)
  const targets = {
    [EMPTY]: { path: EMPTY, headers: {} },
    ...pageTargets,
    [CONSTANT]: await constant(server, pageTargets),
  }
  for (const target of Object.values(targets)) await measure(server, target)

  const ratios = new Map<string, { throughput: number[]; cpu: number[] }>()
  for (let round = 0; round < ROUNDS; round++) {
    const empty = await measure(server, targets[EMPTY])
    for (const [name, target] of Object.entries(targets)) {
      if (name === EMPTY) continue
      const result = await measure(server, target)
      const series = ratios.get(name) ?? { throughput: [], cpu: [] }
      series.throughput.push(result.perSecond / empty.perSecond)
      series.cpu.push(empty.cpu / result.cpu)
      ratios.set(name, series)
    }
  }
  return [...ratios].map(([name, { throughput, cpu }]): BenchRow => {
    // Use the lower ratio. If the load generator is slower than the empty route, the throughput on its own looks too
    // good.
    const [ratio, byCpu] = [median(throughput), median(cpu)]
    const isOurs = name !== CONSTANT
    return {
      what: `Throughput of ${isOurs ? `GET ${name}` : CONSTANT} against an empty Hono route`,
      measured: `${ratio.toFixed(2)} (by CPU time ${byCpu.toFixed(2)})`,
      goal: isOurs ? `>= ${GOAL}` : null,
      isMet: isOurs ? Math.min(ratio, byCpu) >= GOAL : null,
    }
  })
}

const EMPTY = '/bench/empty'
const CONSTANT = 'the same bytes from a constant route'

async function constant({ bare }: LocalServer, pageTargets: Record<string, Target>): Promise<Target> {
  const [first = { path: EMPTY, headers: {} }] = Object.values(pageTargets)
  const page = await fetch(bare + first.path, { headers: first.headers })
  return { path: `/bench/constant/${(await page.arrayBuffer()).byteLength}`, headers: first.headers }
}

/** Returns requests like those of a browser that an application has redirected. */
async function pages({ bare }: LocalServer): Promise<Record<string, Target>> {
  const client = newCookieClient({
    fetch: (path, init) => fetch(new URL(path, bare), { redirect: 'manual', ...init }),
  })
  const { url } = await authorizationRequest({ redirect_uri: `${bare}/demo-app` })
  const { headers } = await client.get(url)
  // Omit the demo application's own parameters.
  const interaction = new URL(headers.get('location') ?? '', bare).searchParams.get('interaction')
  const search = `?interaction=${interaction}`
  const cookie = client.cookieHeader('/sign-in')
  const requestHeaders = {
    accept: 'text/html',
    'accept-language': 'en',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0',
    cookie,
  }
  return Object.fromEntries(
    ['/sign-in', '/register'].map((path) => [path, { path: path + search, headers: requestHeaders }]),
  )
}

async function measure({ bare, pid }: LocalServer, { path, headers }: Target) {
  const before = cpuNanoseconds(pid)
  const result = await autocannon({
    url: bare + path,
    headers,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`GET ${path} failed during the measurement`)
  const responses = result.requests.total
  return { perSecond: responses / result.duration, cpu: (cpuNanoseconds(pid) - before) / responses }
}

/** Returns the CPU time of all threads of a process, from the scheduler (proc_pid_schedstat). */
export function cpuNanoseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => {
    const [running] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(running)
  }, 0)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
