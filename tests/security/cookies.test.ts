import { beforeAll, describe, expect, it } from 'vitest'
import { ORIGIN, PRODUCTION_ORIGIN } from '../kit/clients/cookie-client.ts'
import { setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { newArrival, newClient } from './parties.ts'

/**
 * All cookies, by name without the prefix. In development, cookies have no prefix, because browsers reject
 * prefixes over plain HTTP.
 */
const known: { name: RegExp; path: RegExp; isForScripts?: true }[] = [
  { name: /^_session(?:\.legacy)?(?:\.sig)?$/, path: /^\/$/ },
  { name: /^_interaction(?:\.sig)?$/, path: /^\/$/ },
  { name: /^_interaction_resume(?:\.sig)?$/, path: /^\/oidc\/auth\/[\w-]+$/ },
  { name: /^_interaction_[\w-]+$/, path: /^\/$/ },
  { name: /^_step_[\w-]+$/, path: /^\/$/ },
  { name: /^_known$/, path: /^\/$/ },
  { name: /^_returning$/, path: /^\/$/ },
  { name: /^i18next$/, path: /^\/$/, isForScripts: true },
  { name: /^_account(?:_flow_[\w-]+|_flash|_hint|_link|_address)?$/, path: /^\/$/ },
  { name: /^_social_return_[\w-]+$/, path: /^\/callback$/ },
  { name: /^_sign_in_test$/, path: /^\/$/ },
]

type Line = { name: string; prefix: string; value: string; attributes: Map<string, string>; origin: string }

function parse(line: string, origin: string): Line {
  const [pair = '', ...rest] = line.split(/;\s*/)
  const [name = '', value = ''] = pair.split(/=(.*)/)
  const attributes = new Map(
    rest.map((attribute) => {
      const [key = '', content = ''] = attribute.split(/=(.*)/)
      return [key.toLowerCase(), content]
    }),
  )
  return {
    name: withoutPrefix(name),
    prefix: name.slice(0, -withoutPrefix(name).length),
    value,
    attributes,
    origin,
  }
}

const seen: Line[] = []
const overhearing = (app: TestApp, origin: string): TestApp => ({
  ...app,
  async fetch(path, init) {
    const response = await app.fetch(new URL(path, origin).href, init)
    seen.push(...response.headers.getSetCookie().map((line) => parse(line, origin)))
    return response
  },
})

const SECURE = PRODUCTION_ORIGIN
const withoutPrefix = (name: string) => name.replace(/^__(?:Host|Secure)-/, '')

/** Registers through the API and through forms, signs in with `prompt=none`, chooses a language and signs out. */
async function live(origin: string) {
  const app = overhearing(openTestApp(origin === SECURE ? { ENVIRONMENT: 'production' } : {}), origin)
  const client = await newClient(app, 'SPA', { custom: { isThirdParty: true } })
  const { browser, request } = await newArrival(app, client)
  await browser.get(request.url)
  await browser.get(`${request.url}&prompt=login`)
  const redirect = await browser.get(`${request.url}&prompt=login`)
  const page = new URL(redirect.headers.get('location') ?? '', origin)
  const uid = page.searchParams.get('interaction') ?? ''
  await browser.get(`${page.pathname}${page.search}&lng=de`)
  await browser.post(page.pathname + page.search, { identifier: 'unknown', password: 'x' })
  const step = { identifier: { type: 'username', value: 'x' } }
  await browser.send('PUT', '/api/interaction/step', step, { Interaction: uid })
  await browser.send('DELETE', '/api/interaction', undefined, { Interaction: uid })
  await setTenantSettings(app, { accountCentre: { enabled: true } })
  await browser.get('/account')
  const question = await (await browser.get('/oidc/session/end', { accept: 'text/html' })).text()
  const xsrf = /name="xsrf" value="(\w+)"/.exec(question)?.[1] ?? ''
  await browser.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
}

beforeAll(async () => {
  await live(ORIGIN)
  await live(SECURE)
})

describe('every cookie', () => {
  it('is documented', () => {
    const unknown = seen.filter(({ name }) => !known.some((row) => row.name.test(name)))
    expect(unknown.map(({ name }) => name)).toEqual([])
    for (const expected of [
      '_session',
      '_interaction',
      '_interaction_resume',
      '_known',
      '_returning',
      'i18next',
      '_session.sig',
    ]) {
      expect(seen.map(({ name }) => name)).toContain(expected)
    }
    for (const expected of ['_interaction_', '_step_', '_account_flow_']) {
      expect(seen.some(({ name }) => name.startsWith(expected))).toBe(true)
    }
  })

  it('[ASVS-3.3.4] is hidden from scripts, except for the chosen language', () => {
    for (const { name, attributes } of seen) {
      const row = known.find((candidate) => candidate.name.test(name))
      expect([name, attributes.has('httponly')]).toEqual([name, row?.isForScripts !== true])
    }
  })

  it('[ASVS-3.3.2] is SameSite=Lax, so that forms on other sites do not send it', () => {
    for (const { name, attributes } of seen) {
      expect([name, attributes.get('samesite')?.toLowerCase()]).toEqual([name, 'lax'])
    }
  })

  it('[ASVS-3.3.1] is Secure on pages served over HTTPS', () => {
    for (const { name, attributes, origin } of seen) {
      expect([name, attributes.has('secure')]).toEqual([name, origin === SECURE])
    }
  })

  it('is sent only to its own host and to the path that needs it', () => {
    for (const { name, attributes } of seen) {
      expect([name, attributes.has('domain')]).toEqual([name, false])
      expect(attributes.get('path')).toMatch(known.find((row) => row.name.test(name))?.path ?? /^$/)
    }
  })

  it('[ASVS-3.3.1-2] has the prefix `__Host-` over HTTPS, or `__Secure-` if its path is not /', () => {
    for (const { name, prefix, attributes, origin } of seen) {
      const secure = attributes.get('path') === '/' ? '__Host-' : '__Secure-'
      expect([name, prefix]).toEqual([name, origin === SECURE ? secure : ''])
    }
  })

  it('[ASVS-3.3.5] is within the size limit that browsers impose', () => {
    for (const { name, value } of seen) expect(name.length + value.length).toBeLessThanOrEqual(4096)
  })

  it('[ASVS-7.2.1] is signed if it is from the OpenID Provider, and ignored if it has been modified', async () => {
    const app = openTestApp()
    const { browser, request } = await newArrival(app, await newClient(app, 'SPA'))
    const session = browser.cookies.get('_session')
    expect(session).toBeDefined()
    browser.cookies.set('_session', { value: `${session?.value}x`, path: '/' })
    const { status, headers } = await browser.get(`${request.url}&prompt=none`)
    expect([status, new URL(headers.get('location') ?? '').searchParams.get('error')]).toEqual([
      303,
      'login_required',
    ])
  })
})
