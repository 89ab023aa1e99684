import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes a file only if its content has changed, because a development server that watches the file restarts on every
 * write.
 *
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export function writeIfChanged(file, content) {
  mkdirSync(path.dirname(file), { recursive: true })
  if (!hasContent(file, Buffer.from(content))) writeFileSync(file, content)
}

/** @param {string} file @param {Buffer} content */
function hasContent(file, content) {
  try {
    return content.equals(readFileSync(file))
  } catch {
    return false
  }
}
