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

/** Authenticator apps and passkeys that move with their users (spec/accounts#imported-factors). */
let app: TestApp
let operator: Operator
/** Another tenant, empty, with the same domain of passkeys. */
let site: TestApp
let receiving: Operator
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
  const made = await asOperator(app, root).send('POST', '/tenants', { id })
  const { origin, application } = (await made.json()) as {
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
  receiving = asOperator(site, await machineToken(site, application))
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

async function exported(id: string, query = ''): Promise<Entry> {
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

/** A user of the tenant with an app and a passkey. */
async function newHolder() {
  const member = await storeMember(app)
  const passkey = await addPasskey(app, member)
  const begun = await member.call('POST', '/factors/totp')
  const { secret, enrolment } = (await begun.json()) as { secret: string; enrolment: string }
  const set = await member.call('PUT', '/factors/totp', { enrolment, totpCode: await codeOf(secret) })
  expect(set.status).toBe(200)
  return { ...member, passkey, secret }
}

const startAt = (at: TestApp) =>
  beginInteraction(at, newCookieClient(at), { redirect_uri: `${at.origin}/demo-app` })

async function signInByPasskey(at: TestApp, passkey: SoftPasskey, said = {}): Promise<number[]> {
  const interaction = await startAt(at)
  const proved = await provePasskey(interaction, passkey, { origin: at.origin, ...said })
  return [proved.status, (await interaction.submit()).status]
}

async function signInByCode(at: TestApp, username: string, secret: string): Promise<number[]> {
  const interaction = await startAt(at)
  await interaction.start('SignIn', { identifier: { username, password: PASSWORD } })
  const asked = await interaction.submit()
  const proved = await interaction.call('PATCH', '/identifiers', { totpCode: await codeOf(secret) })
  return [asked.status, proved.status, (await interaction.submit()).status]
}

describe('an exported user', () => {
  it('signs in at an empty tenant with the same app and the same passkey, and is told nothing', async () => {
    const { userId, username, passkey, secret } = await newHolder()
    const entry = await exported(userId, '&withTotpSecrets=true')
    expect(entry).toMatchObject({
      totpSecret: secret,
      passkeys: [{ id: passkey.id, rpId: RP_ID, isBackupEligible: true, isBackedUp: true, counter: 0 }],
    })
    expect(entry).not.toHaveProperty('backupCodes')
    const email = freshEmail()
    const moved = { ...entry, primaryEmail: email, password: PASSWORD }
    expect(outcomes(await importAt(receiving, moved))).toEqual(['created'])
    expect(outcomes(await importAt(receiving, moved))).toEqual(['existing'])

    const signedIn = await provePasskey(await startAt(site), passkey, { origin: site.origin })
    expect(signedIn.status).toBe(204)
    expect(await signInByPasskey(site, passkey)).toEqual([204, 200])
    expect(await signInByCode(site, username, secret)).toEqual([422, 204, 200])
    expect(await (await receiving.get(`/users/${userId}/factors`)).json()).toMatchObject({
      totp: { lastUsedAt: expect.any(Number) },
      backupCodesLeft: 0,
    })
    expect(await (await receiving.get(`/users/${userId}/passkeys`)).json()).toMatchObject([
      { ...passkey.listed, lastUsedAt: expect.any(Number) },
    ])
    expect(await receivedMessages(site, { email })).toEqual([])
  })

  it('comes without the secret of the app unless it is asked for, which the audit log says', async () => {
    const { userId, secret } = await newHolder()
    const entries = async () =>
      (await (await operator.get('/logs?logKey=Management.User.Export')).json()) as object[]
    const before = await entries()
    const entry = await exported(userId)
    expect(entry).not.toHaveProperty('totpSecret')
    expect(entry.passkeys).toHaveLength(1)
    expect(await entries()).toHaveLength(before.length)
    await exported(userId, '&withTotpSecrets=true')
    const [newest] = await entries()
    expect(newest).toMatchObject({ payload: { result: 'Success', actor: { type: 'app' } } })
    expect(JSON.stringify(await entries())).not.toContain(secret)
    await app.env.DB.prepare("update totp_factors set secret = '2x' where user_id = ?").bind(userId).run()
    expect(await exported(userId, '&withTotpSecrets=true')).not.toHaveProperty('totpSecret')
  })
})

/** What another product knows of a passkey: its id and its key, as it happens to write them. */
async function foreign(said: { flags?: number } = {}) {
  const member = await storeMember(app)
  const passkey = await addPasskey(app, member, said)
  const { passkeys = [] } = await exported(member.userId)
  await operator.send('DELETE', `/users/${member.userId}`)
  const inBase64 = (text: unknown) => Buffer.from(String(text), 'base64url').toString('base64')
  const [known] = passkeys
  return { passkey, entry: { id: inBase64(known?.id), publicKey: inBase64(known?.publicKey) } }
}

/** A user whom nothing is asked for when signing in. */
const newUser = (id = newId()) => ({ id, username: freshName(), password: PASSWORD })

const newId = () =>
  freshName()
    .replaceAll(/[^A-Za-z\d]/g, '')
    .slice(-12)

describe('a passkey of another product', () => {
  it.each([
    { kind: 'synced', flags: FLAGS.synced, other: FLAGS.deviceBound },
    { kind: 'device-bound', flags: FLAGS.deviceBound, other: FLAGS.synced },
  ])('is known by its id and its key alone, and by its flags from its first use on: $kind', async (given) => {
    const { passkey, entry } = await foreign({ flags: given.flags })
    const id = newId()
    expect(outcomes(await importAt(operator, { ...newUser(id), passkeys: [entry] }))).toEqual(['created'])
    const flagsOf = async () => (await exported(id)).passkeys?.[0]?.isBackupEligible
    expect(await flagsOf()).toBeNull()
    // Its user handle is not the id of the user here.
    expect(await signInByPasskey(app, passkey, { flags: given.flags, counter: 1 })).toEqual([204, 200])
    expect(await flagsOf()).toBe(given.kind === 'synced')
    const wrong = await provePasskey(await startAt(app), passkey, { flags: given.other, counter: 2 })
    expect(await outcomeOf(wrong)).toEqual([
      422,
      'passkey.verification_failed',
      { reason: 'backupEligibility' },
    ])
    expect(await signInByPasskey(app, passkey, { flags: given.flags, counter: 3 })).toEqual([204, 200])
  })

  it('whose flags and counter are given is held to them from the first use on', async () => {
    const { passkey, entry } = await foreign({ flags: FLAGS.deviceBound })
    const known = { ...entry, isBackupEligible: false, counter: 9 }
    await importAt(operator, { ...newUser(), passkeys: [known] })
    for (const said of [
      { flags: FLAGS.synced, counter: 10 },
      { flags: FLAGS.deviceBound, counter: 9 },
    ])
      expect((await provePasskey(await startAt(app), passkey, said)).status).toBe(422)
    expect(await signInByPasskey(app, passkey, { flags: FLAGS.deviceBound, counter: 10 })).toEqual([204, 200])
  })

  it('is given to one user, also of two calls at the same time', async () => {
    const { entry } = await foreign()
    const calls = [newId(), newId()].map((id) => importAt(operator, { id, passkeys: [entry] }))
    const results = (await Promise.all(calls)).flatMap(outcomes)
    expect(results.toSorted()).toEqual(['created', 'passkey.already_registered'])
    expect(outcomes(await importAt(operator, { id: newId(), passkeys: [entry] }))).toEqual([
      'passkey.already_registered',
    ])
  })
})

describe('an entry', () => {
  const key = { id: 'AAAA', publicKey: 'AAAA' }
  it.each<{ what: string; entry: object; says: string }>([
    { what: 'a secret that is no Base32', entry: { totpSecret: 'not base32!' }, says: 'totpSecret' },
    { what: 'a secret of nine bytes', entry: { totpSecret: 'A'.repeat(15) }, says: 'totpSecret' },
    { what: 'a secret of 65 bytes', entry: { totpSecret: 'A'.repeat(104) }, says: 'totpSecret' },
    { what: 'a passkey without a key', entry: { passkeys: [{ id: 'AAAA' }] }, says: 'publicKey' },
    { what: 'a key that is not CBOR', entry: { passkeys: [key] }, says: 'publicKey' },
    {
      what: 'a key of an algorithm that passkeys do not have here',
      // EC2, ES384 on P-384, without its point.
      entry: { passkeys: [{ ...key, publicKey: 'owECAzgiIAI' }] },
      says: 'publicKey',
    },
    {
      what: 'a point that is not on the curve',
      entry: { passkeys: [{ ...key, publicKey: `pQECAyYgASFYI${'A'.repeat(42)}iWCA${'A'.repeat(43)}` }] },
      says: 'publicKey',
    },
    { what: 'another domain', entry: { passkeys: [{ ...key, rpId: 'evil.example' }] }, says: 'rpId' },
    { what: 'a passkey twice', entry: { passkeys: [key, key] }, says: 'passkeys' },
    { what: 'an unknown field', entry: { passkeys: [{ ...key, secret: 'x' }] }, says: 'secret' },
    { what: '21 passkeys', entry: { passkeys: Array(21).fill(key) }, says: 'passkeys' },
    { what: 'a counter below nought', entry: { passkeys: [{ ...key, counter: -1 }] }, says: 'counter' },
  ])('with $what is rejected, and no other', async ({ entry, says }) => {
    const [bad, good] = await importAt(operator, { id: newId(), ...entry }, { id: newId() })
    expect([bad?.error?.code, good?.status]).toEqual(['guard.invalid_input', 'created'])
    expect(bad?.error?.details).toContain(says)
  })

  it('takes a secret as people copy it', async () => {
    const [id, username, secret] = [newId(), freshName(), 'JBSWY3DPEHPK3PXP']
    const given = 'jbsw y3dp ehpk 3pxp'
    expect(
      outcomes(await importAt(operator, { id, username, password: PASSWORD, totpSecret: given })),
    ).toEqual(['created'])
    expect(await signInByCode(app, username, secret)).toEqual([422, 204, 200])
    await forgetUsedSteps(app)
    expect((await exported(id, '&withTotpSecrets=true')).totpSecret).toBe(secret)
    const kept = await app.env.DB.prepare('select secret from totp_factors where user_id = ?')
      .bind(id)
      .first()
    expect(JSON.stringify(kept)).not.toContain(secret)
  })

  it('with passkeys is rejected where the tenant has no domain of them', async () => {
    const { entry } = await foreign()
    await setTenantSettings(app, {})
    const without = openTestApp({}, { hasCalmDatabase: true })
    const results = await importAt(asOperator(without, operator.token), { id: newId(), passkeys: [entry] })
    expect(results).toMatchObject([{ status: 'rejected', error: { code: 'guard.invalid_input' } }])
  })
})
