import { against, inBrowser } from './browser/index.ts'
import { hashing } from './hashing.ts'
import { load } from './load.ts'
import { type LocalServer, openLocalServer } from './local-server.ts'
import { readOptions, type SectionName, usage } from './options.ts'
import { roundTrips } from './round-trips.ts'
import type { Row } from './row.ts'
import { startUp } from './start-up.ts'
import { table } from './table.ts'
import { throughput } from './throughput.ts'

/** In the order they are told in. */
const sections: Record<SectionName, readonly ((server: LocalServer) => Promise<Row[]>)[]> = {
  server: [roundTrips, throughput, startUp],
  browser: [inBrowser],
  hashing: [hashing],
  load: [load],
}

const FAILED = 1
const NOT_UNDERSTOOD = 2

/** `npm run bench`: every figure of design 5 that is not a test's, as one table. 1 when one of them misses its goal. */
export async function bench(args: string[]): Promise<number> {
  const options = readOptions(args)
  if ('problem' in options) {
    console.error(`${options.problem}\n${usage}`)
    return NOT_UNDERSTOOD
  }
  const rows: Row[] = []
  for (const name of options.sections)
    for (const section of sections[name]) rows.push(...(await alone(section)))
  if (options.against !== null) rows.push(...(await against(options.against)))
  console.log(options.isJson ? JSON.stringify(rows, null, 2) : `\n${table(rows)}`)
  return rows.some(({ isMet }) => isMet === false) ? FAILED : 0
}

/** In a place of its own: some change how people sign in there. */
async function alone(section: (server: LocalServer) => Promise<Row[]>): Promise<Row[]> {
  const server = await openLocalServer()
  try {
    return await section(server)
  } finally {
    await server.close()
  }
}
