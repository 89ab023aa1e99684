import { describe, expect, it } from 'vitest'
import { openHouse } from '../house.ts'
import { authorization, begin, freshName, newVisitor, ORIGIN, register, resume } from '../visitor.ts'

const house = openHouse()

/** Somebody who finished, and then comes back to the page that was left open. */
async function finished(parameters: Record<string, string> = {}) {
  const visitor = newVisitor(house)
  const request = await authorization(parameters)
  const uid = await begin(visitor, request)
  const submitted = await register(visitor, uid, freshName())
  return { visitor, uid, request, submitted }
}

const locationOf = (response: Response) => new URL(response.headers.get('location') ?? '', ORIGIN)

/** An application that pushes its requests, or makes them too long to be remembered. */
async function addApplication(customClientMetadata: object): Promise<string> {
  const id = crypto.randomUUID().slice(0, 21)
  const metadata = { redirectUris: [`${ORIGIN}/demo-app`], postLogoutRedirectUris: [] }
  await house.env.DB.prepare(
    "insert into applications (tenant_id, id, name, secret, type, oidc_client_metadata, custom_client_metadata, created_at) values ('default', ?, 'A', 's', 'SPA', ?, ?, 1)",
  )
    .bind(id, JSON.stringify(metadata), JSON.stringify(customClientMetadata))
    .run()
  return id
}

describe('a page left open', () => {
  it('offers to start again, which leads to a fresh interaction of the same request', async () => {
    const { visitor, uid, request } = await finished()
    const page = await visitor.get(`/sign-in?interaction=${uid}`, { accept: 'text/html' })
    expect(page.status).toBe(400)
    const link = /href="(\/oidc\/auth\?[^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(new URL(link, ORIGIN).searchParams.get('state')).toBe(request.state)
    const next = locationOf(await visitor.get(link))
    expect(next.pathname).toBe('/sign-in')
    expect(next.searchParams.get('interaction')).not.toBe(uid)
  })

  it('whose hour is over says the same, for a day', async () => {
    const visitor = newVisitor(house)
    const response = await visitor.get((await authorization()).url)
    const cookie = response.headers
      .getSetCookie()
      .find((line) => line.startsWith('_interaction_') && !/^_interaction_resume/.test(line))
    const expires = Date.parse(/expires=([^;]+)/i.exec(cookie ?? '')?.[1] ?? '')
    expect(expires - Date.now()).toBeGreaterThan(24 * 3600 * 1000)
  })

  it('pushes a pushed request anew, and shows nothing of it in an address', async () => {
    const clientId = await addApplication({})
    const { url } = await authorization({ client_id: clientId })
    const pushed = await house.fetch('/oidc/request', {
      method: 'POST',
      body: new URL(url, ORIGIN).searchParams,
    })
    const { request_uri: requestUri } = (await pushed.json()) as { request_uri: string }
    const visitor = newVisitor(house)
    const query = new URLSearchParams({ client_id: clientId, request_uri: requestUri })
    const uid = await begin(visitor, {
      url: `/oidc/auth?${query}`,
      verifier: '',
      state: '',
      nonce: '',
      redirectUri: '',
    })
    await resume(visitor, await register(visitor, uid, freshName()))

    const page = await (await visitor.get(`/sign-in?interaction=${uid}`, { accept: 'text/html' })).text()
    expect(page).toContain(`/restart?interaction=${uid}`)
    const again = locationOf(await visitor.get(`/restart?interaction=${uid}`))
    expect([...again.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    expect(again.searchParams.get('request_uri')).not.toBe(requestUri)
    const answered = locationOf(await visitor.get(again.pathname + again.search))
    expect(answered.searchParams.get('code')).toBeTruthy()
  })

  it('asks the application to begin when its request was too long to be remembered', async () => {
    const clientId = await addApplication({ initiateLoginUri: 'https://app.example/login' })
    const { visitor, uid } = await finished({ client_id: clientId, login_hint: 'x'.repeat(1_600) })
    const to = locationOf(await visitor.get(`/restart?interaction=${uid}`))
    expect(to.href).toBe(`https://app.example/login?iss=${encodeURIComponent(`${ORIGIN}/oidc`)}`)
  })

  it('leads nowhere without a cookie of ours', async () => {
    const { uid } = await finished()
    const to = locationOf(await newVisitor(house).get(`/restart?interaction=${uid}`))
    expect(to.pathname).toBe('/unknown-session')
  })
})
