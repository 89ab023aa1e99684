import { describe, expect, it } from 'vitest'
import { authorization, begin, newCookieClient } from '../kit/cookie-client.ts'
import { openTestApp } from '../kit/test-app.ts'

/** The first is drawn, whoever comes afterwards gets a print (decision record 0045). */
describe('a page that was shown before', async () => {
  const app = openTestApp()
  const first = await look('/sign-in')
  const second = await look('/sign-in')

  it('is the same page, but for what is the visitor’s own', () => {
    expect(second.uid).not.toBe(first.uid)
    expect(general(second)).toEqual(general(first))
  })

  it('names the visitor’s own interaction and way back, and nobody else’s', () => {
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

  it('is not shown to somebody who has no cookie for the interaction, nor to one who names another page', async () => {
    const other = await app.fetch(`/sign-in?interaction=${first.uid}`)
    expect([other.status, other.headers.get('location')]).toEqual([302, '/unknown-session'])
    expect((await first.client.get(`/sign-inn?interaction=${first.uid}`)).status).toBe(404)
  })

  it('leads forms to the application of this visitor alone', async () => {
    const policies = [first, second].map(({ headers }) => headers['content-security-policy'] ?? '')
    for (const policy of policies) expect(policy).toMatch(/; form-action 'self' http:\/\/localhost:8787$/)
    const nobody = await app.fetch('/unknown-session')
    const again = await app.fetch('/unknown-session')
    for (const { headers } of [nobody, again])
      expect(headers.get('content-security-policy')).toMatch(/; form-action 'self'$/)
  })

  async function look(path: string) {
    const client = newCookieClient(app)
    const request = await authorization()
    const uid = await begin(client, request)
    const page = await client.get(`${path}?interaction=${uid}`)
    expect(page.status).toBe(200)
    const headers: Record<string, string> = Object.fromEntries(page.headers)
    return { client, uid, state: request.state, headers, html: await page.text() }
  }

  /** Of what is somebody's own only the name. */
  function general({ uid, headers, html }: Awaited<ReturnType<typeof look>>) {
    const named = (text: string) =>
      text.replaceAll(uid, 'UID').replaceAll(/"restartUrl":"[^"]+"/g, '"restartUrl":"URL"')
    return [named(html), named(JSON.stringify({ ...headers, 'x-request-id': '' }))]
  }
})
