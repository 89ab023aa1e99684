import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The folder of the development server's data, relative to the checkout, unless `--persist-to` names another one. */
export const DEFAULT_STATE_FOLDER = '.wrangler/state'

const NAME = 'origin'

/** Returns the origin of the development server that runs in a checkout, if one runs there. */
export function findStartedOrigin(checkout: string): string | undefined {
  const file = path.join(checkout, DEFAULT_STATE_FOLDER, NAME)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/**
 * Writes the origin into the folder of the server's data. At the end of this process, removes it unless another server
 * has written its own.
 */
export function recordStartedOrigin(folder: string, origin: string): void {
  const file = path.join(folder, NAME)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, origin)
  process.once('exit', () => {
    if (existsSync(file) && readFileSync(file, 'utf8') === origin) rmSync(file)
  })
}
