import { beforeAll, describe, expect, it } from 'vitest'
import type { BootData } from '../../../src/contract/interactions/boot.ts'
import { interactionCookieName } from '../../../src/storage/interactions/interaction-cookies.ts'
import { createInteractionStore } from '../../../src/storage/interactions/interactions.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  ORIGIN,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let client: CookieClient
let uid: string

beforeAll(async () => {
  app = openTestApp()
  client = newCookieClient(app)
  uid = await openSignInPage(client, await authorizationRequest({ ui_locales: 'de' }))
})

/** Returns the hash of a style as a CSP source. */
async function hashOf(css: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(css))
  return `'sha256-${new Uint8Array(hash).toBase64()}'`
}

async function bootOf(page: Response): Promise<BootData> {
  const json = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(await page.text())?.[1]
  return JSON.parse(json ?? 'null')
}

describe('a page of an interaction', () => {
  it('is rendered in the request’s language and contains everything that hydration needs', async () => {
    const page = await client.get(`/sign-in?interaction=${uid}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-language')).toBe('de')
    expect(await bootOf(page)).toMatchObject({
      origin: ORIGIN,
      path: '/sign-in',
      search: `?interaction=${uid}`,
      language: 'de',
      interaction: uid,
      platform: 'web',
      error: null,
    })
  })

  it('includes its interaction in every form', async () => {
    const html = await (await client.get(`/sign-in?interaction=${uid}`)).text()
    expect(html).toContain(`action="/sign-in?interaction=${uid}" method="post"`)
    expect(html).toContain(`name="interaction" value="${uid}"`)
  })

  it('allows its forms to redirect to the application', async () => {
    const page = await client.get(`/sign-in?interaction=${uid}`)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toMatch(/; form-action 'self' http:\/\/localhost:8787$/)
    expect(policy).not.toContain('unsafe')
  })

  it('[ASVS-3.6.1] contains only scripts and styles that its content security policy allows', async () => {
    const page = await client.get(`/sign-in?interaction=${uid}`)
    const policy = page.headers.get('content-security-policy')
    const html = await page.text()
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css)
    const hashes = await Promise.all(styles.map(hashOf))
    expect(policy).toContain(`; style-src ${hashes.join(' ')} 'self'; `)
    expect(styles).toHaveLength(html.match(/<style/g)?.length ?? 0)
    for (const [, attributes] of html.matchAll(/<script([^>]*)>/g)) {
      expect(attributes).toMatch(/^ type="(?:application\/json" id="boot|module" src="\/assets\/[^"]+)"$/)
    }
    expect(html).not.toMatch(/<[^>]+ (?:on\w+|style)=/)
  })

  it('needs neither the database nor the network once the settings are cached', async () => {
    // Refresh the cache, so that no cached value expires during the test.
    await client.get(`/sign-in?interaction=${uid}&no_cache`)
    await app.fetch('/sign-in')
    app.trips()
    for (const path of ['/sign-in', '/register', '/sign-in/consent', '/unknown-session', '/demo-app', '/']) {
      await client.get(`${path}?interaction=${uid}`)
      await app.fetch(path)
    }
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
  })

  it('is the same for all users, except for the interaction', async () => {
    const other = newCookieClient(app)
    const otherUid = await openSignInPage(other, await authorizationRequest({ ui_locales: 'de' }))
    const mine = await (await client.get(`/sign-in?interaction=${uid}`)).text()
    const theirs = await (await other.get(`/sign-in?interaction=${otherUid}`)).text()
    expect(theirs).toContain(otherUid)
    expect(theirs).not.toContain(uid)
    const plain = (html: string, id: string) =>
      html
        .replaceAll(id, '')
        .replaceAll(/nonce="[^"]+"/g, '')
        .replace(/<script type="application\/json".*?<\/script>/s, '')
    expect(plain(theirs, otherUid)).toBe(plain(mine, uid))
  })

  it('uses the interaction from the provider’s cookie if the URL does not name one', async () => {
    expect(await bootOf(await client.get('/sign-in'))).toMatchObject({ interaction: uid })
  })

  // The specification: "Paths starting with /sign-in, /callback or /consent: 'sign in' […] Other paths: the product
  // name"
  it.each([
    ['/sign-in/nowhere', 'Anmelden'],
    ['/callback', 'Anmelden'],
    ['/consent', 'Anmelden'],
    ['/register/nowhere', 'Konto erstellen'],
    ['/forgot-password/nowhere', 'Passwort zurücksetzen'],
    ['/nowhere', '404 Nicht gefunden · Vestibule'],
  ])('has the title for its path even if there is no page: %s', async (path, title) => {
    const response = await client.get(`${path}?interaction=${uid}`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain(`<title>${title}</title>`)
  })

  it('responds to HEAD like GET, but without a body', async () => {
    const head = await app.fetch('/unknown-session', { method: 'HEAD' })
    expect(head.status).toBe(400)
    expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await head.text()).toBe('')
  })
})

describe('the language parameter in the URL', () => {
  const languageOf = (page: Response) => page.headers.get('content-language')

  it('is remembered for the following pages', async () => {
    const client = newCookieClient(app)
    expect(languageOf(await client.get('/unknown-session?lng=de-AT'))).toBe('de')
    expect(client.cookies.get('i18next')).toEqual({ value: 'de', path: '/' })
    expect(languageOf(await client.get('/unknown-session'))).toBe('de')
  })

  it('is stored for a year in a cookie that is also sent when an application redirects to the page', async () => {
    const page = await app.fetch('/unknown-session?lng=de')
    expect(page.headers.getSetCookie()).toEqual(['i18next=de; Max-Age=31536000; Path=/; SameSite=Lax'])
  })

  it.each(['/unknown-session', '/unknown-session?lng=tlh', '/unknown-session?lng='])(
    'is not remembered if it is missing or unknown: %s',
    async (path) => {
      expect((await app.fetch(path)).headers.getSetCookie()).toEqual([])
    },
  )
})

describe('a request without a cookie', () => {
  it.each(['/', '/sign-in', '/register/password', '/sign-in/consent', '/sign-in?interaction=forged-uid'])(
    'is redirected from %s to the page for unknown sessions',
    async (path) => {
      const answer = await app.fetch(path)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe('/unknown-session')
    },
  )

  it('is redirected even if it has another interaction’s cookie', async () => {
    const cookie = client.cookies.get(interactionCookieName(uid))?.value
    const answer = await app.fetch('/sign-in?interaction=another-one', {
      headers: { cookie: `${interactionCookieName('another-one')}=${cookie}` },
    })
    expect(answer.headers.get('location')).toBe('/unknown-session')
  })

  it('results in the not-found page if its path is unknown', async () => {
    const answer = await app.fetch('/no/such/page')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })
})

describe('a page that was left open', () => {
  it('offers to repeat the authorization request that it came from', async () => {
    const seals = createSeals(app.env.ROOT_SECRET ?? '')
    const request = { client_id: 'demo-app', scope: 'openid profile', redirect_uri: `${ORIGIN}/demo-app` }
    const interactions = createInteractionStore(app.env.INTERACTIONS, seals).of('default')
    const sealed = await interactions.sealCookie('long-gone', { exp: 1, clientId: 'demo-app', request })
    const page = await app.fetch('/sign-in?interaction=long-gone', {
      headers: { cookie: `${interactionCookieName('long-gone')}=${sealed}` },
    })
    const restartUrl = `/oidc/auth?${new URLSearchParams(request)}`
    expect(page.status).toBe(400)
    expect(await bootOf(page)).toMatchObject({ restartUrl, error: { code: 'session.not_found' } })
  })
})

describe('when the database fails', () => {
  it('the server responds with an error page that needs no settings', async () => {
    const broken = openTestApp()
    broken.beforeEachTrip(() => {
      throw new Error('D1_ERROR: Network connection lost.')
    })
    const page = await broken.fetch('/unknown-session', { headers: { 'accept-language': 'de' } })
    expect(page.status).toBe(503)
    expect(page.headers.get('retry-after')).toBe('1')
    expect(page.headers.get('content-language')).toBe('de')
    expect(await bootOf(page)).toMatchObject({ error: { code: 'server.unavailable' } })
  })
})

describe('the demo application', () => {
  it('is styled before its script runs, and explains that it needs JavaScript', async () => {
    const page = await app.fetch('/demo-app')
    const nonce = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1]
    const html = await page.text()
    expect(html).toMatch(new RegExp(`<style nonce="${nonce?.replaceAll(/[+/]/g, '.')}">[^<]*#demo`))
    expect(html).toMatch(/<noscript>.*needs JavaScript/)
  })

  it('says that it signs the user in while its script exchanges the code', async () => {
    const htmlAt = async (path: string) => (await app.fetch(path)).text()
    expect(await htmlAt('/demo-app?code=1&state=2')).toContain('<h1>Signing you in…</h1>')
    expect(await htmlAt('/demo-app')).not.toContain('Signing you in')
  })

  it('is a separate page without boot data', async () => {
    const page = await app.fetch('/demo-app')
    expect(page.headers.get('content-security-policy')).toMatch(/connect-src 'self';.* form-action 'self'$/)
    const html = await page.text()
    expect(html).toContain('<noscript>')
    expect(html).not.toContain('id="boot"')
  })
})
