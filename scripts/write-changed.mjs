import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes a file only if its content differs: a development server that watches it starts again with every write.
 *
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export function writeChanged(file, content) {
  mkdirSync(path.dirname(file), { recursive: true })
  if (!isAlike(file, Buffer.from(content))) writeFileSync(file, content)
}

/** @param {string} file @param {Buffer} content */
function isAlike(file, content) {
  try {
    return content.equals(readFileSync(file))
  } catch {
    return false
  }
}
