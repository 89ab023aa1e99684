import { afterAll, beforeAll, expect, it } from 'vitest'
import { countedDatabase } from '../../bench/counted-database.ts'
import type { AccountVisitor } from '../kit/account-centre.ts'
import { type Member, newMember } from '../kit/clients/account-client.ts'
import { storeVisitor } from '../kit/stored-session.ts'
import { setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Checks that the cost of a user's own lists does not grow with the rows of the account (spec/limits#lists). */

const ROWS = 6000
/**
 * The maximum number of rows read that D1 may report. A list examines a thousand rows, but D1 counts each of them
 * several times, because it includes index rows and joined rows.
 */
const MAX_READ = 7000

let read = 0
let app: TestApp
let member: Member
let visitor: AccountVisitor
beforeAll(async () => {
  const { DB } = openTestApp().env
  await setTenantSettings(openTestApp(), { accountCentre: { enabled: true } })
  const rows = (cost: { read: number }) => {
    read += cost.read
  }
  app = openTestApp({ DB: countedDatabase(DB, { trip() {}, rows }) })
  visitor = await storeVisitor(app)
  member = await newMember(app, { username: visitor.username })
  const { userId } = member
  const many = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})`
  const model = (name: string, payload: string) =>
    DB.prepare(`${many} insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
      select 'default', '${name}', '${name}' || i, json_patch(?, json_object(${payload})), 9e12 from n`).bind(
      JSON.stringify({ accountId: userId }),
    )
  await DB.batch([
    model('Session', "'uid', 'u' || i, 'loginTs', unixepoch() + i, 'authorizations', json('{}')"),
    model(
      'Grant',
      "'clientId', 'https://agent.example/' || i, 'iat', unixepoch() + i, 'seenClient', json_object('name', 'A', 'host', 'agent.example', 'logo', 'x')",
    ),
    DB.prepare(`${many} insert into logs (tenant_id, id, key, payload, created_at)
      select 'default', ? || i, 'ExchangeTokenBy.RefreshToken', json_object('result', 'Success', 'userId', ?, 'applicationId', 'demo-app'),
        unixepoch() * 1000 - i from n`).bind(userId, userId),
  ])
})
afterAll(async () => {
  const { DB } = app.env
  await DB.batch(
    ['oidc_model_instances where account_id = ?', 'logs where user_id = ?'].map((rows) =>
      DB.prepare(`delete from ${rows}`).bind(member.userId),
    ),
  )
  await setTenantSettings(openTestApp(), {})
})

it.each([
  '/api/me/sessions',
  '/api/me/consents',
  '/account/sessions',
  '/account/applications',
  '/account/activity',
])(
  '[ASVS-2.4.1-30] %s reads only an account’s newest thousand rows and lists the newest of them',
  async (path) => {
    read = 0
    const isApi = path.startsWith('/api')
    const answer = isApi
      ? await member.call('GET', path.slice('/api/me'.length))
      : await visitor.client.get(path, { accept: 'text/html' })
    expect(answer.status).toBe(200)
    expect(read).toBeLessThan(MAX_READ)
    if (!isApi) return
    const listed = (await answer.json()) as { id?: string; application?: { id: string } }[]
    expect(listed).toHaveLength(100)
    expect(listed[0]?.id ?? listed[0]?.application?.id).toMatch(
      new RegExp(`^(?:u|https://agent.example/)${ROWS}$`),
    )
  },
)
