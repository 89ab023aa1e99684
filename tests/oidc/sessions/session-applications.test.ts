import { expect, it } from 'vitest'
import { countedDatabase } from '../../../bench/counted-database.ts'
import { newMember } from '../../kit/clients/account-client.ts'
import { authorizationRequest } from '../../kit/clients/cookie-client.ts'
import { openTestApp } from '../../kit/test-app.ts'
import { newClient } from '../../security/parties.ts'

/** Tests which applications are stored with a session (spec/provider#session-applications). */

const MOST = 100
const EXTRA = 30

it('[ASVS-2.4.1-31] a session keeps its hundred most recently used applications and is signed out of all others', async () => {
  const { DB } = openTestApp().env
  let read = 0
  const rows = (cost: { read: number }) => {
    read += cost.read
  }
  const app = openTestApp({ DB: countedDatabase(DB, { trip() {}, rows }) })
  const { client, userId } = await newMember(app)
  const silent = async () => {
    read = 0
    const answer = await client.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(answer.headers.get('location')).toContain('code=')
    return read
  }
  const payloadOf = async () => {
    const row = await DB.prepare(
      "select payload from oidc_model_instances where model_name = 'Session' and account_id = ?",
    )
      .bind(userId)
      .first<{ payload: string }>()
    return JSON.parse(row?.payload ?? '') as { authorizations: Record<string, { grantId: string }> }
  }
  const countGrants = () =>
    DB.prepare(
      "select count(*) as count from oidc_model_instances where model_name = 'Grant' and account_id = ?",
    )
      .bind(userId)
      .first<number>('count')
  await silent()
  const usual = await silent()

  // Store the session as if the user had signed in to this many applications. The first application gets logout tokens.
  const notifiedClient = await newClient(app, 'SPA', {
    custom: { backchannelLogoutUri: 'https://shop.example/out' },
  })
  const session = await payloadOf()
  const ids = [
    notifiedClient.id,
    ...Array.from({ length: MOST + EXTRA - 1 }, (_, index) => `https://agent.example/${index}`),
  ]
  const more = ids.map((id) => [id, { sid: `sid-${id}`, grantId: `grant-${id}` }] as const)
  const authorizations = { ...session.authorizations, ...Object.fromEntries(more) }
  await DB.prepare(
    "update oidc_model_instances set payload = json_set(payload, '$.authorizations', json(?)) where model_name = 'Session' and account_id = ?",
  )
    .bind(JSON.stringify(authorizations), userId)
    .run()
  await DB.prepare(`insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
      select 'default', 'Grant', value ->> '$.grantId', json_object('accountId', ?), 9e12 from json_each(?)`)
    .bind(userId, JSON.stringify(Object.fromEntries(more)))
    .run()
  const grants = Number(await countGrants())

  await silent()
  const { authorizations: remaining } = await payloadOf()
  expect(Object.keys(remaining)).toEqual([...ids.slice(EXTRA + 1), 'demo-app'])
  expect(await countGrants()).toBe(grants - EXTRA - 1)
  expect(
    await DB.prepare('select event from outbox where application_id = ?').bind(notifiedClient.id).all(),
  ).toMatchObject({ results: [{ event: 'BackChannelLogout' }] })

  expect(await silent()).toBeLessThanOrEqual(usual + MOST)
  expect(usual).toBeLessThan(MOST)
})
