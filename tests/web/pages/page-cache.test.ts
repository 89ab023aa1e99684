import { describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests cached pages: the first request renders a page, and later requests fill in its template (ADR-0045).
 */
describe('a page from the page cache', async () => {
  const app = openTestApp()
  const first = await openPage('/sign-in')
  const second = await openPage('/sign-in')

  it('is the same for every user, except for the user’s own values', () => {
    expect(second.uid).not.toBe(first.uid)
    expect(withoutUserValues(second)).toEqual(withoutUserValues(first))
  })

  it('contains only its own user’s interaction and restart URL', () => {
    for (const [mine, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const boot = JSON.parse(/id="boot">(.*?)<\/script>/s.exec(mine.html)?.[1] ?? '')
      expect(boot.interaction).toBe(mine.uid)
      expect(boot.search).toBe(`?interaction=${mine.uid}`)
      expect(new URL(boot.restartUrl, 'http://x').searchParams.get('state')).toBe(mine.state)
      expect(mine.html).not.toContain(other.uid)
      expect(mine.html).not.toContain(other.state)
    }
  })

  it('is not served at another path or without the interaction’s cookie', async () => {
    const other = await app.fetch(`/sign-in?interaction=${first.uid}`)
    expect([other.status, other.headers.get('location')]).toEqual([302, '/unknown-session'])
    expect((await first.client.get(`/sign-inn?interaction=${first.uid}`)).status).toBe(404)
  })

  it('is not served to a user with a navigation state, because that page is personal', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    const shownNavigation = async () => {
      const html = await (await client.get(`/sign-in?interaction=${uid}`)).text()
      return JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '').navigation
    }
    expect(await shownNavigation()).toBeNull()
    const form = { interaction: uid, identifier: freshName() }
    const browser = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
    const next = await client.post('/register', form, browser)
    expect(next.headers.get('location')).toBe(`/register/password?interaction=${uid}`)
    for (let time = 0; time < 2; time++) expect(await shownNavigation()).not.toBeNull()
    client.cookies.delete(`_step_${uid}`)
    expect(await shownNavigation()).toBeNull()
  })

  it('allows forms to redirect only to its interaction’s application', async () => {
    const policies = [first, second].map(({ headers }) => headers['content-security-policy'] ?? '')
    for (const policy of policies) expect(policy).toMatch(/; form-action 'self' http:\/\/localhost:8787$/)
    const without = await app.fetch('/unknown-session')
    const again = await app.fetch('/unknown-session')
    for (const { headers } of [without, again])
      expect(headers.get('content-security-policy')).toMatch(/; form-action 'self'$/)
  })

  async function openPage(path: string) {
    const client = newCookieClient(app)
    const request = await authorizationRequest()
    const uid = await openSignInPage(client, request)
    const page = await client.get(`${path}?interaction=${uid}`)
    expect(page.status).toBe(200)
    const headers: Record<string, string> = Object.fromEntries(page.headers)
    return { client, uid, state: request.state, headers, html: await page.text() }
  }

  /** Returns the page and its headers with placeholders in place of the user's values. */
  function withoutUserValues({ uid, headers, html }: Awaited<ReturnType<typeof openPage>>) {
    const replaceValues = (text: string) =>
      text.replaceAll(uid, 'UID').replaceAll(/"restartUrl":"[^"]+"/g, '"restartUrl":"URL"')
    return [replaceValues(html), replaceValues(JSON.stringify({ ...headers, 'x-request-id': '' }))]
  }
})

it('a page contains the country of the request if users can enter a phone number', async () => {
  const countryFor = async (app: TestApp, country: string) => {
    const from = {
      fetch: (path: string, init = {}) => app.fetch(path, { ...init, cf: { country } } as RequestInit),
    }
    const client = newCookieClient(from)
    const uid = await openSignInPage(client, await authorizationRequest())
    const html = await (await client.get(`/sign-in?interaction=${uid}`)).text()
    return JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '').country
  }
  expect(await countryFor(openTestApp(), 'DE')).toBeUndefined()
  await setExperience(openTestApp(), { methods: everyMethod })
  const app = openTestApp()
  const countries = []
  for (const country of ['DE', 'AT', 'T1', 'DE']) countries.push(await countryFor(app, country))
  expect(countries).toEqual(['DE', 'AT', '', 'DE'])
})
