import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { applyChanges, diffFields, invertChanges } from '../../console/api/changes.ts'
import { defaultAfterSignOut } from '../../console/areas/applications/after-sign-out.ts'
import {
  type Api,
  type Application,
  createTrial,
  escapeForCode,
  toGuideValues,
} from '../../console/areas/applications/application.ts'
import { findGuides, renderSample, samples } from '../../console/areas/applications/guides/index.ts'
import type { GuideValues } from '../../console/areas/applications/guides/sample.ts'
import {
  applicationKinds,
  createApplicationBody,
  findKind,
  findMissingFields,
  kindRows,
} from '../../console/areas/applications/kinds.ts'
import { splitLines } from '../../console/ui/lines.ts'
import { findRedirectUriProblem } from '../../src/domain/applications/redirect-uri.ts'

/** Tests the pure functions of the applications area (spec/console#applications). */

const ISSUER = 'https://id.acme.example/oidc'
const folder = path.resolve(import.meta.dirname, '../../samples')

function application(kind: (typeof applicationKinds)[number], more: Partial<Application> = {}): Application {
  const redirectUris = kindRows[kind].redirectUris ?? []
  const postLogoutRedirectUris = defaultAfterSignOut(kind, redirectUris)
  return {
    ...createApplicationBody(kind, { name: 'Shop', redirectUris, postLogoutRedirectUris }),
    tenantId: 'default',
    id: 'shop-of-acme',
    description: null,
    secondFactorPolicy: null,
    createdAt: 1,
    rememberDays: null,
    secretCreatedAt: 1,
    previousSecret: null,
    claims: null,
    ...more,
  }
}

const api = (indicator: string, ...scopes: string[]): Api => ({
  tenantId: 'default',
  id: indicator,
  name: indicator,
  indicator,
  accessTokenTtl: 3600,
  claims: null,
  scopes: scopes.map((name) => ({
    tenantId: 'default',
    id: name,
    resourceId: indicator,
    name,
    description: null,
    createdAt: 1,
  })),
})

const shopApi = { indicator: 'https://orders.acme.example', scope: 'shop:read' }

/** The values of a web application with this redirect URI. */
const webValues = (redirectUri: string, more: Partial<GuideValues> = {}): GuideValues => ({
  issuer: ISSUER,
  clientId: 'shop-of-acme',
  redirectUris: [redirectUri],
  afterSignOut: ['https://shop.example/bye'],
  api: shopApi,
  ...more,
})

/** The sample in a folder, filled with values. */
function render(id: string, values: GuideValues) {
  const sample = samples.get(id)
  if (!sample) throw new Error(`no sample ${id}`)
  return renderSample(id, sample, values)
}
const textOf = ({ files, setup, install, run, opens }: ReturnType<typeof render>) =>
  [...Object.entries(files).flat(), setup, install, run, opens].join('\n')

describe.each(applicationKinds)('an application created as %s', (kind) => {
  it('is recognized as that kind, and has a redirect URI that the server accepts', () => {
    const row = kindRows[kind]
    expect(findKind(application(kind))).toBe(kind)
    for (const uri of [...(row.redirectUris ?? []), ...defaultAfterSignOut(kind, row.redirectUris ?? [])])
      expect(findRedirectUriProblem(uri, row)).toBe(null)
    expect(findGuides(kind, webValues('https://shop.example/')).length).toBeGreaterThan(0)
  })
})

it.each([
  { kind: 'web', name: ' ', redirectUris: [], after: [], missing: ['name', 'redirectUris'] },
  {
    kind: 'web',
    name: 'Shop',
    redirectUris: ['shop.example/callback'],
    after: [],
    missing: ['redirectUris'],
  },
  {
    kind: 'web',
    name: 'Shop',
    redirectUris: ['https://shop.example/a'],
    after: ['https://shop.example/'],
    missing: [],
  },
  {
    kind: 'web',
    name: 'Shop',
    redirectUris: ['https://shop.example/a'],
    after: ['shop.example'],
    missing: ['postLogoutRedirectUris'],
  },
  { kind: 'machine', name: 'Shop', redirectUris: [], after: [], missing: [] },
] as const)(
  'a new $kind application "$name" with the redirect URIs $redirectUris and $after lacks $missing',
  ({ kind, missing, after, ...fields }) => {
    expect(findMissingFields(kind, { ...fields, postLogoutRedirectUris: after })).toEqual(missing)
  },
)

it.each([
  { kind: 'spa', redirectUris: ['http://localhost:5173/'], after: ['http://localhost:5173/'] },
  { kind: 'web', redirectUris: ['https://shop.example/a/callback'], after: ['https://shop.example/'] },
  { kind: 'web', redirectUris: ['shop'], after: [] },
  {
    kind: 'native',
    redirectUris: ['com.example.app:/callback', 'http://127.0.0.1/callback', 'https://shop.example/app'],
    after: ['com.example.app:/signed-out', 'http://127.0.0.1/signed-out'],
  },
  { kind: 'agent', redirectUris: ['http://127.0.0.1/callback'], after: [] },
] as const)('users of a new $kind application at $redirectUris return to $after after signing out', (row) => {
  expect(defaultAfterSignOut(row.kind, row.redirectUris)).toEqual(row.after)
})

it.each(['native-node', 'custom-scheme', 'expo'])(
  'the guide of the sample %s for a new native application needs no other URLs than the registered ones',
  (id) => {
    const guide = render(id, toGuideValues(application('native'), ISSUER, []))
    const { redirectUri, afterSignOut } = samples.get(id)?.values ?? {}
    expect(guide.unregistered).toBe(null)
    expect(textOf(guide)).toContain(`'${redirectUri}'`)
    expect(textOf(guide)).toContain(`'${afterSignOut}'`)
  },
)

describe('the API in the guides of an application', () => {
  const apis = [
    api('urn:vestibule:management-api', 'all'),
    api('https://empty.example'),
    api('https://orders.example', 'orders:read', 'orders:write'),
    api('https://stock.example', 'stock:read'),
  ]
  const orders = { indicator: 'https://orders.example', scope: 'orders:read' }
  const stock = { indicator: 'https://stock.example', scope: 'stock:read' }
  const management = { indicator: 'urn:vestibule:management-api', scope: 'all' }
  it.each([
    { what: "the tenant's first one with a scope", allowedResources: null, expected: orders },
    { what: 'the first allowed one', allowedResources: ['https://stock.example'], expected: stock },
    {
      what: 'none if the allowed one has no scope',
      allowedResources: ['https://empty.example'],
      expected: null,
    },
    { what: 'none if the allowed one is gone', allowedResources: ['https://gone.example'], expected: null },
    { what: 'the management API', allowedResources: null, isAdmin: true, expected: management },
  ])('is $what', ({ allowedResources, isAdmin, expected }) => {
    const machine = application('machine', { customClientMetadata: { allowedResources } })
    expect(toGuideValues({ ...machine, ...(isAdmin && { isAdmin }) }, ISSUER, apis).api).toEqual(expected)
  })
})

/** The values that an application has: `http` is about the issuer, and the others say whether there is a value. */
const combinations = [true, false].flatMap((http) =>
  [true, false].flatMap((hasApi) =>
    [true, false].map((signout) => ({
      issuer: http ? 'http://localhost:8787/oidc' : ISSUER,
      api: hasApi ? shopApi : null,
      afterSignOut: signout ? ['https://shop.example/bye'] : [],
    })),
  ),
)

/** Example values of samples, and markers of conditional lines. */
const LEFTOVER =
  /id\.example\.com|my-client-id|api\.example\.com|orders:read|localhost:(?:3000|5173)|only: (?:http|api|signout)|\[object|undefined\//

const SampleDescription = z.strictObject({
  name: z.string().min(1),
  kinds: z.array(z.enum([...applicationKinds, 'api', 'webhook'])).min(1),
  setup: z.string().optional(),
  install: z.string().optional(),
  files: z.array(z.string()).min(1),
  run: z.string().optional(),
  opens: z.string().startsWith('/').optional(),
  library: z.url({ protocol: /^https$/ }),
  values: z.strictObject({ redirectUri: z.url(), afterSignOut: z.url().optional() }).optional(),
  fixedPath: z.literal(true).optional(),
  patternPaths: z.literal(true).optional(),
  executed: z.boolean(),
})

const MARKER = /\s*(?:\/\/|#|<!--|\{?\/\*)\s*only: \w+.*$/

/** Returns the lines that count as application code (samples/README.md). */
function applicationCode({ file, text }: { file: string; text: string }): string[] {
  if (/\.(?:ya?ml|toml|json)$/.test(file)) return []
  return text
    .replaceAll(/^import \([^)]*\)$/gm, '')
    .split('\n')
    .map((line) => line.replace(MARKER, '').trim())
    .filter((line) => !/^(?:package|import|using|use|from) .*$|^[\])}(;,]*$/.test(line))
}

it('samples/README.md lists every sample', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect([...samples.keys()].sort()).toEqual(folders.map(({ name }) => name).sort())
  const readme = readFileSync(path.join(folder, 'README.md'), 'utf8')
  const rows = [
    ...readme.matchAll(/^\| `([\w-]+)` +\| ([^|]+?) +\| ([^|]+?) +\| (yes|no) +\| ([\d-]*) +\|/gm),
  ]
  expect(
    rows.map(([, id, name, kinds, executed, date = '']) => ({
      id,
      name,
      kinds,
      executed,
      hasDate: /^\d{4}-\d\d-\d\d$/.test(date),
    })),
  ).toEqual(
    [...samples]
      .map(([id, { name, kinds, executed }]) => ({
        id,
        name,
        kinds: kinds.join(', '),
        executed: executed ? 'yes' : 'no',
        hasDate: executed,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
})

describe.each([...samples])('the sample %s', (id, sample) => {
  const hasRedirect = sample.values !== undefined
  const isWeb = sample.kinds.includes('web') || sample.kinds.includes('spa')
  const isReceiver = sample.kinds.includes('webhook')
  // No URL is the same as in the sample.
  const redirectUri = sample.kinds.includes('native')
    ? (sample.values?.redirectUri ?? '')
        .replace('com.example.app', 'com.acme.shop')
        .replace('/callback', '/back')
    : 'https://shop.example/back'

  it('has a valid description, and at most 60 lines of application code, none longer than 120', () => {
    expect(() => SampleDescription.parse(sample)).not.toThrow()
    const sources = sample.files.map((file) => {
      expect(existsSync(path.join(folder, id, file)), file).toBe(true)
      return { file, text: readFileSync(path.join(folder, id, file), 'utf8') }
    })
    expect(sources.flatMap(applicationCode).length).toBeLessThanOrEqual(60)
    const lines = sources.flatMap(({ text }) => text.split('\n')).map((line) => line.replace(MARKER, ''))
    expect(lines.filter((line) => line.length > 120)).toEqual([])
    if (isWeb) expect(sample).toMatchObject({ opens: expect.anything(), run: expect.anything() })
  })

  it('explains every secret that its command leaves open and the console does not show', () => {
    const { files, run = '' } = render(id, webValues(redirectUri))
    for (const [, name = ''] of run.matchAll(/\b(\w+)=…/g))
      if (!['CLIENT_SECRET', 'HOOK_SECRET'].includes(name))
        expect(Object.values(files).join('\n')).toMatch(new RegExp(`${name} [^.]*\\bopenssl rand`, 's'))
  })

  it.each(combinations)(
    'contains only the values of the application, with the issuer $issuer, the API $api and $afterSignOut after signing out',
    (more) => {
      const hookUrl = 'https://shop.example/vestibule/messages'
      const guide = render(id, { ...webValues(redirectUri), ...more, hookUrl })
      const text = textOf(guide)
      if (guide.lacksApi) return expect([sample.kinds, more.api]).toEqual([expect.anything(), null])
      expect(text.replace(/php -S localhost:\d+/, '')).not.toMatch(LEFTOVER)
      expect(text).toContain(isReceiver ? '/vestibule/messages' : more.issuer)
      if (isReceiver) return expect(text).not.toMatch(/[^/]\/hooks"?/)
      if (!sample.kinds.includes('api')) expect(text).toContain('shop-of-acme')
      if (more.api) expect(text).toContain(shopApi.indicator)
      if (more.afterSignOut.length > 0 && sample.values?.afterSignOut)
        expect(text).toMatch(/shop\.example\/bye|signed-out/)
      if (isWeb) expect(guide.opens).toMatch(/^https:\/\/shop\.example\//)
      expect(hasRedirect || guide.unregistered === null).toBe(true)
      for (const [name, code] of Object.entries(guide.files)) {
        const lang = /\.(?:m?js|ts|tsx)$/.exec(name)?.[0].replace('.mjs', 'js').replace('.', '')
        if (lang) expect(() => parseAst(code, { lang: lang as 'js' }), name).not.toThrow()
        // Without an API, no code names one, not even an empty one.
        if (lang && !more.api) expect(code).not.toMatch(/\bapi\b/)
      }
    },
  )

  it('escapes code in the URLs of an application', () => {
    const hostile = application('web')
    const address = `https://app.example/${[...'\'"`$\\{<>|&;'].map((end) => `${end}run`).join('')}`
    hostile.oidcClientMetadata.redirectUris = [address]
    hostile.oidcClientMetadata.postLogoutRedirectUris = [address]
    const values = {
      ...toGuideValues(hostile, ISSUER, [api(address, `'"run`)]),
      hookUrl: escapeForCode(address),
    }
    const guide = render(id, values)
    for (const [name, code] of Object.entries(guide.files)) {
      expect(code).not.toMatch(/['"`$\\{<>|]run/)
      if (/curl/.test(code)) expect(code.replaceAll(/'[^']*'|"[^"]*"/g, '')).not.toContain(';run')
      if (/\.(m?js|ts|tsx)$/.test(name)) expect(() => parseAst(code, { lang: 'tsx' }), name).not.toThrow()
    }
    expect(textOf(guide)).not.toMatch(/['"`$\\{<>|]run/)
  })
})

it('guides contain no invisible characters, which could disguise code that people copy', () => {
  const values = toGuideValues(application('web'), ISSUER, [
    api('https://api.example/\u202e\u200b', 'a\u2066b'),
  ])
  expect(values.api).toEqual({ indicator: 'https://api.example/%E2%80%AE%E2%80%8B', scope: 'a%E2%81%A6b' })
})

it('the guide for Spring quotes its values, which could otherwise be aliases, tags or numbers in YAML', () => {
  const values = { ...webValues('https://app.example/cb:'), clientId: '1e3' }
  const guide = findGuides('web', { ...values, api: { indicator: 'https://api.example', scope: '*all' } })
  const yaml = guide.find(({ id }) => id === 'java')?.files['src/main/resources/application.yaml']
  for (const value of [ISSUER, '1e3', 'https://app.example/cb:', '*all']) expect(yaml).toContain(`"${value}"`)
})

it.each([
  { redirectUri: 'http://localhost:4000/callback', port: '4000', local: null },
  { redirectUri: 'http://localhost/callback', port: '80', local: null },
  { redirectUri: 'http://shop.test/callback', port: '80', local: 'http://localhost:80/callback' },
  // The port of an https URL belongs to the proxy that terminates TLS.
  {
    redirectUri: 'https://shop.example:8443/callback',
    port: '3000',
    local: 'http://localhost:3000/callback',
  },
  { redirectUri: 'https://localhost:8443/callback', port: '3000', local: 'http://localhost:3000/callback' },
])('the guides for $redirectUri listen on port $port', ({ redirectUri, port, local }) => {
  for (const guide of findGuides('web', webValues(redirectUri))) {
    expect(textOf(guide), guide.id).toMatch(new RegExp(`\\b${port}\\b`))
    const setup = guide.localSetup && { ...guide.localSetup, local: new URL(guide.localSetup.local).href }
    const path = new URL(guide.unregistered ?? redirectUri).pathname
    expect(setup?.local ?? null).toBe(local && new URL(path, local).href)
    if (local) expect(findRedirectUriProblem(local, { type: 'Traditional' })).toBe(null)
  }
})

it.each([
  { id: 'node', redirectUris: ['https://shop.example/a'], uri: 'https://shop.example/a', unregistered: null },
  // The sample has a page of its own at the root.
  {
    id: 'node',
    redirectUris: ['https://shop.example/'],
    uri: 'https://shop.example/callback',
    unregistered: 'https://shop.example/callback',
  },
  { id: 'react', redirectUris: ['https://shop.example/'], uri: 'https://shop.example/', unregistered: null },
  // Express and Hono would read these paths as patterns.
  ...['/:back', '/back*', '/(back)'].flatMap((path) =>
    ['express', 'hono'].map((id) => ({
      ...{ id, redirectUris: [`https://shop.example${path}`], uri: 'https://shop.example/callback' },
      unregistered: 'https://shop.example/callback',
    })),
  ),
  {
    ...{ id: 'hono', redirectUris: ['https://shop.example/:back', 'https://shop.example/back'] },
    ...{ uri: 'https://shop.example/back', unregistered: null },
  },
  {
    id: 'node',
    redirectUris: [],
    uri: 'http://localhost:3000/callback',
    unregistered: 'http://localhost:3000/callback',
  },
])(
  'the sample $id for $redirectUris uses the redirect URI $uri',
  ({ id, redirectUris, uri, unregistered }) => {
    const guide = render(id, webValues('', { redirectUris, afterSignOut: [] }))
    expect(textOf(guide)).toContain(`'${uri}'`)
    expect(guide.unregistered).toBe(unregistered)
  },
)

it('a sample for browsers returns to the URL after signing out even if its redirect URI is another one', () => {
  const text = textOf(render('react', webValues('https://shop.example/back')))
  expect(text).toContain("redirect_uri: 'https://shop.example/back'")
  expect(text).toContain("post_logout_redirect_uri: 'https://shop.example/bye'")
})

it('a guide keeps the example host in calls of an API whose identifier is not a URL', () => {
  const api = { indicator: 'urn:acme:orders', scope: 'shop:read' }
  const text = textOf(render('node', webValues('https://shop.example/back', { api })))
  expect(text).toContain("'urn:acme:orders'")
  expect(text).toContain("'https://api.example.com/orders'")
})

describe('trying an application', () => {
  const custom = (customClientMetadata: Application['customClientMetadata']) =>
    application('web', { customClientMetadata })

  it('starts a sign-in that redirects to the first redirect URI', () => {
    const trial = createTrial(application('web'), ISSUER, 'challenge')
    expect(trial).toMatchObject({ kind: 'request', returnsTo: 'http://localhost:3000/callback' })
    const { origin, pathname, searchParams } = new URL('address' in trial ? trial.address : '')
    expect(origin + pathname).toBe(`${ISSUER}/auth`)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: 'shop-of-acme',
      redirect_uri: 'http://localhost:3000/callback',
      prompt: 'login',
      code_challenge: 'challenge',
    })
  })

  it.each([
    {
      what: "starts at the application's own page, with the issuer as a parameter",
      app: custom({ initiateLoginUri: 'https://shop.example/login?lang=de', fapi2: true }),
      trial: {
        kind: 'start',
        address: `https://shop.example/login?lang=de&iss=${encodeURIComponent(ISSUER)}`,
      },
    },
    { what: "isn't possible with FAPI 2.0", app: custom({ fapi2: true }), trial: { kind: 'pushed' } },
    { what: 'shows the calls for a machine', app: application('machine'), trial: { kind: 'commands' } },
    { what: 'shows the calls for a device', app: application('device'), trial: { kind: 'commands' } },
  ])('$what', ({ app, trial }) => {
    expect(createTrial(app, ISSUER, 'challenge')).toEqual(trial)
  })
})

describe('changes to merged metadata', () => {
  const merged = ['metadata']
  const stored = { name: 'Shop', metadata: { a: 1, list: ['x'] } }

  it('contain only keys that differ, and treat null like an absent key', () => {
    const next = { name: 'Shop', metadata: { a: 1, list: ['y'], b: true, c: null } }
    expect(diffFields(stored, next, merged)).toEqual({ metadata: { list: ['y'], b: true } })
    expect(diffFields(stored, { metadata: { a: 1, c: null } }, merged)).toEqual({})
    expect(diffFields(stored, { metadata: { a: 2 } }, [])).toEqual({ metadata: { a: 2 } })
  })

  it('are applied to the stored metadata', () => {
    expect(applyChanges(stored, { name: 'New', metadata: { b: true } }, merged)).toEqual({
      name: 'New',
      metadata: { a: 1, list: ['x'], b: true },
    })
  })

  it('can be undone for single keys', () => {
    const changes = { name: 'New', metadata: { list: ['y'], b: true } }
    expect(invertChanges(stored, changes, merged)).toEqual({
      name: 'Shop',
      metadata: { list: ['x'], b: null },
    })
  })
})

it('blank lines in a list are ignored', () => {
  expect(splitLines(' https://a.example \n\nhttps://b.example\n')).toEqual([
    'https://a.example',
    'https://b.example',
  ])
  expect(splitLines('\n')).toEqual([])
})
