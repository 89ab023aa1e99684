import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

/** Linux keeps its files in memory. In a container it often has 64 MB. */
const SHARED_MEMORY = '/dev/shm'
/** Bytes; all tests of `npm test` together use less than a tenth. */
const NEEDED = 1024 ** 3

/** Undefined where the machine has none. It ends with this process. */
function memoryFolder() {
  if (!existsSync(SHARED_MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  if (bavail * bsize < NEEDED) return undefined
  const folder = mkdtempSync(path.join(SHARED_MEMORY, 'vestibule-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/**
 * From now on the programs that this process starts keep temporary files in memory, where it has room for them. Databases of
 * tests wait for no disk then: tests of the Workers runtime waited for it as long as they ran.
 */
export function keepTemporaryFilesInMemory() {
  const folder = memoryFolder()
  if (folder) process.env.TMPDIR = folder
}
