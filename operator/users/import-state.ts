import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { Failure } from '../failure.ts'
import { remove, replaceDurably } from './durable.ts'

const Count = z.number().int().min(0)

/** How far an import has come: everything before `offset` is acknowledged and counted. */
const ImportState = z.object({
  version: z.literal(1),
  origin: z.string(),
  file: z.object({ size: Count, sha256: z.string() }),
  offset: Count,
  line: Count,
  created: Count,
  existing: Count,
  rejected: Count,
  /** What of the file of rejected lines belongs to what is acknowledged. */
  rejectedBytes: Count,
})
export type ImportState = z.infer<typeof ImportState>

export type Fingerprint = ImportState['file']

export async function fingerprintOf(file: string): Promise<Fingerprint> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

/** The state to go on from; a new one when there is none. Throws when it is about something else. */
export function openState(stateFile: string, origin: string, file: Fingerprint): ImportState {
  if (!existsSync(stateFile))
    return {
      version: 1,
      origin,
      file,
      offset: 0,
      line: 1,
      created: 0,
      existing: 0,
      rejected: 0,
      rejectedBytes: 0,
    }
  const stored = ImportState.safeParse(readState(stateFile))
  const again = `Remove ${stateFile} to begin again: users who are there already stay as they are.`
  if (!stored.success) throw new Failure(`${stateFile} cannot be read. ${again}`)
  if (stored.data.origin !== origin)
    throw new Failure(`${stateFile} is about an import into ${stored.data.origin}. ${again}`)
  if (stored.data.file.sha256 !== file.sha256)
    throw new Failure(`The file has changed since its import was interrupted. ${again}`)
  return stored.data
}

export const saveState = (stateFile: string, state: unknown) =>
  replaceDurably(stateFile, JSON.stringify(state))

export const removeState = remove

/** What it holds; null when that is no JSON. */
export function readState(stateFile: string): unknown {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'))
  } catch {
    return null
  }
}
