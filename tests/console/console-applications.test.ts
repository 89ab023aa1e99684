import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseAst } from 'vite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { applyChanges, diffFields, invertChanges } from '../../console/api/changes.ts'
import { type Application, createTrial, toGuideValues } from '../../console/areas/applications/application.ts'
import { findLocalSetup } from '../../console/areas/applications/guides/guide.ts'
import { guides } from '../../console/areas/applications/guides/index.ts'
import {
  applicationKinds,
  createApplicationBody,
  findKind,
  findMissingFields,
  kindRows,
} from '../../console/areas/applications/kinds.ts'
import { splitLines } from '../../console/ui/lines.ts'
import { findRedirectUriProblem } from '../../src/domain/applications/redirect-uri.ts'
import { freePort } from '../kit/free-port.ts'

/** Tests the pure functions of the applications area (spec/console#applications). */

const ISSUER = 'https://id.acme.example/oidc'

const guidesFor = (kind: (typeof applicationKinds)[number]) =>
  guides.filter((guide) => guide.kinds.includes(kind))

function application(kind: (typeof applicationKinds)[number], more: Partial<Application> = {}): Application {
  const { redirectUri } = kindRows[kind]
  return {
    ...createApplicationBody(kind, { name: 'Shop', redirectUris: redirectUri === null ? [] : [redirectUri] }),
    ...{ tenantId: 'default', id: 'shop-of-acme', description: null, secondFactorPolicy: null, createdAt: 1 },
    rememberDays: null,
    claims: null,
    ...more,
  }
}

describe.each(applicationKinds)('an application created as %s', (kind) => {
  it('is recognized as that kind, and has a redirect URI that the server accepts', () => {
    const row = kindRows[kind]
    expect(findKind(application(kind))).toBe(kind)
    expect(row.redirectUri && findRedirectUriProblem(row.redirectUri, row)).toBe(null)
    expect(guidesFor(kind).length).toBeGreaterThan(0)
  })
})

it.each([
  { kind: 'web', name: ' ', redirectUris: [], missing: ['name', 'redirectUris'] },
  { kind: 'web', name: 'Shop', redirectUris: ['shop.example/callback'], missing: ['redirectUris'] },
  { kind: 'web', name: 'Shop', redirectUris: ['https://shop.example/callback'], missing: [] },
  { kind: 'machine', name: 'Shop', redirectUris: [], missing: [] },
] as const)(
  'a new $kind application "$name" with the redirect URIs $redirectUris lacks the fields $missing',
  ({ kind, missing, ...fields }) => {
    expect(findMissingFields(kind, fields)).toEqual(missing)
  },
)

it('a guide that shows the name of the user reads it from userinfo', () => {
  const named = guides.filter(({ files }) =>
    /\bname \?\?/.test(Object.values(files(webValues('https://shop.example/'))).join()),
  )
  expect(named.map(({ id }) => id)).toEqual(['react', 'vue', 'browser'])
  for (const { id, files } of named)
    expect(Object.values(files(webValues('https://shop.example/'))).join(), id).toContain(
      'loadUserInfo: true',
    )
})

it('a guide explains how to run the code locally if the redirect URI is not local', () => {
  const web = guidesFor('web').filter(({ port }) => port !== undefined)
  expect(web.map(({ id }) => id)).toContain('node')
  for (const guide of web) {
    const values = {
      ...toGuideValues(application('web'), ISSUER),
      redirectUri: 'https://shop.example/callback',
    }
    const local = 'http://localhost:3000/callback'
    expect(findLocalSetup(guide, values)).toEqual({ port: '3000', origin: 'https://shop.example', local })
    expect(findRedirectUriProblem(local, { type: 'Traditional' })).toBe(null)
    expect(findLocalSetup(guide, { ...values, redirectUri: local })).toBe(null)
  }
  expect(guides.filter(({ port, files }) => !port && /listeningPort/.test(String(files)))).toEqual([])
})

/** The values that guides show for a web application with this redirect URI. */
const webValues = (redirectUri: string, issuer = ISSUER) => ({
  ...toGuideValues(application('web'), issuer),
  redirectUri,
})

it.each([
  { redirectUri: 'http://localhost:4000/callback', port: '4000', local: null },
  { redirectUri: 'http://localhost/callback', port: '80', local: null },
  { redirectUri: 'http://shop.test/callback', port: '80', local: 'http://localhost/callback' },
  // The port of an https URL belongs to the proxy that terminates TLS.
  {
    redirectUri: 'https://shop.example:8443/callback',
    port: '3000',
    local: 'http://localhost:3000/callback',
  },
  { redirectUri: 'https://localhost:8443/callback', port: '3000', local: 'http://localhost:3000/callback' },
])('the guides for $redirectUri listen on port $port', ({ redirectUri, port, local }) => {
  const values = webValues(redirectUri)
  for (const guide of guidesFor('web').filter(({ port }) => port !== undefined)) {
    expect(findLocalSetup(guide, values)?.local ?? null, guide.id).toBe(local)
    const text = [...Object.values(guide.files(values)), guide.run?.(values)].join('\n')
    // The .NET guide contains a URL, in which the default port is omitted.
    const place = guide.id === 'dotnet' && port === '80' ? new URL(redirectUri).origin : port
    expect(text, guide.id).toMatch(new RegExp(`\\b${place}\\b`))
  }
})

it.each(guidesFor('web'))('the guide $id sets Secure cookies for an https redirect URI', ({ files }) => {
  const text = Object.values(files(webValues('https://shop.example/callback'))).join('\n')
  expect(text).toMatch(/secure.*(?:starts_?with|HasPrefix|Always)|starts_?with.*secure/i)
})

it.each([
  { id: 'node', redirectUri: 'https://shop.example/callback', isSecure: true },
  { id: 'hono', redirectUri: 'https://shop.example/callback', isSecure: true },
  { id: 'node', redirectUri: 'http://localhost/callback', isSecure: false },
])(
  'the server in the guide $id supports the redirect URI $redirectUri behind a proxy',
  async ({ id, redirectUri, isSecure }) => {
    const provider = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }))
    }).listen(0)
    await once(provider, 'listening')
    onTestFinished(() => void provider.close())
    const issuer = `http://localhost:${(provider.address() as AddressInfo).port}/oidc`

    const values = webValues(redirectUri, issuer)
    const guide = guidesFor('web').find((each) => each.id === id)
    const port = await freePort()
    const [code = ''] = Object.values(guide?.files(values) ?? {})
    const listening = code.replace(/(?<=listen\(|port: )(?:3000|80)\b/, String(port))
    const child = spawn(process.execPath, ['--input-type=module', '--eval', listening], {
      env: { ...process.env, CLIENT_SECRET: 'secret', COOKIE_SECRET: 'secret' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    const signIn = () => fetch(`http://localhost:${port}/sign-in`, { redirect: 'manual' }).catch(() => null)
    await expect.poll(async () => (await signIn())?.status, { timeout: 10_000 }).toBe(302)
    const { headers } = (await signIn()) as Response
    expect(new URL(headers.get('location') ?? '').searchParams.get('redirect_uri')).toBe(redirectUri)
    expect(headers.getSetCookie()).toHaveLength(1)
    expect(/; secure\b/i.test(headers.getSetCookie()[0] ?? '')).toBe(isSecure)
  },
)

it.each([
  { redirectUri: 'http://127.0.0.1/back', path: '/back', isLoopback: true },
  // The program listens on 127.0.0.1, so this redirect URI on localhost refers to another host.
  { redirectUri: 'http://localhost:8080/back', path: '/callback', isLoopback: false },
  { redirectUri: 'com.example.app:/back', path: '/callback', isLoopback: false },
])(
  'the terminal guide for $redirectUri receives the response at $path',
  ({ redirectUri, path, isLoopback }) => {
    const [code = ''] = Object.values(
      guides.find(({ id }) => id === 'terminal')?.files({ ...webValues(redirectUri) }) ?? {},
    )
    expect(code).toContain(`address().port + '${path}'`)
    expect(code.includes('Register http://127.0.0.1/callback')).toBe(!isLoopback)
  },
)

it('the Kotlin guide lets the app open only https URLs that match its redirect URI', () => {
  const files = guides.find(({ id }) => id === 'kotlin')?.files(webValues('https://app.example/back')) ?? {}
  const text = Object.values(files).join('\n')
  expect(text).not.toContain('["appAuthRedirectScheme"] = "https"')
  expect(text).toContain('<data android:scheme="https" android:host="app.example" android:path="/back" />')
})

describe.each(guides)('the guide $id', (guide) => {
  const {
    kinds: [kind = 'web'],
    files,
    opens,
  } = guide

  it.each([ISSUER, 'http://localhost:8787/oidc'])(
    "contains the application's values and the issuer %s",
    (issuer) => {
      const values = toGuideValues(application(kind), issuer)
      // Machines and devices have no redirect URI.
      expect(() => findLocalSetup(guide, values)).not.toThrow()
      const project = files(values)
      const text = Object.values(project).join('\n')
      expect(text).toContain(values.clientId)
      expect(text).toContain(issuer)
      if (kind === 'web' || kind === 'spa') {
        const { host, pathname } = new URL(values.redirectUri)
        expect(text).toContain(host)
        expect(text).toContain(pathname)
      }
      expect(opens !== undefined).toBe(kind === 'web')
      const named = Object.keys(project).join('\n') + text
      if (opens) expect(named).toContain(new URL(opens(values)).pathname)
      expect(text).not.toMatch(/undefined\/|\[object|\$\{(?!CLIENT)|: undefined/)
      for (const [name, code] of Object.entries(project)) {
        const [, lang] = /\.(mjs|js|ts|tsx)$/.exec(name) ?? []
        if (lang)
          expect(() => parseAst(code, { lang: lang === 'mjs' ? 'js' : (lang as 'js') }), name).not.toThrow()
      }
    },
  )
})

it.each(guides)(
  'the guide $id escapes code in the URLs of an application',
  ({ kinds: [kind = 'web'], files }) => {
    const hostile = application(kind)
    const address = `https://app.example/${[...'\'"`$\\{<>|&;'].map((end) => `${end}run`).join('')}`
    hostile.oidcClientMetadata.redirectUris = [address]
    hostile.oidcClientMetadata.postLogoutRedirectUris = [address]
    hostile.customClientMetadata.allowedResources = [address]
    const project = files(toGuideValues(hostile, ISSUER))
    for (const [name, code] of Object.entries(project)) {
      expect(code).not.toMatch(/['"`$\\{<>|]run/)
      if (/curl/.test(code)) expect(code.replaceAll(/'[^']*'|"[^"]*"/g, '')).not.toContain('run')
      if (/\.(mjs|js|ts|tsx)$/.test(name)) expect(() => parseAst(code, { lang: 'tsx' }), name).not.toThrow()
    }
  },
)

it('a guide allows plain http only for a server on the local machine', () => {
  const [node] = guidesFor('web')
  const codeFor = (issuer: string) =>
    Object.values(node?.files(toGuideValues(application('web'), issuer)) ?? {})[0]
  expect(codeFor('http://localhost:8787/oidc')).toContain('allowInsecureRequests')
  expect(codeFor(ISSUER)).not.toContain('allowInsecureRequests')
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
