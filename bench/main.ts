import { arrivalRows } from './browser/arrival.ts'
import { consoleRows } from './browser/console.ts'
import { browserRows, peerRows } from './browser/index.ts'
import { hashingRows } from './hashing.ts'
import { loadRows } from './load.ts'
import { type LocalServer, openLocalServer } from './local-server.ts'
import { readOptions, type SectionName, usage } from './options.ts'
import { replayRows } from './replay.ts'
import { roundTripRows } from './round-trips.ts'
import type { BenchRow } from './row.ts'
import { distanceRows } from './simulated-distance.ts'
import { startUpRows } from './start-up.ts'
import { markdownTable } from './table.ts'
import { throughputRows } from './throughput.ts'

/** Measures a server. `against` is the URL of another server's sign-in page, or null. */
type Section = (server: LocalServer, against: string | null) => Promise<BenchRow[]>

/** The sections in the order in which they are printed. */
const sections: Record<SectionName, readonly Section[]> = {
  server: [roundTripRows, throughputRows, startUpRows],
  distance: [distanceRows],
  browser: [(server) => browserRows(server), arrivalRows, (server) => consoleRows(server)],
  hashing: [hashingRows],
  database: [(server) => replayRows(server)],
  load: [(server) => loadRows(server)],
}

const FAILED = 1
const USAGE_ERROR = 2

/**
 * Runs `npm run bench`, which prints the figures of docs/development/benchmarks.md as one table. The exit code is 1 if
 * any figure misses its goal.
 */
export async function runBench(args: string[]): Promise<number> {
  const options = readOptions(args)
  if ('problem' in options) {
    console.error(`${options.problem}\n${usage}`)
    return USAGE_ERROR
  }
  const rows: BenchRow[] = []
  for (const name of options.sections)
    for (const section of sections[name])
      rows.push(...(await withOwnServer((server) => section(server, options.against))))
  if (options.against !== null) rows.push(...(await peerRows(options.against)))
  console.log(options.isJson ? JSON.stringify(rows, null, 2) : `\n${markdownTable(rows)}`)
  return rows.some(({ isMet }) => isMet === false) ? FAILED : 0
}

/** Runs each section on its own server, because some sections change the sign-in settings. */
async function withOwnServer(section: (server: LocalServer) => Promise<BenchRow[]>): Promise<BenchRow[]> {
  const server = await openLocalServer()
  try {
    return await section(server)
  } finally {
    await server.close()
  }
}
