import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { Log, LogLevel, Miniflare } from 'miniflare'
import type { LocalServer } from './local-server.ts'
import { makeBundle, modulesOf, newestWorkerdPid, runtimeSettings } from './local-server.ts'
import type { BenchRow } from './row.ts'
import { cpuNanoseconds, median } from './throughput.ts'

// spec/budgets#worker
const MAX_KB = 2000
const MAX_MS = 50
const MAX_TIMES_EMPTY = 2.5

const RUNS = 15
const KB = 1000
const NANOSECONDS = 1e6 // nanoseconds per millisecond

/** Measures the size of the deployed bundle, and the CPU time that an isolate needs before it can respond. */
export async function startUpRows({ folder }: LocalServer): Promise<BenchRow[]> {
  const bundle = path.join(folder, 'deployed')
  await makeBundle('src/worker.ts', bundle)
  const size = gzippedSize(bundle) / KB
  const emptyBundle = path.join(folder, 'empty')
  await makeBundle('bench/empty-worker.ts', emptyBundle)
  const [whole, empty] = await startUpCpus([bundle, emptyBundle])
  return [
    {
      what: 'Worker bundle, all modules, minified and gzipped',
      measured: `${size.toFixed(1)} kB`,
      goal: `<= ${MAX_KB} kB`,
      isMet: size <= MAX_KB,
    },
    {
      what: "Start-up CPU of the Worker, in this machine's time: reading, compiling and evaluating it",
      measured: `${whole.toFixed(0)} ms`,
      goal: `<= ${MAX_MS} ms`,
      isMet: whole <= MAX_MS,
    },
    {
      what: 'the same, relative to an empty Hono Worker in the same run',
      measured: (whole / empty).toFixed(1),
      goal: `<= ${MAX_TIMES_EMPTY}`,
      isMet: whole / empty <= MAX_TIMES_EMPTY,
    },
  ]
}

function gzippedSize(bundle: string): number {
  return readdirSync(bundle)
    .filter((name) => !/\.map$|^README/.test(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(path.join(bundle, name))).length, 0)
}

/** Returns the medians of several new processes in milliseconds. Each run measures all bundles in turn. */
async function startUpCpus<const T extends readonly string[]>(bundles: T) {
  const times = bundles.map((): number[] => [])
  for (let run = 0; run < RUNS; run++)
    for (const [index, bundle] of bundles.entries()) {
      const overhead = await importCpu(bundle, 'nothing.js')
      times[index]?.push((await importCpu(bundle, 'worker.js')) - overhead)
    }
  return times.map((runs) => median(runs) / NANOSECONDS) as { [K in keyof T]: number }
}

/**
 * Returns the CPU time of workerd during a request that imports one module. With `new_module_registry`, the module is
 * only read, compiled and evaluated at that point. We don't measure the start of the whole process, because it takes
 * about 150 ms and varies by up to 30 ms, which would hide the start of a Worker.
 */
async function importCpu(bundle: string, name: string): Promise<number> {
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
              ...modulesOf(bundle),
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
    const url = await workerd.ready
    const pid = newestWorkerdPid()
    const before = cpuNanoseconds(pid)
    await fetch(url)
    return cpuNanoseconds(pid) - before
  } finally {
    await workerd.dispose()
  }
}
