import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseJson } from '../config/json.ts'
import { CommandFailure } from '../failure.ts'
import { replaceDurably } from './durable.ts'

const Count = z.number().int().min(0)

/** The progress of an import. All lines before `offset` have been imported and counted. */
const ImportState = z.object({
  version: z.literal(1),
  origin: z.string(),
  file: z.object({ size: Count, sha256: z.string() }),
  offset: Count,
  line: Count,
  created: Count,
  existing: Count,
  rejected: Count,
  /** The number of bytes in the file of rejected lines that belong to the lines before `offset`. */
  rejectedBytes: Count,
})
export type ImportState = z.infer<typeof ImportState>

type Fingerprint = ImportState['file']

export async function fingerprintFile(file: string): Promise<Fingerprint> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

/** Returns the stored state, or a new one. Throws if the stored state belongs to another import. */
export function loadImportState(stateFile: string, origin: string, file: Fingerprint): ImportState {
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
  const advice = `Delete ${stateFile} to start again. Existing users stay unchanged.`
  if (!stored.success) throw new CommandFailure(`We couldn't read ${stateFile}. ${advice}`)
  if (stored.data.origin !== origin)
    throw new CommandFailure(`${stateFile} belongs to an import into ${stored.data.origin}. ${advice}`)
  if (stored.data.file.sha256 !== file.sha256)
    throw new CommandFailure(`The file has changed since its import was interrupted. ${advice}`)
  return stored.data
}

export const saveState = (stateFile: string, state: unknown) =>
  replaceDurably(stateFile, JSON.stringify(state))

/** Returns the parsed file, or undefined if it is not JSON. */
export const readState = (stateFile: string): unknown => parseJson(readFileSync(stateFile, 'utf8'))
