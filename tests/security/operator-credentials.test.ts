import { beforeAll, describe, expect, it } from 'vitest'
import { SERVICES_RESOURCE } from '../../src/contract/product.ts'
import { accountTable } from '../api/management-table.ts'
import { createPasskey } from '../kit/authenticator.ts'
import { type Member, newMember } from '../kit/clients/account-client.ts'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { freshEmail, outcomeOf } from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { addPasskey, creationOptions, RP_ID } from '../kit/clients/passkey-client.ts'
import { openRacingApp } from '../kit/racing-app.ts'
import { codeOf } from '../kit/second-factor.ts'
import { storeMember } from '../kit/stored-session.ts'
import { setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { type ClientApplication, newClient } from './parties.ts'

/**
 * Applications that less privileged operators register cannot change operators' credentials
 * (spec/accounts#credentials-of-operators).
 */

const email = freshEmail()

type Call = [method: string, path: string, body?: object | (() => Promise<object>)]

/** The account API calls that change the user's credentials, or verify the user for such a change. */
const calls: Call[] = [
  ['PATCH', '', { username: freshName() }],
  ['POST', '/password', { password: 'other-horse-8' }],
  ['PUT', '/password', { password: 'other-horse-8' }],
  ['POST', '/password/verify', { password: PASSWORD }],
  ['POST', '/verification-codes', { email }],
  ['POST', '/verification-codes/verify', { email, verificationCode: '000000' }],
  ['POST', '/factors/totp'],
  ['PUT', '/factors/totp', () => enrolled()],
  ['POST', '/factors/backup-codes'],
  ['DELETE', '/factors'],
  ['POST', '/passkeys/options', {}],
  ['POST', '/passkeys', async () => attestation],
  ['DELETE', '/passkeys/{id}'],
  ['DELETE', '/identities/{target}'],
]

/** All other account API calls that write, including `PATCH /me` if it does not change the username. */
const free: Call[] = [
  ['PATCH', '', { name: 'Ada' }],
  ['PATCH', '/custom-data', { customData: {} }],
  ['PATCH', '/passkeys/{id}', { name: 'Key' }],
  ['DELETE', '/sessions/{id}'],
  ['DELETE', '/trusted-browsers/{id}'],
  ['DELETE', '/consents/{applicationId}'],
]

/** Organisations give no access to the tenant. */
const ofOrganizations: Call[] = [
  ['POST', '/organizations', { name: 'Acme' }],
  ['DELETE', '/organizations/{organizationId}'],
]

let app: TestApp
let operator: Operator
let shop: ClientApplication
let owner: Member
let passkey: string
let attestation: object
let invitation: { secret: string; enrolment: string }
beforeAll(async () => {
  app = openTestApp()
  const passkeys = { enabled: true, rpId: RP_ID, manageUrl: null, offer: false }
  await setTenantSettings(app, { passkeys, secondFactor: { policy: 'optional' } })
  operator = await newOperator(app)
  shop = await newClient(app, 'SPA')
  const member = await storeMember(app)
  owner = await signInAgain(member, ['admin-role'])
  await member.call('POST', '/password/verify', { password: PASSWORD })
  invitation = await (await member.call('POST', '/factors/totp')).json()
  attestation = (await createPasskey(await creationOptions(member), { origin: app.origin })).attestation
  passkey = (await addPasskey(app, member)).id
  await app.env.DB.prepare('update users set primary_email = ?, identities = ? where id = ?')
    .bind(email, JSON.stringify({ github: { userId: freshName() } }), owner.userId)
    .run()
})

const enrolled = async () => ({
  enrolment: invitation.enrolment,
  totpCode: await codeOf(invitation.secret),
})

const newUser = async (roleIds: string[], at = app) => signInAgain(await newMember(at), roleIds, at)

/** Assigns roles to the user, and signs in the user to the application again. */
async function signInAgain(
  { username, client, userId }: Member,
  roleIds: string[],
  at = app,
): Promise<Member> {
  if (roleIds.length > 0) await operator.send('PUT', `/users/${userId}/roles`, { roleIds })
  return newMember(at, {
    clientId: shop.id,
    redirectUri: shop.redirectUri,
    username,
    client,
    scope: 'openid profile identities custom_data',
    parameters: { prompt: 'login' },
  })
}

async function send([method, path, body]: Call): Promise<Response> {
  const content = typeof body === 'function' ? await body() : body
  const url = path.replace('/passkeys/{id}', `/passkeys/${passkey}`).replace('{target}', 'github')
  return owner.call(method, url.replaceAll(/\{\w+\}/g, 'none'), content)
}

const scopesOf = async (path: string) =>
  (await (await operator.get(`/resources/${path}/scopes`)).json()) as { id: string; name: string }[]

async function newRole(resource: string, name: string): Promise<string> {
  const scope = (await scopesOf(resource)).find((each) => each.name === name)
  const role = { name: freshName(), description: '', scopeIds: [scope?.id] }
  return ((await (await operator.send('POST', '/roles', role)).json()) as { id: string }).id
}

const accountCentre = [403, 'user.account_centre_required']

describe('an operator’s credentials', () => {
  it.each(calls)(
    '[ASVS-8.2.1-20] cannot be changed by the tenant’s applications: %s /api/me%s',
    async (...call) => {
      expect(await outcomeOf(await send(call))).toEqual(accountCentre)
    },
  )

  it('[ASVS-8.2.1-21] are changed by every write call of the account API that is not listed as exempt', () => {
    const writes = accountTable.map(([call]) => call).filter((call) => !call.startsWith('GET '))
    const sorted = [...calls, ...free, ...ofOrganizations].map(([method, path]) => `${method} /me${path}`)
    expect([...new Set(sorted)].toSorted()).toEqual(writes.toSorted())
  })

  it('[ASVS-8.2.1-22] are protected for users with any management scope or with access to tenants', async () => {
    const roles = [await newRole('management-api', 'logs:read'), await newRole('services', 'manage:tenant')]
    for (const role of roles) {
      const { call } = await newUser([role])
      expect(await outcomeOf(await call('DELETE', '/factors'))).toEqual(accountCentre)
    }
  })

  it('are not protected for users whose scopes grant no access to the tenant', async () => {
    const { call } = await newUser([await newRole(SERVICES_RESOURCE.id, 'create:tenant')])
    expect(await outcomeOf(await call('DELETE', '/factors'))).toEqual([404, 'entity.not_found'])
  })

  it('[ASVS-8.2.1-23] are protected even if the user becomes an operator during the call', async () => {
    let member: Member | undefined
    const { app: racing, meanwhile } = openRacingApp(async () => {
      const roles = { roleIds: ['admin-role'] }
      return (await operator.send('PUT', `/users/${member?.userId}/roles`, roles)).status
    })
    member = await newUser([], racing)
    const { call } = member
    const { answer, changed } = await meanwhile(3, () => call('PATCH', '', { username: freshName() }))
    expect([changed, answer.status]).toEqual([200, 401])
    expect(await (await call('GET')).json()).toMatchObject({ username: member.username })
  })
})

it('an operator can use an application to read the account and to change everything except credentials', async () => {
  for (const path of ['', '/passkeys', '/factors', '/sessions', '/consents', '/identities'])
    expect([path, (await owner.call('GET', path)).status]).toEqual([path, 200])
  for (const call of free) expect([200, 404], call.join(' ')).toContain((await send(call)).status)
})

it('a built-in application can change the credentials of operators', async () => {
  const { username, client, userId } = await storeMember(app)
  await operator.send('PUT', `/users/${userId}/roles`, { roleIds: ['admin-role'] })
  const { call } = await newMember(app, { username, client, parameters: { prompt: 'login' } })
  expect(await outcomeOf(await call('DELETE', '/factors'))).toEqual([404, 'entity.not_found'])
})
