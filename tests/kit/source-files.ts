import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const repositoryRoot = path.resolve(import.meta.dirname, '../..')

/** Returns the paths of the TypeScript and JavaScript files in these folders, relative to the root. */
export function sourceFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => path.join(folder, name)),
  )
}

export const sourceTextOf = (file: string) =>
  remembered(texts, file, () => readFileSync(path.join(repositoryRoot, file), 'utf8'))

/** Returns the text of a file without comments. */
export const codeOf = (file: string) =>
  sourceTextOf(file).replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '')

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\b)?([^'";]*?\bfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

type Import = { target: string; isType: boolean }

/** Returns the imports of a file, including type imports: files as paths relative to the root, packages by name. */
export const importsOf = (file: string) => parsed(file).map(({ target }) => target)

/** Returns the imports of a file except for type imports. */
export const targetsIn = (file: string) =>
  parsed(file).flatMap(({ target, isType }) => (isType ? [] : [target]))

const parsed = (file: string) =>
  remembered(imports, file, () => {
    const matches = [...sourceTextOf(file).matchAll(IMPORT)].map(
      ([, type, names = '', fixed, dynamic]): Import => {
        const target = fixed ?? dynamic ?? ''
        return {
          target: target.startsWith('.') ? path.join(path.dirname(file), target) : target,
          isType: type !== undefined || /^\{(?:\s*type\s[^,}]*,?)*\s*\}\s*from\s*$/.test(names),
        }
      },
    )
    return [...new Map(matches.map((row) => [row.target, row])).values()]
  })

const texts = new Map<string, string>()
const imports = new Map<string, Import[]>()

function remembered<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const value = cache.get(key) ?? make()
  cache.set(key, value)
  return value
}

export const isIn = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`)

/** Reports whether an import is a path in this repository rather than a package. */
export const isOurFile = (target: string) =>
  /^(?:src|client|console|operator|bench|scripts|samples|tests|docs|build|locales|migrations)\/|^[\w-]+\.(?:ts|mjs|json)$/.test(
    target,
  )
