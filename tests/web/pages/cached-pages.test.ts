import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

describe.each(['development', 'production'])(
  'a page that is answered in front of the routes, in %s',
  (ENVIRONMENT) => {
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

    /** What a request reads of a page: the cookies with the prefix of this environment. */
    const prefix = ENVIRONMENT === 'production' ? '__Host-' : ''
    const chosen = (value: string, name = `${prefix}i18next`) => `${name}=${value}`
    const rows: [name: string, cookies: (sealed: string) => string, headers?: Record<string, string>][] = [
      ['as browsers ask for it', (sealed) => sealed],
      ['with the cookies of others', (sealed) => `a=b; c; =d; ${sealed};; e="f%20"`],
      [
        'with spaces around the cookies',
        (sealed) => ` \t${sealed.replaceAll('; ', ' ;  ').replaceAll('=', ' =\t')}  `,
      ],
      ['with a language', (sealed) => `${chosen('de')}; ${sealed}`],
      ['with a language that is escaped', (sealed) => `${sealed}; ${chosen('%64e')}`],
      ['with a language in quotes', (sealed) => `${sealed}; ${chosen('"de"')}`],
      ['with two languages', (sealed) => `${chosen('de')}; ${sealed}; ${chosen('fr')}`],
      [
        'with a language under both names',
        (sealed) => `${chosen('de', '__Host-i18next')}; ${sealed}; ${chosen('fr', 'i18next')}`,
      ],
      ['with a language of a path', (sealed) => `${sealed}; ${chosen('de', '__Secure-i18next')}`],
      ['with the language of the browser', (sealed) => sealed, { 'accept-language': 'fr;q=0.5, de' }],
      ['on a phone', (sealed) => sealed, { 'user-agent': 'iPhone' }],
      ['with cookies that another host has set', (sealed) => sealed.replaceAll(prefix || '_', '__')],
      ['with a damaged cookie', (sealed) => sealed.replaceAll(/(_interaction_[\w-]+=..)./g, '$1!')],
      [
        'with cookies whose prefix says another scheme',
        (sealed) => sealed.replaceAll('_interaction', '__Secure-_interaction'),
      ],
      ['without cookies', () => ''],
    ]

    it.each(rows)('is the page of the routes: %s', async (_, cookies, headers = {}) => {
      const cookie = cookies(client.cookieHeader('/sign-in'))
      const ask = async (asked: TestApp) => {
        const answer = await asked.fetch(page, { headers: { ...headers, cookie } })
        const own = { 'x-request-id': answer.headers.get('x-request-id')?.length }
        return {
          status: answer.status,
          headers: { ...Object.fromEntries(answer.headers), ...own },
          html: await answer.text(),
        }
      }
      // An app answers its first page by the routes.
      const first = await ask(openTestApp({ ENVIRONMENT }))
      expect(await ask(app)).toEqual(first)
      expect(await ask(app)).toEqual(first)
    })

    it('is answered without the routes from the third request on, and parses no address then', async () => {
      const cookie = client.cookieHeader('/sign-in')
      const ask = (path: string) => addressesParsedBy(() => app.fetch(path, { headers: { cookie } }))
      // Rendered by the first, which loads the pages; the second finds the template.
      await ask(page)
      await ask(page)
      // The one that the test itself asks for.
      expect(await ask(page)).toBe(1)
      expect(await ask(`${page}&other=`)).toBeGreaterThan(1)
    })
  },
)

async function addressesParsedBy(run: () => Promise<unknown>): Promise<number> {
  const { URL } = globalThis
  let parsed = 0
  globalThis.URL = new Proxy(URL, {
    construct(target, given: [string]) {
      parsed++
      return new target(...given)
    },
  })
  await run().finally(() => {
    globalThis.URL = URL
  })
  return parsed
}
