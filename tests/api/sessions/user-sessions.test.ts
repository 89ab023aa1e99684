import { beforeAll, describe, expect, it } from 'vitest'
import { type Member, newMember } from '../../kit/clients/account-client.ts'
import { authorizationRequest, freshName, redeemCode } from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const BACK = 'https://shop.example/back'

type Session = {
  id: string
  signedInAt: number
  expiresAt: number
  applications: { id: string; name: string }[]
}
const list = async (userId: string) => {
  const response = await operator.get(`/users/${userId}/sessions`)
  expect(response.status).toBe(200)
  return (await response.json()) as Session[]
}

async function newApplication(custom: Record<string, unknown> = {}) {
  const created = await operator.send('POST', '/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
    customClientMetadata: custom,
  })
  return (await created.json()) as { id: string }
}

/** Lists the sessions and grants, on which all codes and tokens depend. */
const rowsOf = async ({ userId }: Member) => {
  const { results } = await app.env.DB.prepare(
    "select model_name from oidc_model_instances where account_id = ? and model_name in ('Session', 'Grant')",
  )
    .bind(userId)
    .all<{ model_name: string }>()
  return results.map(({ model_name }) => model_name).toSorted()
}

const isSignedIn = async ({ client }: Member) => {
  const response = await client.get((await authorizationRequest({ prompt: 'none' })).url)
  return response.headers.get('location')?.includes('code=') === true
}

describe('a user’s sessions', () => {
  it('are listed newest first, with their applications but without their cookies', async () => {
    const application = await newApplication()
    const first = await storeMember(app)
    await newMember(app, {
      clientId: application.id,
      redirectUri: BACK,
      username: first.username,
      client: first.client,
    })
    await app.env.DB.prepare(
      "update oidc_model_instances set payload = json_set(payload, '$.loginTs', json_extract(payload, '$.loginTs') - 9) where account_id = ? and model_name = 'Session'",
    )
      .bind(first.userId)
      .run()
    await newMember(app, { username: first.username })
    const sessions = await list(first.userId)
    expect(sessions.map(({ applications }) => applications)).toEqual([
      [{ id: 'demo-app', name: null }],
      expect.arrayContaining([
        { id: 'demo-app', name: null },
        { id: application.id, name: 'Shop' },
      ]),
    ])
    expect(sessions[0]?.signedInAt).toBeGreaterThan(sessions[1]?.signedInAt ?? 0)
    expect(sessions[0]?.expiresAt).toBeGreaterThan(Date.now())

    const { results } = await app.env.DB.prepare(
      "select id from oidc_model_instances where account_id = ? and model_name = 'Session'",
    )
      .bind(first.userId)
      .all<{ id: string }>()
    const text = JSON.stringify(sessions)
    for (const { id } of results) expect(text).not.toContain(id)
    for (const { value } of first.client.cookies.values()) expect(text).not.toContain(value)
  })

  it('[ASVS-7.4.5] can be ended one by one, which revokes their grants and tokens and sends logout tokens', async () => {
    const receiver = await newReceiver()
    const application = await newApplication({
      backchannelLogoutUri: receiver.url,
      backchannelLogoutSessionRequired: true,
    })
    const shop = { clientId: application.id, redirectUri: BACK }
    const here = await newMember(app, shop)
    const [session] = await list(here.userId)
    const there = await newMember(app, { ...shop, username: here.username })
    const otherSession = (await list(here.userId)).find(({ id }) => id !== session?.id)
    const bystander = await newMember(app, shop)

    const response = await operator.send('DELETE', `/users/${here.userId}/sessions/${otherSession?.id}`)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect((await there.call('GET')).status).toBe(401)
    expect(await isSignedIn(there)).toBe(false)
    for (const unaffected of [here, bystander]) {
      expect((await unaffected.call('GET')).status).toBe(200)
      expect(await isSignedIn(unaffected)).toBe(true)
    }
    const received = await receiver.received()
    expect(received).toHaveLength(1)
    expect(new URLSearchParams(received[0]?.body).get('logout_token')).toMatch(/\./)
    expect((await list(here.userId)).map(({ id }) => id)).toEqual([session?.id])

    // If two requests have authorized an application at the same time, the session contains only one of the grants.
    await app.env.DB.prepare(
      "update oidc_model_instances set payload = json_set(payload, '$.authorizations', json('{}')) where model_name = 'Session' and account_id = ?",
    )
      .bind(here.userId)
      .run()
    await operator.send('DELETE', `/users/${here.userId}/sessions/${session?.id}`)
    expect(await rowsOf(here)).toEqual([])
    expect(await rowsOf(bystander)).toContain('Session')
    const { results } = await app.env.DB.prepare(
      "select payload from logs where key = 'Management.User.Update' and user_id = ?",
    )
      .bind(here.userId)
      .all<{ payload: string }>()
    expect(results.map(({ payload }) => JSON.parse(payload).sessionId)).toEqual([
      otherSession?.id,
      session?.id,
    ])
  })

  it('are ended together with their refresh tokens', async () => {
    const member = await storeMember(app)
    const request = await authorizationRequest({ scope: 'openid offline_access', prompt: 'consent' })
    const redirect = await member.client.get(request.url)
    const uid =
      new URL(redirect.headers.get('location') ?? '', 'http://localhost').searchParams.get('interaction') ??
      ''
    const consented = await member.client.send('POST', '/api/interaction/consent', undefined, {
      Interaction: uid,
    })
    const { redirectTo } = (await consented.json()) as { redirectTo: string }
    const back = new URL((await member.client.get(redirectTo)).headers.get('location') ?? '')
    const answer = await redeemCode(app, request, back.searchParams.get('code') ?? '')
    const { refresh_token: token = '' } = (await answer.json()) as Record<string, string>
    expect(token).not.toBe('')

    const [session] = await list(member.userId)
    expect((await operator.send('DELETE', `/users/${member.userId}/sessions/${session?.id}`)).status).toBe(
      204,
    )
    const refreshed = await app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'demo-app', refresh_token: token }),
    })
    expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: 'invalid_grant' }])
  })

  it('can all be ended with one call', async () => {
    const here = await storeMember(app)
    const there = await newMember(app, { username: here.username })
    expect((await operator.send('DELETE', `/users/${here.userId}/sessions`)).status).toBe(204)
    expect(await list(here.userId)).toEqual([])
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, false])
    expect(await rowsOf(here)).toEqual([])
    const again = await newMember(app, { username: here.username })
    expect((await again.call('GET')).status).toBe(200)
  })

  it('cannot be ended with another user’s id or an unknown user id', async () => {
    const mine = await storeMember(app)
    const yours = await storeMember(app)
    const [session] = await list(yours.userId)
    const wrong = await operator.send('DELETE', `/users/${mine.userId}/sessions/${session?.id}`)
    expect(await outcomeOf(wrong)).toEqual([404, 'entity.not_found'])
    expect(await isSignedIn(yours)).toBe(true)
    expect(await outcomeOf(await operator.send('DELETE', '/users/unknown/sessions'))).toEqual([
      404,
      'entity.not_found',
    ])
    expect(await outcomeOf(await operator.get('/users/unknown/sessions'))).toEqual([404, 'entity.not_found'])
  })

  it('are not listed if they have been revoked but not yet deleted', async () => {
    const member = await storeMember(app)
    await app.env.DB.prepare('update users set revoked_at = ? where id = ?')
      .bind(Date.now() + 1000, member.userId)
      .run()
    expect(await list(member.userId)).toEqual([])
  })
})

describe('a user’s social identity', () => {
  const create = async (identities: object) => {
    const response = await operator.send('POST', '/users/import', { users: [{ identities }] })
    const { results } = (await response.json()) as { results: { id: string }[] }
    return results[0]?.id ?? ''
  }

  it('can be unlinked by an operator and then linked to another user', async () => {
    const github = { userId: freshName() }
    const google = { userId: freshName() }
    const id = await create({ github, google })
    const response = await operator.send('DELETE', `/users/${id}/identities/github`)
    expect([response.status, await response.json()]).toMatchObject([200, { id, identities: { google } }])
    expect(await outcomeOf(await operator.send('DELETE', `/users/${id}/identities/github`))).toEqual([
      404,
      'user.identity_not_exist',
    ])
    const other = await create({ github })
    expect(await (await operator.get(`/users/${other}`)).json()).toMatchObject({ identities: { github } })
  })

  it('cannot be unlinked from an unknown user', async () => {
    expect(await outcomeOf(await operator.send('DELETE', '/users/unknown/identities/github'))).toEqual([
      404,
      'entity.not_found',
    ])
  })
})
