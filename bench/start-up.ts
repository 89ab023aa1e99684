import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { Log, LogLevel, Miniflare } from 'miniflare'
import type { LocalServer } from './local-server.ts'
import { makeBundle, modulesOf, newestWorkerdPid, runtimeSettings } from './local-server.ts'
import type { BenchRow } from './row.ts'
import { cpuNanoseconds, median } from './throughput.ts'

// spec/budgets#worker
const MOST_KB = 2000
const MOST_MS = 50
const MOST_TIMES_EMPTY = 2.5

const RUNS = 7
const KB = 1000
const NANOSECONDS = 1e6 // in a millisecond

/** The deployed bundle: its size, and the CPU time of an isolate before it can answer. */
export async function startUpRows({ folder }: LocalServer): Promise<BenchRow[]> {
  const bundle = path.join(folder, 'deployed')
  await makeBundle('src/worker.ts', bundle)
  const size = gzippedSize(bundle) / KB
  const emptyBundle = path.join(folder, 'empty')
  await makeBundle('bench/empty-worker.ts', emptyBundle)
  const [{ whole, evaluating }, { whole: empty }] = await startUpCpus([bundle, emptyBundle])
  return [
    {
      what: 'Worker bundle, minified, gz, all modules',
      measured: `${size.toFixed(1)} kB`,
      goal: `<= ${MOST_KB} kB`,
      isMet: size <= MOST_KB,
    },
    {
      what: "Start-up CPU of the Worker, in this machine's time: reading, compiling and evaluating it",
      measured: `${whole.toFixed(0)} ms`,
      goal: `<= ${MOST_MS} ms`,
      isMet: whole <= MOST_MS,
    },
    {
      what: 'the same, relative to an empty Hono Worker in the same run',
      measured: (whole / empty).toFixed(1),
      goal: `<= ${MOST_TIMES_EMPTY}`,
      isMet: whole / empty <= MOST_TIMES_EMPTY,
    },
    {
      what: 'of it evaluating, as `wrangler check startup` shows it',
      measured: `${evaluating.toFixed(0)} ms`,
      goal: null,
      isMet: null,
    },
  ]
}

function gzippedSize(bundle: string): number {
  return readdirSync(bundle)
    .filter((name) => !/\.map$|^README/.test(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(path.join(bundle, name))).length, 0)
}

/** Milliseconds, as the medians of several new processes, bundle after bundle in each run: `evaluating` is what `wrangler check startup` profiles. */
async function startUpCpus<const T extends readonly string[]>(bundles: T) {
  const found = bundles.map((): StartUp[] => [])
  for (let run = 0; run < RUNS; run++)
    for (const [index, bundle] of bundles.entries()) found[index]?.push(await startUpOf(bundle))
  return found.map((runs) => ({
    whole: median(runs.map(({ whole }) => whole)) / NANOSECONDS,
    evaluating: median(runs.map(({ evaluating }) => evaluating)) / NANOSECONDS,
  })) as { [K in keyof T]: StartUp }
}

type StartUp = { whole: number; evaluating: number }

async function startUpOf(bundle: string): Promise<StartUp> {
  const worker = await cpuOf(bundle, 'worker.js', 'esm')
  const nothing = await cpuOf(bundle, 'nothing.js', 'esm')
  // The same bytes, which are not compiled.
  const text = await cpuOf(bundle, 'nothing.js', 'text')
  return {
    whole: worker.untilReady + worker.ofImport - text.untilReady - text.ofImport,
    evaluating: worker.ofImport - nothing.ofImport,
  }
}

/**
 * The CPU time of workerd until it is ready, that is, until all modules are read and compiled, and while it evaluates one
 * module for a request.
 */
async function cpuOf(
  bundle: string,
  name: string,
  type: 'esm' | 'text',
): Promise<{ untilReady: number; ofImport: number }> {
  const entry = `export default { async fetch() { await import('${name}'); return new Response() } }`
  const workerd = new Miniflare({
    log: new Log(LogLevel.NONE),
    workers: [
      {
        config: {
          ...runtimeSettings(),
          manifest: {
            mainModule: 'entry.js',
            modulesRoot: bundle,
            modules: {
              ...modulesOf(bundle, type),
              'entry.js': { type: 'esm', contents: entry },
              'nothing.js': { type: 'esm', contents: 'export default {}' },
            },
          },
          env: {},
        },
      },
    ],
  })
  try {
    const address = await workerd.ready
    const pid = newestWorkerdPid()
    const untilReady = cpuNanoseconds(pid)
    await fetch(address)
    return { untilReady, ofImport: cpuNanoseconds(pid) - untilReady }
  } finally {
    await workerd.dispose()
  }
}
