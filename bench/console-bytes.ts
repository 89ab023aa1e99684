import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { root } from '../scripts/root.mjs'

/** The limits on the console's transferred bytes, measured on the build (spec/budgets#console). */
export const CONSOLE_BYTES = { first: 170_000, area: 40_000 }

/** Counts the console's bytes. `areas` maps each area's name to the bytes that it adds to the first files. */
export function consoleBytes(): { first: number; areas: Record<string, number> } {
  const { entry, preload, screens, areas, styles }: ConsoleManifest = readBuild('console.json')
  const added = Object.entries(areas).map(([name, files]) => [name, compressedSize(files)])
  return { first: compressedSize([entry, ...preload, ...screens, styles]), areas: Object.fromEntries(added) }
}

/** The manifest that `console/vite.config.ts` writes. */
type ConsoleManifest = {
  entry: string
  preload: string[]
  screens: string[]
  areas: Record<string, string[]>
  styles: string
}

const buildPath = (file: string) => path.join(root, 'build', file)
const readBuild = (file: string) => JSON.parse(readFileSync(buildPath(file), 'utf8'))
const compressedSize = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(buildPath(`client${file}`))).length, 0)
