import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FLAGS, type SoftPasskey } from '../../kit/authenticator.ts'
import { freshName, newCookieClient, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  freshEmail,
  outcomeOf,
  receivedMessages,
} from '../../kit/clients/interaction-client.ts'
import { asOperator, machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { addPasskey, provePasskey, RP_ID } from '../../kit/clients/passkey-client.ts'
import { codeOf, forgetUsedSteps } from '../../kit/second-factor.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { atOrigin, openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the import of users' authenticator apps and passkeys (spec/accounts#imported-factors). */
let app: TestApp
let operator: Operator
/** Another, empty tenant with the same relying party ID for passkeys. */
let site: TestApp
let siteOperator: Operator
beforeAll(async () => {
  const settings = {
    passkeys: { enabled: true, rpId: RP_ID, manageUrl: null },
    secondFactor: { policy: 'optional' as const, factors: ['totp' as const] },
  }
  await setTenantSettings(openTestApp(), settings)
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  const id = freshName()
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
  const secret = app.env.MANAGEMENT_CLIENT_SECRET ?? ''
  const root = await machineToken(
    app,
    { id: 'management', secret },
    'manage:tenant',
    'urn:vestibule:services',
  )
  const created = await asOperator(app, root).send('POST', '/tenants', { id })
  const { origin, application } = (await created.json()) as {
    origin: string
    application: { id: string; secret: string }
  }
  await app.env.DB.prepare(
    `insert into configs (tenant_id, key, value) values (?, 'settings', ?)
     on conflict do update set value = excluded.value`,
  )
    .bind(id, JSON.stringify(settings))
    .run()
  site = atOrigin(openTestApp({}, { hasCalmDatabase: true }), origin)
  siteOperator = asOperator(site, await machineToken(site, application))
})
afterAll(() => setTenantSettings(app, {}))

type Entry = { id: string; totpSecret?: string; passkeys?: Record<string, unknown>[] } & Record<
  string,
  unknown
>
type Result = { status: string; error?: { code: string; details?: string } }

const importAt = async (at: Operator, ...users: object[]): Promise<Result[]> => {
  const answer = await at.send('POST', '/users/import', { users })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { results: Result[] }).results
}
const outcomes = (results: Result[]) => results.map(({ status, error }) => error?.code ?? status)

async function exportUser(id: string, query = ''): Promise<Entry> {
  const before = await app.env.DB.prepare(
    "select max(id) as id from users where id < ? and tenant_id = 'default'",
  )
    .bind(id)
    .first('id')
  const page = await operator.get(`/users/export?limit=1&after=${before ?? ''}${query}`)
  const { users } = (await page.json()) as { users: Entry[] }
  expect(users).toMatchObject([{ id }])
  return users[0] ?? { id: '' }
}

/** Creates a user with an authenticator app and a passkey. */
async function newUserWithFactors() {
  const member = await storeMember(app)
  const passkey = await addPasskey(app, member)
  const enrolmentResponse = await member.call('POST', '/factors/totp')
  const { secret, enrolment } = (await enrolmentResponse.json()) as { secret: string; enrolment: string }
  const set = await member.call('PUT', '/factors/totp', { enrolment, totpCode: await codeOf(secret) })
  expect(set.status).toBe(200)
  return { ...member, passkey, secret }
}

const startAt = (at: TestApp) =>
  beginInteraction(at, newCookieClient(at), { redirect_uri: `${at.origin}/demo-app` })

async function signInByPasskey(at: TestApp, passkey: SoftPasskey, options = {}): Promise<number[]> {
  const interaction = await startAt(at)
  const proved = await provePasskey(interaction, passkey, { origin: at.origin, ...options })
  return [proved.status, (await interaction.submit()).status]
}

async function signInByCode(at: TestApp, username: string, secret: string): Promise<number[]> {
  const interaction = await startAt(at)
  await interaction.start('SignIn', { identifier: { username, password: PASSWORD } })
  const factorRequired = await interaction.submit()
  const proved = await interaction.call('PATCH', '/identifiers', { totpCode: await codeOf(secret) })
  return [factorRequired.status, proved.status, (await interaction.submit()).status]
}

describe('an exported user', () => {
  it('can sign in to the importing tenant with the same authenticator app and passkey, and receives no messages', async () => {
    const { userId, username, passkey, secret } = await newUserWithFactors()
    const entry = await exportUser(userId, '&withTotpSecrets=true')
    expect(entry).toMatchObject({
      totpSecret: secret,
      passkeys: [{ id: passkey.id, rpId: RP_ID, isBackupEligible: true, isBackedUp: true, counter: 0 }],
    })
    expect(entry).not.toHaveProperty('backupCodes')
    const email = freshEmail()
    const moved = { ...entry, primaryEmail: email, password: PASSWORD }
    expect(outcomes(await importAt(siteOperator, moved))).toEqual(['created'])
    expect(outcomes(await importAt(siteOperator, moved))).toEqual(['existing'])

    const signedIn = await provePasskey(await startAt(site), passkey, { origin: site.origin })
    expect(signedIn.status).toBe(204)
    expect(await signInByPasskey(site, passkey)).toEqual([204, 200])
    expect(await signInByCode(site, username, secret)).toEqual([422, 204, 200])
    expect(await (await siteOperator.get(`/users/${userId}/factors`)).json()).toMatchObject({
      totp: { lastUsedAt: expect.any(Number) },
      backupCodesLeft: 0,
    })
    expect(await (await siteOperator.get(`/users/${userId}/passkeys`)).json()).toMatchObject([
      { ...passkey.listed, lastUsedAt: expect.any(Number) },
    ])
    // The import and the first sign-in send nothing, and the notices of later sign-ins in new browsers still wait.
    expect(await receivedMessages(site, { email })).toEqual([])
  })

  it('includes the authenticator app’s secret only on request, and the request is audited', async () => {
    const { userId, secret } = await newUserWithFactors()
    const entries = async () =>
      (await (await operator.get('/logs?logKey=Management.User.Export')).json()) as object[]
    const before = await entries()
    const entry = await exportUser(userId)
    expect(entry).not.toHaveProperty('totpSecret')
    expect(entry.passkeys).toHaveLength(1)
    expect(await entries()).toHaveLength(before.length)
    await exportUser(userId, '&withTotpSecrets=true')
    const [newest] = await entries()
    expect(newest).toMatchObject({ payload: { result: 'Success', actor: { type: 'app' } } })
    expect(JSON.stringify(await entries())).not.toContain(secret)
    await app.env.DB.prepare("update totp_factors set secret = '2x' where user_id = ?").bind(userId).run()
    expect(await exportUser(userId, '&withTotpSecrets=true')).not.toHaveProperty('totpSecret')
  })
})

/** Returns a passkey and the entry that another product would export for it: only its id and public key, in Base64. */
async function newForeignPasskey(options: { flags?: number } = {}) {
  const member = await storeMember(app)
  const passkey = await addPasskey(app, member, options)
  const { passkeys = [] } = await exportUser(member.userId)
  await operator.send('DELETE', `/users/${member.userId}`)
  const inBase64 = (text: unknown) => Buffer.from(String(text), 'base64url').toString('base64')
  const [exported] = passkeys
  return { passkey, entry: { id: inBase64(exported?.id), publicKey: inBase64(exported?.publicKey) } }
}

/** Returns an import entry for a user who has everything that a sign-in requires. */
const newUser = (id = newId()) => ({ id, username: freshName(), password: PASSWORD })

const newId = () =>
  freshName()
    .replaceAll(/[^A-Za-z\d]/g, '')
    .slice(-12)

describe('a passkey from another product', () => {
  it.each([
    { kind: 'synced', flags: FLAGS.synced, other: FLAGS.deviceBound },
    { kind: 'device-bound', flags: FLAGS.deviceBound, other: FLAGS.synced },
  ])('can be imported with only its id and key, and gets its flags on first use: $kind', async (row) => {
    const { passkey, entry } = await newForeignPasskey({ flags: row.flags })
    const id = newId()
    expect(outcomes(await importAt(operator, { ...newUser(id), passkeys: [entry] }))).toEqual(['created'])
    const flagsOf = async () => (await exportUser(id)).passkeys?.[0]?.isBackupEligible
    expect(await flagsOf()).toBeNull()
    // The user handle of the passkey is not the id of the imported user.
    expect(await signInByPasskey(app, passkey, { flags: row.flags, counter: 1 })).toEqual([204, 200])
    expect(await flagsOf()).toBe(row.kind === 'synced')
    const wrong = await provePasskey(await startAt(app), passkey, { flags: row.other, counter: 2 })
    expect(await outcomeOf(wrong)).toEqual([
      422,
      'passkey.verification_failed',
      { reason: 'backupEligibility' },
    ])
    expect(await signInByPasskey(app, passkey, { flags: row.flags, counter: 3 })).toEqual([204, 200])
  })

  it('must match its imported flags and counter on first use and every later use', async () => {
    const { passkey, entry } = await newForeignPasskey({ flags: FLAGS.deviceBound })
    const detailed = { ...entry, isBackupEligible: false, counter: 9 }
    await importAt(operator, { ...newUser(), passkeys: [detailed] })
    for (const options of [
      { flags: FLAGS.synced, counter: 10 },
      { flags: FLAGS.deviceBound, counter: 9 },
    ])
      expect((await provePasskey(await startAt(app), passkey, options)).status).toBe(422)
    expect(await signInByPasskey(app, passkey, { flags: FLAGS.deviceBound, counter: 10 })).toEqual([204, 200])
  })

  it('is assigned to only one user, even by concurrent imports', async () => {
    const { entry } = await newForeignPasskey()
    const calls = [newId(), newId()].map((id) => importAt(operator, { id, passkeys: [entry] }))
    const results = (await Promise.all(calls)).flatMap(outcomes)
    expect(results.toSorted()).toEqual(['created', 'passkey.already_registered'])
    expect(outcomes(await importAt(operator, { id: newId(), passkeys: [entry] }))).toEqual([
      'passkey.already_registered',
    ])
  })
})

describe('an import entry', () => {
  const key = { id: 'AAAA', publicKey: 'AAAA' }
  it.each<{ what: string; entry: object; field: string }>([
    { what: 'a secret that is not Base32', entry: { totpSecret: 'not base32!' }, field: 'totpSecret' },
    { what: 'a secret of nine bytes', entry: { totpSecret: 'A'.repeat(15) }, field: 'totpSecret' },
    { what: 'a secret of 65 bytes', entry: { totpSecret: 'A'.repeat(104) }, field: 'totpSecret' },
    { what: 'a passkey without a key', entry: { passkeys: [{ id: 'AAAA' }] }, field: 'publicKey' },
    { what: 'a key that is not CBOR', entry: { passkeys: [key] }, field: 'publicKey' },
    {
      what: 'a key for an unsupported algorithm',
      // An EC2 key for ES384 on P-384 that lacks its coordinates.
      entry: { passkeys: [{ ...key, publicKey: 'owECAzgiIAI' }] },
      field: 'publicKey',
    },
    {
      what: 'a key whose point is not on the curve',
      entry: { passkeys: [{ ...key, publicKey: `pQECAyYgASFYI${'A'.repeat(42)}iWCA${'A'.repeat(43)}` }] },
      field: 'publicKey',
    },
    {
      what: 'another relying party ID',
      entry: { passkeys: [{ ...key, rpId: 'evil.example' }] },
      field: 'rpId',
    },
    { what: 'a duplicate passkey', entry: { passkeys: [key, key] }, field: 'passkeys' },
    { what: 'an unknown field', entry: { passkeys: [{ ...key, secret: 'x' }] }, field: 'secret' },
    { what: '21 passkeys', entry: { passkeys: Array(21).fill(key) }, field: 'passkeys' },
    { what: 'a negative counter', entry: { passkeys: [{ ...key, counter: -1 }] }, field: 'counter' },
  ])('is rejected if it contains $what, without affecting other entries', async ({ entry, field }) => {
    const [bad, good] = await importAt(operator, { id: newId(), ...entry }, { id: newId() })
    expect([bad?.error?.code, good?.status]).toEqual(['guard.invalid_input', 'created'])
    expect(bad?.error?.details).toContain(field)
  })

  it('can contain a secret with spaces and lower-case letters', async () => {
    const [id, username, secret] = [newId(), freshName(), 'JBSWY3DPEHPK3PXP']
    const copiedSecret = 'jbsw y3dp ehpk 3pxp'
    expect(
      outcomes(await importAt(operator, { id, username, password: PASSWORD, totpSecret: copiedSecret })),
    ).toEqual(['created'])
    expect(await signInByCode(app, username, secret)).toEqual([422, 204, 200])
    await forgetUsedSteps(app)
    expect((await exportUser(id, '&withTotpSecrets=true')).totpSecret).toBe(secret)
    const row = await app.env.DB.prepare('select secret from totp_factors where user_id = ?').bind(id).first()
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  it('is rejected if it contains passkeys and the tenant has no relying party ID', async () => {
    const { entry } = await newForeignPasskey()
    await setTenantSettings(app, {})
    const without = openTestApp({}, { hasCalmDatabase: true })
    const results = await importAt(asOperator(without, operator.token), { id: newId(), passkeys: [entry] })
    expect(results).toMatchObject([{ status: 'rejected', error: { code: 'guard.invalid_input' } }])
  })
})
