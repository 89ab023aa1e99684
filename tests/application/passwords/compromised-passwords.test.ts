import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'
import { stubServers } from '../../outbound/connector-context.ts'
import { BREACHED_PASSWORD, PADDED_PASSWORD, type RangeRequest } from '../../outbound/range-server.ts'
import { passwordWays as ways } from '../../security/password-ways.ts'

/** Tests that common and breached passwords are rejected wherever a password is set. */

const COMMON = '1qaz2wsx'
const OTHER = 'another-horse-8'

/** Opens an app that queries its own breached-password server. */
function openAppAsking(behaviour: string) {
  const caller = crypto.randomUUID()
  const app = openTestApp({ BREACHED_PASSWORDS_URL: `${stubServers.ranges}/${caller}/${behaviour}/` })
  const received = async () =>
    (await (await fetch(`${stubServers.ranges}/${caller}/received`)).json()) as RangeRequest[]
  return { app, received }
}

const outcome = async (response: Response) => {
  if (response.ok) return response.status
  const { code, data } = (await response.json()) as { code: string; data?: object }
  return [response.status, code, data]
}
const refusedAs = (reason: string) => [422, 'password.compromised', { reason }]

const { app, received } = openAppAsking('ok')
let operator: Operator
beforeAll(async () => {
  await setTenantSettings(app, { passwordPolicy: { rules: 'CharacterClasses', haveIBeenPwned: true } })
  operator = await newOperator(app)
})

describe.each(Object.entries(ways))('%s', (_name, set) => {
  it('[ASVS-6.2.4-2] rejects common and breached passwords, and accepts others', async () => {
    expect(await outcome(await set(app, operator, COMMON))).toEqual(refusedAs('common'))
    expect(await outcome(await set(app, operator, COMMON.toUpperCase()))).toEqual(refusedAs('common'))
    expect(await outcome(await set(app, operator, 'Dragon2026!'))).toEqual(refusedAs('common'))
    expect(await outcome(await set(app, operator, BREACHED_PASSWORD))).toEqual(refusedAs('breached'))
    expect(await outcome(await set(app, operator, OTHER))).toBeLessThan(300)
    expect(await outcome(await set(app, operator, PADDED_PASSWORD))).toBeLessThan(300)
  })
})

describe('the breach service', () => {
  it('[ASVS-6.2.12] receives only five digits of a hash, and nothing for common passwords', async () => {
    const before = (await received()).length
    await ways['a user created by an operator']?.(app, operator, COMMON)
    expect((await received()).length).toBe(before)
    await ways['a user created by an operator']?.(app, operator, OTHER)
    const [request] = (await received()).slice(before)
    expect(request).toMatchObject({ problem: null, headers: { 'add-padding': 'true' } })
    expect(request?.path).toMatch(/^\/[0-9A-F]{5}$/)
  })

  it('is queried for the normalised password, which is also the form that is hashed', async () => {
    const asking = openAppAsking('ok')
    await setTenantSettings(asking.app, { passwordPolicy: { rules: 'Length', haveIBeenPwned: true } })
    const own = await newOperator(asking.app)
    const digits = createHash('sha1').update('caf\u00e9-horse-8').digest('hex').slice(0, 5).toUpperCase()
    await ways['a user created by an operator']?.(asking.app, own, 'cafe\u0301-horse-8')
    expect(await asking.received()).toMatchObject([{ path: `/${digits}` }])
  })

  it.each(['failing', 'slow', 'malformed', 'redirecting', 'endless'])(
    'does not prevent operators from creating users while it is %s, and the failure is audited',
    async (behaviour) => {
      const { app: failingApp, received: requests } = openAppAsking(behaviour)
      const own = await newOperator(failingApp)
      const username = freshName()
      const created = await own.send('POST', '/users', { username, password: BREACHED_PASSWORD })
      const { id } = (await created.json()) as { id: string }
      expect([created.status, (await requests()).length]).toEqual([200, 1])
      const logged = await own.get(`/logs?logKey=Management.User.Create&userId=${id}`)
      expect(await logged.json()).toMatchObject([
        { payload: { result: 'Success', breachCheck: 'unavailable' } },
      ])
    },
  )

  it('is not queried if the tenant disables it, but common passwords are still rejected', async () => {
    const quiet = openAppAsking('ok')
    await setTenantSettings(quiet.app, {
      passwordPolicy: { rules: 'CharacterClasses', haveIBeenPwned: false },
    })
    const own = await newOperator(quiet.app)
    const create = (password: string) => own.send('POST', '/users', { username: freshName(), password })
    expect([(await create(BREACHED_PASSWORD)).status, await outcome(await create(COMMON))]).toEqual([
      200,
      refusedAs('common'),
    ])
    expect(await quiet.received()).toEqual([])
  })
})
