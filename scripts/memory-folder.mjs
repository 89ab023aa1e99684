import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

/** Linux keeps the files of this folder in memory. In a container it is often limited to 64 MB. */
const SHARED_MEMORY = '/dev/shm'
/** The space that is required, in bytes. All tests of `npm test` together use less than a tenth of it. */
const REQUIRED = 1024 ** 3

/**
 * Creates a folder in memory, which is deleted when this process exits. Returns undefined if the machine has no room
 * for it.
 */
function memoryFolder() {
  if (!existsSync(SHARED_MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  if (bavail * bsize < REQUIRED) return undefined
  const folder = mkdtempSync(path.join(SHARED_MEMORY, 'vestibule-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/**
 * Makes the programs that this process starts keep temporary files in memory, if there is enough room. The databases of
 * tests then never wait for a disk. In the Workers runtime, that wait took as long as the tests themselves.
 */
export function keepTemporaryFilesInMemory() {
  const folder = memoryFolder()
  if (folder) process.env.TMPDIR = folder
}
