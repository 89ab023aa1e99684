import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { root } from '../../../scripts/root.mjs'

/**
 * The previous release, which is the only one in the folder. `PREVIOUS_RELEASE` names another file that `npm run release
 * -- --fixture` has written.
 */
const fixtures = path.join(root, 'tests/operations/releases')
const fixture =
  process.env.PREVIOUS_RELEASE ??
  path.join(fixtures, readdirSync(fixtures).find((name) => name.endsWith('.tar.br')) ?? '')

/** Unpacks the fixture into a folder and returns the folder of the release, which is named after its version. */
export function unpackFixture(folder: string): string {
  const archive = path.join(folder, 'release.tar')
  writeFileSync(archive, brotliDecompressSync(readFileSync(fixture)))
  const target = path.join(folder, 'release')
  mkdirSync(target)
  execFileSync('tar', ['--extract', `--file=${archive}`, `--directory=${target}`])
  const [name = ''] = readdirSync(target)
  return path.join(target, name)
}
