import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Administrator, newAdministrator } from '../kit/clients/console-client.ts'
import { freshName, ORIGIN } from '../kit/clients/cookie-client.ts'
import { asOperator, machineToken, newOperator, type Operator } from '../kit/clients/management-client.ts'
import { openRacingApp } from '../kit/racing-app.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * When an application gets administrator permissions, its earlier credentials are invalidated
 * (spec/management#replaced-credentials).
 */

type Application = { id: string; secret: string; customClientMetadata: object }

let app: TestApp
let operator: Operator
let developer: Administrator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  developer = await newAdministrator(app, operator, ['developer-role'])
})

async function answered(answer: Response): Promise<Application> {
  expect(answer.status).toBe(200)
  return (await answer.json()) as Application
}
const newMachine = async () =>
  answered(await developer.send('POST', '/applications', { name: 'CI', type: 'MachineToMachine' }))
const stored = async ({ id }: Application) => answered(await operator.get(`/applications/${id}`))
const promote = async ({ id }: Application, more: object = {}) =>
  answered(await operator.send('PATCH', `/applications/${id}`, { isAdmin: true, ...more }))
const give = async (roleId: string, { id }: Application) =>
  expect(
    (await operator.send('POST', `/roles/${roleId}/applications`, { applicationIds: [id] })).status,
  ).toBe(201)
const newRole = async () =>
  answered(await operator.send('POST', '/roles', { name: freshName(), description: 'A role' }))

async function signedIn(machine: Application, scope = 'all', from: TestApp = app): Promise<string[] | null> {
  const token = await machineToken(from, machine, scope).catch(() => null)
  if (!token) return null
  const permissions = await asOperator(app, token).get('/my-permissions')
  return permissions.ok ? ((await permissions.json()) as { scopes: string[] }).scopes : []
}

describe('an application that gets scopes for our own APIs', () => {
  const ways: [string, (machine: Application) => Promise<unknown>][] = [
    ['isAdmin', (machine) => promote(machine)],
    ['the administrator role', (machine) => give('admin-role', machine)],
    [
      'new scopes of its role',
      async (machine) => {
        const role = await newRole()
        await give(role.id, machine)
        await operator.send('POST', `/roles/${role.id}/scopes`, { scopeIds: ['management-api-all'] })
      },
    ],
  ]
  it.each(ways)('[ASVS-8.2.1-14] gets a new secret when it is promoted by %s', async (_, way) => {
    const known = await newMachine()
    await way(known)
    expect(await signedIn(known)).toBeNull()
    const now = await stored(known)
    expect(now.secret).toMatch(/^[\da-f]{32}$/)
    expect(await signedIn(now)).toContain('all')
    const { DB } = app.env
    const row = DB.prepare(
      'select secret, sealed_secret is not null as sealed from applications where id = ?',
    )
    expect(await row.bind(known.id).first()).toEqual({ secret: '', sealed: 1 })
  })

  it('[ASVS-8.2.1-15] gets another secret when it gets more of these scopes', async () => {
    const known = await newMachine()
    await give('read-only-role', known)
    const reading = await stored(known)
    await promote(known)
    expect(await signedIn(reading)).toBeNull()
  })

  it('gets the secret that is set in the same call', async () => {
    const known = await newMachine()
    expect((await promote(known, { secret: 'a-secret-of-the-owner' })).secret).toBe('a-secret-of-the-owner')
    expect(await signedIn({ ...known, secret: 'a-secret-of-the-owner' })).toContain('all')
  })

  it('[ASVS-8.2.1-16] loses its previous keys', async () => {
    const known = await newMachine()
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'mallory' }]
    await developer.send('PATCH', `/applications/${known.id}`, { customClientMetadata: { jwks: { keys } } })
    await give('admin-role', known)
    expect((await stored(known)).customClientMetadata).toEqual({})
    const assertion = await new SignJWT({ jti: freshName() })
      .setProtectedHeader({ alg: 'ES256', kid: 'mallory' })
      .setIssuer(known.id)
      .setSubject(known.id)
      .setAudience(`${ORIGIN}/oidc`)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey)
    const token = await app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: known.id,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
        resource: 'urn:vestibule:management-api',
        scope: 'all',
      }),
    })
    expect(token.status).toBe(401)
  })

  it('[ASVS-8.2.1-17] has no access with its old tokens or its cached old secret', async () => {
    const known = await newMachine()
    const elsewhere = openTestApp()
    const before = asOperator(app, await machineToken(elsewhere, known, 'all'))
    await promote(known)
    expect(await signedIn(known, 'all', elsewhere)).toEqual([])
    expect((await before.get('/users')).status).toBe(403)
  })

  it('keeps its credentials if it gets no new scopes', async () => {
    const known = await promote(await newMachine())
    await promote(known)
    await give('support-role', known)
    const customers = await newRole()
    await give(customers.id, known)
    expect(await signedIn(known)).toContain('all')
    const plain = await newMachine()
    await give(customers.id, plain)
    expect((await stored(plain)).secret).toBe(plain.secret)
  })

  it.each([1, 2, 3])(
    '[ASVS-8.2.1-18] cannot be changed by a developer if it is promoted just before batch %i of the change',
    async (at) => {
      const helper = await newMachine()
      await give('developer-role', helper)
      const token = await machineToken(app, await stored(helper), 'applications:write')
      const target = await newMachine()
      const racing = openRacingApp(async () => (await promote(target)) && 200)
      const secret = 'a-secret-that-mallory-knows'
      const call = () => asOperator(racing.app, token).send('PATCH', `/applications/${target.id}`, { secret })
      await racing.meanwhile(at, call)
      expect((await signedIn({ ...target, secret })) ?? []).not.toContain('all')
    },
  )
})
