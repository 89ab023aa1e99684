import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  codeOf,
  importsOf,
  isIn,
  isOurFile,
  repositoryRoot,
  sourceFiles,
  targetsIn,
} from './kit/source-files.ts'

/**
 * The folders and files that each layer may import, including types (README, "The map"; ADR-0054). A folder
 * includes all its files. A file is listed separately if the layer may not import the rest of its folder.
 */
const layers: Record<string, readonly string[]> = {
  'src/contract': ['src/contract', 'locales'],
  'src/domain': ['src/contract', 'src/domain'],
  'src/storage': ['src/contract', 'src/domain', 'src/storage', 'build', 'migrations'],
  'src/outbound': ['src/contract', 'src/domain', 'src/outbound'],
  client: ['src/contract', 'src/domain', 'client', 'locales', 'src/api/index.ts'],
  // From `operator`, the console imports the code that plans settings and the format of user files, but
  // nothing that uses a terminal.
  console: [
    'src/contract',
    'src/domain',
    'console',
    'client/styles',
    'client/ui',
    'operator/config',
    'operator/doctor',
    'operator/users/formats.ts',
    'operator/users/records.ts',
    // The console's build imports this configuration.
    'scripts/vite-base.ts',
  ],
  'src/application': ['src/contract', 'src/domain', 'src/storage', 'src/outbound', 'src/application'],
  'src/oidc': ['src/contract', 'src/domain', 'src/storage', 'src/application', 'src/oidc'],
  'src/api': ['src/contract', 'src/domain', 'src/storage', 'src/outbound', 'src/application', 'src/api'],
  'src/web': [
    'src/contract',
    'src/domain',
    'src/storage',
    'src/outbound',
    'src/application',
    'src/web',
    'client',
    'build',
  ],
  'src/contract/version.ts': ['package.json'],
  'operator/version.ts': ['package.json'],
  'src/application/settings.ts': ['src/contract', 'src/domain'],
  'src/bindings.ts': ['src/application/settings.ts'],
  'src/app.ts': ['src'],
  'src/worker.ts': ['src'],
  operator: ['src/contract', 'src/domain', 'operator'],
  bench: ['src', 'bench', 'tests/kit', 'scripts', 'build'],
  // `user-list` contains the queries for the list of users, which `npm run million` measures.
  scripts: [
    'scripts',
    'operator/local-fetch.ts',
    'operator/main.ts',
    'operator/network-fault.ts',
    'operator/origin.ts',
    'operator/started-origin.ts',
    'bench/main.ts',
    'src/domain/users/user-list.ts',
    'src/contract/tenants/hosts.ts',
    'src/contract/interactions/identifiers.ts',
  ],
  // The facts that these documents state come from all layers.
  'scripts/accessibility.mjs': ['src', 'client/app', 'scripts', 'tests/journeys/screens.ts'],
  'scripts/data-protection.mjs': ['src', 'scripts'],
  docs: ['src/contract', 'docs'],
  // Samples are meant to be copied, so they import only packages and files in the same folder.
  samples: ['samples'],
  tests: [
    'src',
    'client',
    'console',
    'operator',
    'bench',
    'scripts',
    'samples',
    'tests',
    'locales',
    'build',
    'docs/account-data.schema.json',
    'docs/design/looks.ts',
    'package.json',
  ],
}

/** The subjects after which folders of a layer and of its tests are named (ADR-0158). */
const chapters = [
  'interactions',
  'passwords',
  'codes',
  'passkeys',
  'factors',
  'social',
  'connectors',
  'hooks',
  'sessions',
  'account',
  'users',
  'applications',
  'access',
  'organisations',
  'tenants',
  'experience',
]

/** The folders that are divided into chapters, with the other subfolders that each may have. */
const chaptered: Record<string, readonly string[]> = {
  'src/contract': [],
  'src/domain': [],
  'src/storage': ['tables'],
  'src/storage/tables': [],
  'src/application': [],
  'src/outbound': ['messages', 'uploads', 'guides'],
  'src/outbound/messages': ['smtp'],
  'src/oidc': ['persistence'],
  'src/api': ['openapi', 'management'],
  'src/api/management': [],
  'src/web': ['pages'],
  'tests/contract': [],
  'tests/domain': [],
  'tests/storage': [],
  'tests/application': [],
  'tests/outbound': ['messages', 'uploads'],
  'tests/oidc': [],
  'tests/api': [],
  'tests/web': ['pages'],
  'tests/journeys': ['console', 'screens', 'samples'],
  'tests/security': ['repository'],
}

/** The packages that only some layers may import. Any file may import a package that is not listed. */
const packages: Record<string, readonly string[]> = {
  hono: ['samples', 'src/api', 'src/web', 'src/oidc', 'src/app.ts', 'client/api/api.ts', 'bench', 'tests'],
  // This package extends zod, so the API's schemas import zod from it.
  '@hono/zod-openapi': ['src/api', 'src/contract'],
  'drizzle-orm': ['src/storage', 'scripts', 'tests/storage', 'tests/kit'],
  '@libsql/client': ['src/storage', 'scripts', 'tests'],
  'oidc-provider': ['src/oidc', 'tests'],
  react: ['client', 'console', 'src/web', 'samples', 'tests'],
  'react-dom': ['client', 'console', 'src/web', 'samples', 'tests'],
  wouter: ['client', 'console', 'tests'],
  ky: ['operator'],
  i18next: ['src/domain/experience/translator.ts', 'src/outbound', 'tests'],
  'cloudflare:sockets': ['src/worker.ts', 'tests'],
  'cloudflare:workers': ['src/api', 'samples', 'tests'],
  standardwebhooks: ['samples', 'src/outbound', 'tests'],
  aws4fetch: ['src/outbound'],
  oauth4webapi: ['src/outbound', 'tests'],
}

const files = sourceFiles([
  'src',
  'client',
  'console',
  'operator',
  'bench',
  'scripts',
  'samples',
  'docs',
  'tests',
])
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
}).split('\n')
const layerOf = (file: string) =>
  Object.keys(layers)
    .sort((a, b) => b.length - a.length)
    .find((layer) => isIn(file, layer))

describe('the layers', () => {
  it('cover every file', () => {
    expect(files.filter((file) => !layerOf(file))).toEqual([])
    expect(files.length).toBeGreaterThan(600)
  })

  it('import values and types only from layers below them', () => {
    const strays = files.flatMap((file) => {
      const allowed = layers[layerOf(file) ?? ''] ?? []
      return importsOf(file)
        .filter((target) => isOurFile(target) && !allowed.some((folder) => isIn(target, folder)))
        .map((target) => `${file} imports ${target}`)
    })
    expect(strays).toEqual([])
  })

  it('import only packages that the table allows', () => {
    const strays = files.flatMap((file) =>
      importsOf(file).flatMap((target) => {
        const name = Object.keys(packages).find((name) => isIn(target, name))
        const allowed = name === undefined ? undefined : packages[name]
        return !allowed || allowed.some((folder) => isIn(file, folder)) ? [] : [`${file} imports ${target}`]
      }),
    )
    expect(strays).toEqual([])
  })

  it('contain no import cycles, not even of types', () => {
    expect(cycles(files, importsOf)).toEqual([])
  })

  it('contain no import cycles between the client’s folders', () => {
    const client = files.filter((file) => isIn(file, 'client'))
    const importedBy = (folder: string) =>
      client
        .filter((file) => path.dirname(file) === folder)
        .flatMap(importsOf)
        .map((file) => path.dirname(file))
    const folders = [...new Set(client.map((file) => path.dirname(file)))].filter((name) => name !== 'client')
    expect(folders.length).toBeGreaterThan(15)
    expect(cycles(folders, importedBy)).toEqual([])
  })

  it.each(Object.keys(chaptered))('divide %s only into the documented chapters', (layer) => {
    const folders = [...new Set(tracked.map((file) => path.dirname(file)))].filter((name) =>
      isIn(name, layer),
    )
    const isKnown = (folder: string) =>
      [...chapters, ...(chaptered[path.dirname(folder)] ?? [])].includes(path.basename(folder)) &&
      path.dirname(folder) in chaptered
    expect(folders.length).toBeGreaterThan(1)
    expect(folders.filter((folder) => folder !== layer && !isKnown(folder))).toEqual([])
  })

  it('have at most forty files in each folder', () => {
    const counts = new Map<string, number>()
    for (const folder of tracked.map((file) => path.dirname(file)))
      if (/^(?:src|client|console|operator|tests)\b/.test(folder))
        counts.set(folder, (counts.get(folder) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > 40).map(([folder]) => folder)).toEqual([])
  })

  it.each([
    // Each use case is a single file, so it has more imports than a file in another layer (ADR-0158).
    { folders: ['src', 'client', 'operator'], most: 13 },
    // A console page is composed of more parts than a file in another layer.
    { folders: ['console'], most: 14 },
  ])('have at most $most imports in nine of ten files of $folders', ({ folders, most }) => {
    const counts = files
      .filter((file) => folders.some((folder) => isIn(file, folder)))
      .map((file) => importsOf(file).filter((target) => !target.endsWith('.css')).length)
      .sort((a, b) => a - b)
    expect(counts[Math.floor(counts.length * 0.9)]).toBeLessThanOrEqual(most)
  })
})

describe('the boundaries between layers', () => {
  it('allow only the entry point to use the bindings', () => {
    const strays = files.filter(
      (file) => isIn(file, 'src') && file !== 'src/worker.ts' && importsOf(file).includes('src/bindings.ts'),
    )
    expect(strays.filter((file) => file !== 'src/app.ts')).toEqual([])
  })

  it('allow SQL only in the storage layer', () => {
    const sql = /\.batch\(|\bsql`/
    const strays = files.filter(
      (file) => isIn(file, 'src') && !isIn(file, 'src/storage') && sql.test(codeOf(file)),
    )
    expect(strays).toEqual([])
  })

  it('allow only one module to read a request’s cookies', () => {
    const parsing =
      /\b(?:parseCookie|getCookie|getSignedCookie)\b|\bparse\b[^;]*?from 'hono\/utils\/cookie'|\* as \w+ from '[^']*cookie'/
    const reading = /(?<!\.set\(|\bin: |from )(['"`])cookie\1|headers\.cookie\b|\.cookies\.get\(/i
    const readers = files.filter((file) => {
      const code = codeOf(file)
      return isIn(file, 'src') && (parsing.test(code) || reading.test(code))
    })
    expect(readers).toEqual(['src/contract/request-cookies.ts'])
  })

  it('allow only client/browser and the entry point to use browser APIs', () => {
    const browser =
      /\b(?:window|document|location|history|sessionStorage|localStorage|navigator)\.\w|\b(?:add|remove)EventListener\(/
    // The demo application is not part of the sign-in pages, so it may use browser APIs.
    const allowed = ['client/browser', 'client/entry.tsx', 'client/demo', 'client/public']
    const strays = files.filter(
      (file) =>
        isIn(file, 'client') &&
        !allowed.some((folder) => isIn(file, folder)) &&
        // The names of modules, such as account-document.tsx, may contain these words.
        browser.test(codeOf(file).replaceAll(/\bfrom '[^']+'/g, '')),
    )
    expect(strays).toEqual([])
  })

  it('keep schemas out of the client, because zod would add 90 kB to it', () => {
    const reachable = new Set<string>()
    const follow = (file: string) => {
      if (reachable.has(file)) return
      reachable.add(file)
      for (const target of targetsIn(file)) if (files.includes(target)) follow(target)
    }
    for (const file of files) if (isIn(file, 'client')) follow(file)
    expect([...reachable].filter((file) => /^src\/contract\/.*\.schema\.ts$/.test(file))).toEqual([])
  })

  it('require connector guides to be loaded lazily, and allow them only to describe factories', () => {
    const guides = 'src/outbound/guides'
    const importers = files.filter(
      (file) =>
        isIn(file, 'src') && !isIn(file, guides) && importsOf(file).some((target) => isIn(target, guides)),
    )
    expect(importers).toEqual(['src/application/connectors/describe.ts'])
    expect(importers.map(codeOf).join()).toMatch(/await import\('[^']*\/guides\/index\.ts'\)/)
  })

  it('keep the domain free of promises, clocks, randomness and network calls', () => {
    const impure = /\bawait\b|\basync\b|\bPromise\b|Date\.now|new Date\(\)|Math\.random|crypto\.|\bfetch\(/
    expect(files.filter((file) => isIn(file, 'src/domain') && impure.test(codeOf(file)))).toEqual([])
  })

  it('forbid meaningless names for files and folders', () => {
    const meaningless = /(?:^|\/)(?:utils?|helpers?|common|shared|lib|services?|misc)(?:\/|\.|$)/
    expect(files.filter((file) => meaningless.test(file))).toEqual([])
  })
})

/** Returns the groups of files or folders that form import cycles (Tarjan's strongly connected components). */
function cycles(nodes: readonly string[], importsOf: (node: string) => readonly string[]): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const groups: string[][] = []
  const visit = (file: string) => {
    order.set(file, order.size)
    lowest.set(file, order.size - 1)
    open.push(file)
    for (const target of importsOf(file)) {
      if (!nodes.includes(target)) continue
      if (!order.has(target)) visit(target)
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1) groups.push(group)
  }
  for (const file of nodes) if (!order.has(file)) visit(file)
  return groups
}
