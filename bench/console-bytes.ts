import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { root } from '../scripts/root.mjs'

/** Bytes of the console as they travel, counted on the build (spec/budgets#console). */
export const CONSOLE_BYTES = { first: 170_000, area: 40_000 }

/** `areas`: what each adds to the first files, by name. */
export function consoleBytes(): { first: number; areas: Record<string, number> } {
  const manifest: { entry: string; preload: string[]; styles: string } = readBuild('console.json')
  const later: Record<string, string[]> = readBuild('console-areas.json')
  const first = [manifest.entry, ...manifest.preload]
  const added = (files: readonly string[]) => compressed(files.filter((file) => !first.includes(file)))
  return {
    first: compressed([...first, manifest.styles]),
    areas: Object.fromEntries(Object.entries(later).map(([name, files]) => [name, added(files)])),
  }
}

const inBuild = (file: string) => path.join(root, 'build', file)
const readBuild = (file: string) => JSON.parse(readFileSync(inBuild(file), 'utf8'))
const compressed = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(inBuild(`client${file}`))).length, 0)
