import path from 'node:path'
import { hash as nativeHash, verify as nativeVerify } from 'argon2'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import { root } from '../scripts/root.mjs'
import { type LocalServer, makeBundle, modulesOf } from './local-server.ts'
import type { BenchRow } from './row.ts'

const PASSWORD = 'correct horse, batterie d’été'
const ROUNDS = 9
const HASHES = 8
const GOAL = 1.5

/**
 * Compares our hash in workerd with the native reference implementation in Node, alternating between them on the same
 * machine (ADR-0047).
 */
export async function hashingRows({ folder }: Pick<LocalServer, 'folder'>): Promise<BenchRow[]> {
  const { hashes, close } = await openWorkerd(path.join(folder, 'hashing'))
  try {
    const encoded = await hashes(1)
    const { memoryCost, timeCost, parallelism } = parametersOf(encoded)
    if (!(await nativeVerify(encoded, PASSWORD))) throw new Error('The native package rejects our hash')

    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const overhead = await milliseconds(() => hashes(0))
      const ours = (await milliseconds(() => hashes(HASHES))) - overhead
      const native = await milliseconds(async () => {
        for (let count = 0; count < HASHES; count++)
          await nativeHash(PASSWORD, { type: 2, memoryCost, timeCost, parallelism })
      })
      ratios.push(ours / native)
    }
    const ratio = median(ratios)
    const parameters = `m=${memoryCost}, t=${timeCost}, p=${parallelism}`
    return [
      {
        what: `a password hash (Argon2id ${parameters}) in workerd, relative to the native package \`argon2\` in Node`,
        measured: ratio.toFixed(2),
        goal: `≤ ${GOAL}`,
        isMet: ratio <= GOAL,
      },
    ]
  } finally {
    await close()
  }
}

/** Returns the time of one hash in workerd, excluding all overhead. */
export async function hashSeconds({ folder }: Pick<LocalServer, 'folder'>): Promise<number> {
  const { hashes, close } = await openWorkerd(path.join(folder, 'hash-seconds'))
  try {
    await hashes(1)
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const overhead = await milliseconds(() => hashes(0))
      rounds.push((await milliseconds(() => hashes(HASHES))) - overhead)
    }
    return median(rounds) / HASHES / 1000
  } finally {
    await close()
  }
}

/** Runs the Worker's own password hashing module, bundled as for production. */
async function openWorkerd(folder: string) {
  await makeBundle('bench/hashing-worker.ts', folder)
  const settings = unstable_readConfig({ config: path.join(root, 'wrangler.toml') })
  const workerd = new Miniflare({
    log: new Log(LogLevel.ERROR),
    port: 0,
    workers: [
      {
        config: {
          name: 'hashing',
          compatibilityDate: settings.compatibility_date,
          compatibilityFlags: settings.compatibility_flags,
          manifest: { mainModule: 'worker.js', modulesRoot: folder, modules: modulesOf(folder) },
        },
      },
    ],
  })
  const { origin } = await workerd.ready
  return {
    /** Measures the time outside workerd, whose clock stands still while it computes. */
    async hashes(times: number): Promise<string> {
      const query = new URLSearchParams({ times: `${times}`, password: PASSWORD })
      const response = await fetch(`${origin}/?${query}`)
      if (!response.ok) throw new Error(await response.text())
      return response.text()
    },
    close: () => workerd.dispose(),
  }
}

/** Parses the parameters from our hash, so that the native package uses the same ones. */
function parametersOf(encoded: string) {
  const [, memory, passes, concurrency] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(encoded) ?? []
  return { memoryCost: Number(memory), timeCost: Number(passes), parallelism: Number(concurrency) }
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
