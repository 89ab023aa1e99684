import { beforeAll, describe, expect, it } from 'vitest'
import { previewedAccountPages } from '../../../client/preview/account-pages.ts'
import type { BootData } from '../../../src/contract/interactions/boot.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const CONSOLE = 'https://console.example.com'

let app: TestApp
let operator: Operator
let client: CookieClient
let uid: string
beforeAll(async () => {
  app = openTestApp()
  await setTenantSettings(app, { previewOrigins: [CONSOLE] })
  operator = await newOperator(app)
  await operator.send('PATCH', '/sign-in-exp', { customCss: '.mine{color:red}' })
  client = newCookieClient(app)
  uid = await openSignInPage(client, await authorizationRequest())
})

const policyOf = (page: Response) => page.headers.get('content-security-policy') ?? ''
const contentIn = (html: string) => /<div id="app">(.*?)<\/div><script/s.exec(html)?.[1]
const bootIn = (html: string): BootData =>
  JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

describe('a preview', () => {
  it.each([
    '/sign-in',
    '/sign-in/password',
    '/sign-in/consent',
    '/sign-in/verification-code',
    '/register',
    '/register/password',
    '/forgot-password',
    '/forgot-password/reset',
    '/continue/emailOrPhone',
    '/unknown-session',
  ])('needs no interaction and is empty until it receives its first message: %s', async (path) => {
    const page = await app.fetch(`${path}?preview=true`)
    const html = await page.text()
    expect([page.status, contentIn(html)]).toEqual([200, ''])
    expect(bootIn(html)).toMatchObject({ path, interaction: null, preview: { origins: [CONSOLE] } })
  })

  it("can be framed only by its own origin and by the operator's preview origins", async () => {
    const page = await app.fetch('/sign-in?preview=true')
    expect(policyOf(page)).toContain(`; frame-ancestors 'self' ${CONSOLE};`)
    expect(page.headers.has('x-frame-options')).toBe(false)
  })

  it('contains no data from an interaction in the same browser', async () => {
    const html = await (await client.get(`/sign-in?preview=true&interaction=${uid}`)).text()
    const { interaction, navigation, restartUrl } = bootIn(html)
    expect({ interaction, navigation, restartUrl }).toEqual({
      interaction: null,
      navigation: null,
      restartUrl: null,
    })
  })

  it('does not contain the published custom CSS', async () => {
    const style = /<style[^>]*>\.mine/
    expect(await (await app.fetch('/sign-in?preview=true')).text()).not.toMatch(style)
    expect(await (await app.fetch('/unknown-session')).text()).toMatch(style)
  })

  it('redirects to the first page if its URL has no path', async () => {
    const page = await app.fetch('/?preview=true&lng=de')
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      'http://localhost:8787/sign-in?preview=true&lng=de',
    ])
  })

  it('offers all languages but does not remember the selected one', async () => {
    const page = await app.fetch('/sign-in?preview=true&lng=de')
    expect(page.headers.getSetCookie()).toEqual([])
    expect(bootIn(await page.text())).toMatchObject({ language: 'de', languages: { length: 32 } })
  })

  it('results in a 404 for an unknown page', async () => {
    expect((await app.fetch('/no-such-page?preview=true')).status).toBe(404)
  })
})

describe('a preview of the account centre', () => {
  it.each(previewedAccountPages)(
    'shows %s even if the tenant has disabled the account centre',
    async (path) => {
      expect((await app.fetch(path)).status).toBe(404)
      const page = await app.fetch(`${path}?preview=true`)
      const html = await page.text()
      expect([page.status, contentIn(html), bootIn(html).path]).toEqual([200, '', path])
      expect(policyOf(page)).toContain(`; frame-ancestors 'self' ${CONSOLE};`)
      const rules = ['.account-card{', 'html[data-theme=dark]{', '.countries{']
      expect(rules.map((rule) => html.includes(rule))).toEqual([true, true, false])
    },
  )

  it('contains none of the signed-in user’s data and sets no cookies', async () => {
    await operator.send('PATCH', '/configs/settings', { accountCentre: { enabled: true } })
    const visitor = await storeVisitor(app)
    const inspect = async (address: string) => {
      const page = await visitor.client.get(address)
      const html = await page.text()
      return [
        page.status,
        page.headers.getSetCookie().length,
        html.includes(visitor.username),
        contentIn(html),
      ]
    }
    expect(await inspect('/account')).toEqual([200, 0, true, undefined])
    expect(await inspect('/account?preview=true')).toEqual([200, 0, false, ''])
    expect(await inspect('/account/profile?preview=true')).toEqual([200, 0, false, ''])
    expect(await inspect('/account/sessions?preview=true')).toEqual([404, 0, false, ''])
  })
})

describe('a response that is not a preview', () => {
  it.each(['preview=1', 'preview=TRUE', 'preview', 'preview=false', ''])(
    'cannot be framed: a page with the query "%s"',
    async (query) => {
      const page = await client.get(`/sign-in?interaction=${uid}&${query}`)
      expect(page.status).toBe(200)
      expect(policyOf(page)).toContain("; frame-ancestors 'none';")
      const html = await page.text()
      expect(contentIn(html)).toContain('<main')
      expect(bootIn(html).preview).toBeNull()
    },
  )

  it.each(['/oidc/auth?client_id=unknown&preview=true', '/oidc/session/end/success?preview=true'])(
    'cannot be framed: a provider page at %s',
    async (address) => {
      expect(policyOf(await client.get(address, { accept: 'text/html' }))).toContain("frame-ancestors 'none'")
    },
  )

  it('cannot be framed: the response to a submitted form', async () => {
    const answer = await client.post(`/sign-in?preview=true&interaction=${uid}`, {
      interaction: uid,
      identifier: 'nobody',
      password: 'wrong-horse-7',
    })
    expect([answer.status, policyOf(answer)]).toEqual([
      422,
      expect.stringContaining("frame-ancestors 'none'"),
    ])
  })
})
