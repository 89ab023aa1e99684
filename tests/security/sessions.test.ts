import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { newMember } from '../account.ts'
import { arrive, told } from '../guest.ts'
import { type House, openHouse } from '../house.ts'
import {
  authorization,
  begin,
  freshName,
  newVisitor,
  ORIGIN,
  register,
  resume,
  signIn,
  type Visitor,
} from '../visitor.ts'
import { atTokenEndpoint, type Client, codeGrant, newArrival, newClient } from './parties.ts'

const DAY = 24 * 60 * 60 * 1000

let house: House
let client: Client
beforeAll(async () => {
  house = openHouse()
  client = await newClient(house, 'SPA')
})

const session = (visitor: Visitor) => visitor.cookies.get('_session')?.value
const isSignedIn = async (visitor: Visitor) => {
  const { headers } = await visitor.get((await authorization({ prompt: 'none' })).url)
  return new URL(headers.get('location') ?? '', ORIGIN).searchParams.has('code')
}
const signOut = async (visitor: Visitor) => {
  const question = await (await visitor.get('/oidc/session/end', { accept: 'text/html' })).text()
  const xsrf = /name="xsrf" value="(\w+)"/.exec(question)?.[1] ?? ''
  return visitor.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
}

describe('a session', () => {
  it('is a new one for whoever signs in, whatever was there before (fixation)', async () => {
    const { visitor, username } = await newMember(house)
    const first = session(visitor)
    expect(first).toMatch(/^[\w-]{22,}$/) // 128 bits, and more
    const again = await begin(visitor, await authorization({ prompt: 'login' }))
    await resume(visitor, await signIn(visitor, again, username))
    const second = session(visitor)
    expect(second).not.toBe(first)

    const thief = newVisitor(house)
    for (const [name, cookie] of visitor.cookies) thief.cookies.set(name, cookie)
    expect(await isSignedIn(thief)).toBe(true)
    thief.cookies.set('_session', { value: first ?? '', path: '/' })
    expect(await isSignedIn(thief)).toBe(false)
  })

  it('somebody else has begun does not become that of who signs in', async () => {
    const attacker = newVisitor(house)
    await begin(attacker, await authorization())
    const victim = newVisitor(house)
    for (const [name, cookie] of attacker.cookies) victim.cookies.set(name, cookie)
    const uid = await begin(victim, await authorization())
    await resume(victim, await register(victim, uid, freshName()))
    expect(await isSignedIn(victim)).toBe(true)
    expect(await isSignedIn(attacker)).toBe(false)
    expect(session(victim)).not.toBe(session(attacker))
  })

  it('of one person is not given to another who signs in with the same browser', async () => {
    const { visitor } = await newMember(house)
    const first = session(visitor)
    const uid = await begin(visitor, await authorization({ prompt: 'login' }))
    const { redirectTo } = (await (await register(visitor, uid, freshName())).json()) as {
      redirectTo: string
    }
    // A page that signs the first one out, by itself or by its button.
    const page = await (await visitor.get(redirectTo, { accept: 'text/html' })).text()
    const xsrf = /name="xsrf" value="([\w-]+)"/.exec(page)?.[1] ?? ''
    const left = await visitor.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    const back = await visitor.get(left.headers.get('location') ?? '')
    expect(back.headers.get('location')).toContain('code=')
    expect(session(visitor)).not.toBe(first)
    const thief = newVisitor(house)
    for (const [name, cookie] of visitor.cookies) thief.cookies.set(name, cookie)
    thief.cookies.set('_session', { value: first ?? '', path: '/' })
    expect(await isSignedIn(thief)).toBe(false)
  })

  it('that was signed out is over, also for who kept its cookie', async () => {
    const { visitor } = await newMember(house)
    const kept = new Map(visitor.cookies)
    await signOut(visitor)
    const back = newVisitor(house)
    for (const [name, cookie] of kept) back.cookies.set(name, cookie)
    expect(await isSignedIn(back)).toBe(false)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it('of an application that signs out ends its tokens', async () => {
    const arrived = await newArrival(house, client)
    const { tokens } = await atTokenEndpoint(house, codeGrant(client, arrived))
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await house.fetch('/oidc/me', { headers })).status).toBe(200)
    await signOut(arrived.visitor)
    expect((await house.fetch('/oidc/me', { headers })).status).toBe(401)
  })

  it('lasts a fortnight without use, and no longer', async () => {
    const { visitor, userId } = await newMember(house)
    const response = await visitor.get((await authorization()).url)
    const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith('_session='))
    const expires = Date.parse(/expires=([^;]+)/i.exec(line ?? '')?.[1] ?? '')
    const days = (expires - Date.now()) / DAY
    expect(days).toBeGreaterThan(13.9)
    expect(days).toBeLessThanOrEqual(14)

    // The browser's own clock may be wrong, and a thief's is: it is the row that ends.
    const kept = new Map(visitor.cookies)
    const isSignedInLater = async (later: number) => {
      await house.env.DB.prepare(
        `update oidc_model_instances set expires_at = expires_at - ?1,
           payload = json_set(payload, '$.exp', json_extract(payload, '$.exp') - ?1 / 1000)
         where model_name = 'Session' and account_id = ?2`,
      )
        .bind(later, userId)
        .run()
      const back = newVisitor(house)
      for (const [name, cookie] of kept) back.cookies.set(name, cookie)
      return isSignedIn(back)
    }
    expect(await isSignedInLater(13.9 * DAY)).toBe(true)
    // Being used began the fortnight anew.
    expect(await isSignedInLater(13.9 * DAY)).toBe(true)
    // A minute: clocks may differ by seconds (contract 4.1).
    expect(await isSignedInLater(14 * DAY + 60_000)).toBe(false)
  })
})

describe('what opens a door', () => {
  it('is drawn from 128 bits and more each time: a code, an access token, a refresh token', async () => {
    const drawn: string[] = []
    for (let time = 0; time < 2; time++) {
      const arrived = await newArrival(house, client, { scope: 'openid offline_access', prompt: 'consent' })
      const { tokens } = await atTokenEndpoint(house, codeGrant(client, arrived))
      drawn.push(arrived.code, tokens.access_token, tokens.refresh_token ?? '')
    }
    for (const value of drawn) expect(value).toMatch(/^[\w-]{22,}$/) // six bits a character
    expect(new Set(drawn).size).toBe(6)
  })
})

describe('what was used once', () => {
  it('the cookies of an interaction do not begin it again once it is over', async () => {
    const guest = await arrive(house)
    await guest.start('Register', { profile: { username: freshName(), password: 'correct-horse-7' } })
    const kept = new Map(guest.visitor.cookies)
    expect((await guest.submit()).status).toBe(200)
    for (const [name, cookie] of kept) guest.visitor.cookies.set(name, cookie)
    expect((await told(await guest.submit())).slice(0, 2)).toEqual([
      404,
      'session.verification_session_not_found',
    ])
    const changed = await guest.start('SignIn')
    expect(changed.status).toBe(404)
  })

  it('the cookies of an interaction are of no use in another', async () => {
    const first = await arrive(house)
    const second = await arrive(house)
    await first.start('SignIn')
    const stolen = first.visitor.cookies.get(`_interaction_${first.uid}`)
    second.visitor.cookies.set(`_interaction_${second.uid}`, stolen ?? { value: '', path: '/' })
    expect((await told(await second.start('SignIn'))).slice(0, 2)).toEqual([400, 'session.not_found'])
  })

  it('a pushed request begins one authorization', async () => {
    const request = await authorization({ client_id: client.id, redirect_uri: client.redirectUri })
    const pushed = await house.fetch('/oidc/request', {
      method: 'POST',
      body: new URL(request.url, ORIGIN).searchParams,
    })
    expect(pushed.status).toBe(201)
    const { request_uri, expires_in } = (await pushed.json()) as { request_uri: string; expires_in: number }
    expect(expires_in).toBeLessThanOrEqual(60)
    const url = `/oidc/auth?${new URLSearchParams({ client_id: client.id, request_uri })}`
    const visitor = newVisitor(house)
    const uid = await begin(visitor, { ...request, url })
    const back = await resume(visitor, await register(visitor, uid, freshName()))
    expect(back.searchParams.get('code')).toBeTruthy()
    const again = await visitor.get(url, { accept: 'application/json' })
    expect(again.headers.get('location') ?? '').not.toContain('code=')
    const other = await newClient(house, 'SPA', { redirectUri: 'https://other.example/back' })
    const stolen = `/oidc/auth?${new URLSearchParams({ client_id: other.id, request_uri })}`
    const { headers } = await newVisitor(house).get(stolen)
    expect(new URL(headers.get('location') ?? '').searchParams.get('error')).toMatch(/^invalid_request_/)
  })

  it('the subject of a token is drawn for each account: no two have the same', async () => {
    const ids = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const { tokens } = await atTokenEndpoint(house, codeGrant(client, await newArrival(house, client)))
        return decodeJwt(tokens.id_token).sub
      }),
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[\da-z]{12}$/i)
  })
})
