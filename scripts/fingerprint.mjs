import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns one hash of the names and contents of files and folders. Times are ignored, because a git checkout changes
 * them.
 *
 * @param {string} root
 * @param {string[]} paths paths relative to the root; files may be missing
 */
export function computeFingerprint(root, paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((name) => filesUnder(root, name))) {
    const content = readFileSync(path.join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** @param {string} root @param {string} name @returns {string[]} */
function filesUnder(root, name) {
  const full = path.join(root, name)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [name]
  return readdirSync(full)
    .sort()
    .flatMap((child) => filesUnder(root, path.join(name, child)))
}
