import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  RESUMED,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the response to a browser's authorization request (spec/provider#authorization). */

let app: TestApp
beforeAll(() => {
  app = openTestApp()
})

/** The headers with which a browser requests a page for a window. */
const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

const bootOf = (html: string) =>
  JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

describe('an authorization request by a browser', () => {
  it('returns the sign-in page, with which the user continues', async () => {
    const client = newCookieClient(app)
    const request = await authorizationRequest()
    const page = await client.get(request.url, navigation)
    expect([page.status, page.headers.get('location')]).toEqual([200, null])
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${ORIGIN}`)
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    const { path, search, interaction } = bootOf(await page.text())
    expect([path, new URLSearchParams(search).get('interaction')]).toEqual(['/sign-in', interaction])

    const back = await resumeAuthorization(client, await registerAccount(client, interaction, freshName()))
    expect(back.searchParams.get('state')).toBe(request.state)
    expect(back.searchParams.get('code')).toBeTruthy()
  })

  it('returns the page that the application asks for, in the language that it asks for', async () => {
    const { url } = await authorizationRequest({ interaction_mode: 'signUp', ui_locales: 'de' })
    const page = await newCookieClient(app).get(url, navigation)
    expect(page.headers.get('content-language')).toBe('de')
    expect(bootOf(await page.text()).path).toBe('/register')
  })

  it('names the page in the forms that are sent without JavaScript', async () => {
    const { url } = await authorizationRequest()
    const html = await (await newCookieClient(app).get(url, navigation)).text()
    const actions = [...html.matchAll(/<form\b[^>]*>/g)].map(([form]) => /action="([^"?]*)/.exec(form)?.[1])
    expect(new Set(actions)).toEqual(new Set(['/sign-in']))
    expect(html).not.toMatch(/href="[?#]/)
  })
})

it('a browser that remembers accounts is welcomed, in forms that name their page', async () => {
  const client = newCookieClient(app)
  const uid = await openSignInPage(client, await authorizationRequest(RESUMED))
  await registerAccount(client, uid, freshName())
  const page = await client.get((await authorizationRequest()).url, navigation)
  const html = await page.text()
  expect(bootOf(html)).toMatchObject({ path: '/sign-in/account', accounts: [{ mask: 'user****' }] })
  expect(page.headers.get('cache-control')).toBe('no-store')
  const actions = [...html.matchAll(/<form\b[^>]*>/g)].map(([form]) => /action="([^"?]*)/.exec(form)?.[1])
  expect(new Set(actions)).toEqual(new Set(['/sign-in/account']))
})

it.each([
  ['does not say what it is', {}],
  ['shows the response in a frame', { ...navigation, 'sec-fetch-dest': 'iframe' }],
  ['is a script', { ...navigation, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
])('a client that %s is redirected to the page', async (_, headers) => {
  const { url } = await authorizationRequest()
  const response = await newCookieClient(app).get(url, headers)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toMatch(/^\/sign-in\?/)
})

it('a browser is redirected to the application if no page is needed', async () => {
  const { url } = await authorizationRequest({ prompt: 'none' })
  const response = await newCookieClient(app).get(url, navigation)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toContain('error=login_required')
})
