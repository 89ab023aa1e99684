import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Who may import whom (design 1). A room stands for all its files, a path for that file alone. Type-only imports are
 * free: they leave nothing behind at run time.
 */
const map: Record<string, readonly string[]> = {
  'src/contract': ['src/contract', 'locales'],
  'src/domain': ['src/contract', 'src/domain'],
  'src/storage': ['src/contract', 'src/domain', 'src/storage', 'build/wasm'],
  'src/connectors': ['src/contract', 'src/domain', 'src/connectors'],
  client: ['src/contract', 'src/domain', 'client'],
  'src/oidc': ['src/contract', 'src/domain', 'src/storage', 'src/connectors', 'src/oidc'],
  'src/api': [
    'src/contract',
    'src/domain',
    'src/storage',
    'src/connectors',
    'src/api',
    'src/oidc/interactions.ts',
    'src/oidc/consent.ts',
    'src/oidc/digest.ts',
    'src/oidc/keys.ts',
  ],
  'src/web': [
    'src/contract',
    'src/domain',
    'src/storage',
    'src/connectors',
    'src/web',
    'client/app/app.tsx',
    'client/routes.ts',
    'client/pages/all.ts',
    'client/journeys',
    'client/journeys/api.ts',
    'build/manifest.json',
  ],
  operator: ['src/contract', 'src/domain', 'operator'],
  'src/env.ts': ['src/contract'],
  'src/app.ts': ['src'],
  'src/worker.ts': ['src'],
}

/** The browser pays 90 kB for a schema: it takes tables and types only. */
const schemas = /^src\/contract\/.*\.schema\.ts$/

const root = path.resolve(import.meta.dirname, '..')
const sources = ['src', 'client', 'operator'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => path.join(folder, name)),
)

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)([^'"]*?\bfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** Paths from the root of what a file really imports; packages by their name. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(IMPORT)].flatMap(([, names = '', fixed, dynamic]) => {
    const target = fixed ?? dynamic ?? ''
    if (/^\{(?:\s*type\s[^,}]*,?)*\s*\}\s*from\s*$/.test(names)) return []
    return [target.startsWith('.') ? path.join(path.dirname(file), target) : target]
  })
}

const isIn = (file: string, subApp: string) => file === subApp || file.startsWith(`${subApp}/`)
const roomOf = (file: string) => Object.keys(map).find((subApp) => isIn(file, subApp))
const isOurs = (target: string) => /^(?:src|client|operator|build|locales)\//.test(target)

describe('the map of the house', () => {
  it('has a room for every file', () => {
    expect(sources.filter((file) => !roomOf(file))).toEqual([])
    expect(sources.length).toBeGreaterThan(60)
  })

  it('is kept by every import', () => {
    const strays = sources.flatMap((file) => {
      const allowed = map[roomOf(file) ?? ''] ?? []
      return importsOf(file)
        .filter((target) => isOurs(target) && !allowed.some((subApp) => isIn(target, subApp)))
        .map((target) => `${file} imports ${target}`)
    })
    expect(strays).toEqual([])
  })

  it('lets no schema into the client, nor anything that brings one', () => {
    const reached = new Set<string>()
    const follow = (file: string) => {
      if (reached.has(file)) return
      reached.add(file)
      for (const target of importsOf(file)) if (sources.includes(target)) follow(target)
    }
    for (const file of sources) if (isIn(file, 'client')) follow(file)
    expect([...reached].filter((file) => schemas.test(file))).toEqual([])
  })

  it('knows Hono only where requests come in', () => {
    const doors = ['src/api', 'src/oidc', 'src/web', 'src/app.ts', 'client/journeys/api.ts']
    const strays = sources.filter(
      (file) =>
        !doors.some((door) => isIn(file, door)) && importsOf(file).some((target) => /^@?hono\b/.test(target)),
    )
    expect(strays).toEqual([])
  })

  it('keeps waiting, time, chance and the network out of the rules', () => {
    const faulty = /\bawait\b|\basync\b|\bPromise\b|Date\.now|new Date\(\)|Math\.random|crypto\.|\bfetch\(/
    const code = (file: string) =>
      readFileSync(path.join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    expect(sources.filter((file) => isIn(file, 'src/domain') && faulty.test(code(file)))).toEqual([])
  })

  it('has no room for what has no name', () => {
    const nameless = /(?:^|\/)(?:utils?|helpers?|common|shared|lib|services?|misc)(?:\/|\.|$)/
    expect(sources.filter((file) => nameless.test(file))).toEqual([])
  })
})
