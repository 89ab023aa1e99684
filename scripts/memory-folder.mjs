import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

/** Linux keeps the files in this folder in memory. In a container, it is often limited to 64 MB. */
const SHARED_MEMORY = '/dev/shm'
/** The required space in bytes. All tests of `npm test` together use less than a tenth of it. */
const REQUIRED = 1024 ** 3

/**
 * Creates a folder in memory and deletes it when this process exits. Returns undefined if there is not enough space.
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
 * Makes the programs that this process starts keep temporary files in memory if there is enough space, so that the
 * databases of tests never wait for a disk. In the Workers runtime, that wait took as long as the tests themselves.
 */
export function keepTemporaryFilesInMemory() {
  const folder = memoryFolder()
  if (folder) process.env.TMPDIR = folder
}
