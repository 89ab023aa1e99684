import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { beforeOf, changesOf, withFields } from '../../console/api/changes.ts'
import { type Application, guideValues, trialOf } from '../../console/areas/applications/application.ts'
import { localOf } from '../../console/areas/applications/guides/guide.ts'
import { guides, guidesFor } from '../../console/areas/applications/guides/index.ts'
import { kindOf, kindRows, kinds, lackedOf, newApplication } from '../../console/areas/applications/kinds.ts'
import { linesIn } from '../../console/ui/lines.ts'
import { redirectFault } from '../../src/domain/redirect-uri.ts'

/** The pure parts of the area of applications (spec/console#applications). */

const ISSUER = 'https://id.acme.example/oidc'

function application(kind: (typeof kinds)[number], more: Partial<Application> = {}): Application {
  const { redirectUri } = kindRows[kind]
  return {
    ...newApplication(kind, { name: 'Shop', redirectUris: redirectUri === null ? [] : [redirectUri] }),
    ...{ tenantId: 'default', id: 'shop-of-acme', description: null, secondFactorPolicy: null, createdAt: 1 },
    ...more,
  }
}

describe.each(kinds)('an application made as %s', (kind) => {
  it('is that kind again when it is read, with a redirect URI that the server takes', () => {
    const row = kindRows[kind]
    expect(kindOf(application(kind))).toBe(kind)
    expect(row.redirectUri && redirectFault(row.redirectUri, row)).toBe(null)
    expect(guidesFor(kind).length).toBeGreaterThan(0)
  })
})

it.each([
  { kind: 'web', name: ' ', redirectUris: [], lacked: ['name', 'redirectUris'] },
  { kind: 'web', name: 'Shop', redirectUris: ['shop.example/callback'], lacked: ['redirectUris'] },
  { kind: 'web', name: 'Shop', redirectUris: ['https://shop.example/callback'], lacked: [] },
  { kind: 'machine', name: 'Shop', redirectUris: [], lacked: [] },
] as const)(
  'a new $kind application "$name" with $redirectUris lacks $lacked',
  ({ kind, lacked, ...begun }) => {
    expect(lackedOf(kind, begun)).toEqual(lacked)
  },
)

it('a guide whose code listens here says so where the redirect URI leads elsewhere', () => {
  const web = guidesFor('web').filter(({ listens }) => listens)
  expect(web.map(({ id }) => id)).toContain('node')
  for (const guide of web) {
    const values = {
      ...guideValues(application('web'), ISSUER),
      redirectUri: 'https://shop.example/callback',
    }
    const local = 'http://localhost:3000/callback'
    expect(localOf(guide, values)).toEqual({ port: '3000', origin: 'https://shop.example', local })
    expect(redirectFault(local, { type: 'Traditional' })).toBe(null)
    expect(localOf(guide, { ...values, redirectUri: local })).toBe(null)
  }
  expect(guides.filter(({ listens, files }) => !listens && /portOf/.test(String(files)))).toEqual([])
})

describe.each(guides)('the guide $id', (guide) => {
  const {
    kinds: [kind = 'web'],
    files,
    opens,
  } = guide

  it.each([ISSUER, 'http://localhost:8787/oidc'])('is for their application at %s', (issuer) => {
    const values = guideValues(application(kind), issuer)
    // Machines and devices have no redirect URI.
    expect(() => localOf(guide, values)).not.toThrow()
    const made = files(values)
    const text = made.map(({ code }) => code).join('\n')
    expect(text).toContain(values.clientId)
    expect(text).toContain(issuer)
    if (kind === 'web' || kind === 'spa') {
      const { host, pathname } = new URL(values.redirectUri)
      expect(text).toContain(host)
      expect(text).toContain(pathname)
    }
    expect(opens !== undefined).toBe(kind === 'web')
    const named = made.map(({ name }) => name).join('\n') + text
    if (opens) expect(named).toContain(new URL(opens(values)).pathname)
    expect(text).not.toMatch(/undefined\/|\[object|\$\{(?!CLIENT)|: undefined/)
    for (const { name, code } of made) {
      const [, lang] = /\.(mjs|js|ts|tsx)$/.exec(name) ?? []
      if (lang)
        expect(() => parseAst(code, { lang: lang === 'mjs' ? 'js' : (lang as 'js') }), name).not.toThrow()
    }
  })
})

it.each(guides)(
  'the guide $id runs nothing that an address of the application says',
  ({ kinds: [kind = 'web'], files }) => {
    const hostile = application(kind)
    const address = `https://app.example/${[...'\'"`$\\{<>|&;'].map((end) => `${end}run`).join('')}`
    hostile.oidcClientMetadata.redirectUris = [address]
    hostile.oidcClientMetadata.postLogoutRedirectUris = [address]
    hostile.customClientMetadata.allowedResources = [address]
    const made = files(guideValues(hostile, ISSUER))
    for (const { name, code } of made) {
      expect(code).not.toMatch(/['"`$\\{<>|]run/)
      if (/curl/.test(code)) expect(code.replaceAll(/'[^']*'|"[^"]*"/g, '')).not.toContain('run')
      if (/\.(mjs|js|ts|tsx)$/.test(name)) expect(() => parseAst(code, { lang: 'tsx' }), name).not.toThrow()
    }
  },
)

it('plain http is allowed in a guide for a server of the own machine alone', () => {
  const [node] = guidesFor('web')
  const codeFor = (issuer: string) => node?.files(guideValues(application('web'), issuer))[0]?.code
  expect(codeFor('http://localhost:8787/oidc')).toContain('allowInsecureRequests')
  expect(codeFor(ISSUER)).not.toContain('allowInsecureRequests')
})

describe('trying an application', () => {
  const custom = (customClientMetadata: Application['customClientMetadata']) =>
    application('web', { customClientMetadata })

  it('opens its sign-in, whose answer comes to its first redirect URI', () => {
    const trial = trialOf(application('web'), ISSUER, 'challenge')
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
      what: 'begins at its own page, which is told the provider',
      given: custom({ initiateLoginUri: 'https://shop.example/login?lang=de', fapi2: true }),
      trial: {
        kind: 'start',
        address: `https://shop.example/login?lang=de&iss=${encodeURIComponent(ISSUER)}`,
      },
    },
    { what: 'is not possible with FAPI 2.0', given: custom({ fapi2: true }), trial: { kind: 'pushed' } },
    { what: 'is a call for a machine', given: application('machine'), trial: { kind: 'commands' } },
    { what: 'is a call for a device', given: application('device'), trial: { kind: 'commands' } },
  ])('$what', ({ given, trial }) => {
    expect(trialOf(given, ISSUER, 'challenge')).toEqual(trial)
  })
})

describe('changes of merged metadata', () => {
  const merged = ['metadata']
  const stored = { name: 'Shop', metadata: { a: 1, list: ['x'] } }

  it('are its keys that differ; null and absence are the same', () => {
    const wanted = { name: 'Shop', metadata: { a: 1, list: ['y'], b: true, c: null } }
    expect(changesOf(stored, wanted, merged)).toEqual({ metadata: { list: ['y'], b: true } })
    expect(changesOf(stored, { metadata: { a: 1, c: null } }, merged)).toEqual({})
    expect(changesOf(stored, { metadata: { a: 2 } }, [])).toEqual({ metadata: { a: 2 } })
  })

  it('are seen on top of what is stored', () => {
    expect(withFields(stored, { name: 'New', metadata: { b: true } }, merged)).toEqual({
      name: 'New',
      metadata: { a: 1, list: ['x'], b: true },
    })
  })

  it('are taken back key by key', () => {
    const changes = { name: 'New', metadata: { list: ['y'], b: true } }
    expect(beforeOf(stored, changes, merged)).toEqual({ name: 'Shop', metadata: { list: ['x'], b: null } })
  })
})

it('blank lines of a list are no values', () => {
  expect(linesIn(' https://a.example \n\nhttps://b.example\n')).toEqual([
    'https://a.example',
    'https://b.example',
  ])
  expect(linesIn('\n')).toEqual([])
})
