import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

describe.each(['development', 'production'])('a cached page served before routing, in %s', (ENVIRONMENT) => {
  let app: TestApp
  let client: CookieClient
  let page: string

  beforeAll(async () => {
    app = openTestApp({ ENVIRONMENT })
    client = newCookieClient(app)
    const request = await authorizationRequest({ redirect_uri: `${app.origin}/demo-app` })
    const uid = await openSignInPage(client, request)
    expect(uid).not.toBe('')
    page = `/sign-in?interaction=${uid}`
    await app.fetch(page)
  })

  /** The prefix of cookie names in the test's environment. */
  const prefix = ENVIRONMENT === 'production' ? '__Host-' : ''
  const languageCookie = (value: string, name = `${prefix}i18next`) => `${name}=${value}`
  const rows: [name: string, cookies: (sealed: string) => string, headers?: Record<string, string>][] = [
    ['the cookies of a browser', (sealed) => sealed],
    ['unrelated cookies', (sealed) => `a=b; c; =d; ${sealed};; e="f%20"`],
    [
      'spaces around the cookies',
      (sealed) => ` \t${sealed.replaceAll('; ', ' ;  ').replaceAll('=', ' =\t')}  `,
    ],
    ['a language', (sealed) => `${languageCookie('de')}; ${sealed}`],
    ['a percent-encoded language', (sealed) => `${sealed}; ${languageCookie('%64e')}`],
    ['a language in quotes', (sealed) => `${sealed}; ${languageCookie('"de"')}`],
    ['two languages', (sealed) => `${languageCookie('de')}; ${sealed}; ${languageCookie('fr')}`],
    [
      'a language in cookies of both environments',
      (sealed) => `${languageCookie('de', '__Host-i18next')}; ${sealed}; ${languageCookie('fr', 'i18next')}`,
    ],
    [
      'a language in a cookie with the prefix of a path',
      (sealed) => `${sealed}; ${languageCookie('de', '__Secure-i18next')}`,
    ],
    ['the language of the browser', (sealed) => sealed, { 'accept-language': 'fr;q=0.5, de' }],
    ['the user agent of a phone', (sealed) => sealed, { 'user-agent': 'iPhone' }],
    ['cookies that another host could have set', (sealed) => sealed.replaceAll(prefix || '_', '__')],
    ['a damaged cookie', (sealed) => sealed.replaceAll(/(_interaction_[\w-]+=..)./g, '$1!')],
    ['cookies with another prefix', (sealed) => sealed.replaceAll('_interaction', '__Secure-_interaction')],
    ['no cookies', () => ''],
  ]

  it.each(rows)(
    'is identical to the page from the router for a request with %s',
    async (_, cookies, headers = {}) => {
      const cookie = cookies(client.cookieHeader('/sign-in'))
      const request = async (target: TestApp) => {
        const answer = await target.fetch(page, { headers: { ...headers, cookie } })
        const own = { 'x-request-id': answer.headers.get('x-request-id')?.length }
        return {
          status: answer.status,
          headers: { ...Object.fromEntries(answer.headers), ...own },
          html: await answer.text(),
        }
      }
      // A new app has no cached page, so its router handles the first request.
      const first = await request(openTestApp({ ENVIRONMENT }))
      expect(await request(app)).toEqual(first)
      expect(await request(app)).toEqual(first)
    },
  )

  it('bypasses the router and URL parsing from the third request on', async () => {
    const cookie = client.cookieHeader('/sign-in')
    const countParsedUrls = (path: string) => urlsParsedBy(() => app.fetch(path, { headers: { cookie } }))
    // The first request renders the page, and the second request looks up its template.
    await countParsedUrls(page)
    await countParsedUrls(page)
    // The test itself parses one URL.
    expect(await countParsedUrls(page)).toBe(1)
    expect(await countParsedUrls(`${page}&other=`)).toBeGreaterThan(1)
  })
})

async function urlsParsedBy(run: () => Promise<unknown>): Promise<number> {
  const { URL } = globalThis
  let parsed = 0
  globalThis.URL = new Proxy(URL, {
    construct(target, args: [string]) {
      parsed++
      return new target(...args)
    },
  })
  await run().finally(() => {
    globalThis.URL = URL
  })
  return parsed
}
