import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { root } from '../scripts/root.mjs'

/** Bytes of the console as they travel, counted on the build (spec/budgets#console). */
export const CONSOLE_BYTES = { first: 170_000, area: 40_000 }

/** `areas`: what each adds to the first files, by name. */
export function consoleBytes(): { first: number; areas: Record<string, number> } {
  const { entry, preload, screens, areas, styles }: ConsoleManifest = readBuild('console.json')
  const added = Object.entries(areas).map(([name, files]) => [name, compressed(files)])
  return { first: compressed([entry, ...preload, ...screens, styles]), areas: Object.fromEntries(added) }
}

/** What `console/vite.config.ts` writes. */
type ConsoleManifest = {
  entry: string
  preload: string[]
  screens: string[]
  areas: Record<string, string[]>
  styles: string
}

const inBuild = (file: string) => path.join(root, 'build', file)
const readBuild = (file: string) => JSON.parse(readFileSync(inBuild(file), 'utf8'))
const compressed = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(inBuild(`client${file}`))).length, 0)
