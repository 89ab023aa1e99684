import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasskey } from '../../kit/authenticator.ts'
import { asBearer, type Member } from '../../kit/clients/account-client.ts'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freshEmail, outcomeOf, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { addPasskey, creationOptions, enablePasskeys, RP_ID } from '../../kit/clients/passkey-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the life cycle of a passkey with a software authenticator (spec/management#account-passkeys). */
let app: TestApp
let operator: Operator
beforeAll(async () => {
  await enablePasskeys(openTestApp())
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(app, {}))

const BITWARDEN = 'd548826e-79b4-db40-a3d8-11116f7e8349'
/** A self-signed certificate and its key, which only these tests use. */
const MANUFACTURER = {
  certificate:
    'MIIBlzCCAT2gAwIBAgIUTp/3umCzeiQh6GKN+QGCPCWqh5YwCgYIKoZIzj0EAwIwIDEeMBwGA1UEAwwVQXR0ZXN0YXRpb24gb2YgYSB0' +
    'ZXN0MCAXDTI2MTEyMzE0MDg0OVoYDzIxMjYxMDMwMTQwODQ5WjAgMR4wHAYDVQQDDBVBdHRlc3RhdGlvbiBvZiBhIHRlc3QwWTATBgcq' +
    'hkjOPQIBBggqhkjOPQMBBwNCAAToiFrfUYM2c++yue9XrZRaBQ87ufycBwbN9NqZzsOaMhZg1BU5NkWNsCOAj9g7wAvx7+oAoUOssjLT' +
    'LErm/q9No1MwUTAdBgNVHQ4EFgQUwT0YpQgix7h3gy8wJ+49kIndGBwwHwYDVR0jBBgwFoAUwT0YpQgix7h3gy8wJ+49kIndGBwwDwYD' +
    'VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAi9pKAb52ENAvXr7yqEinIeMZFvZSzumjtd/E1hoU26wIhANjhbeU7zu7npQ6o' +
    'I8o0+vwhZjnNJjQsPJD1/gEmnOhM',
  key:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnkTiH+8D1jsRgRJh1+MfqCsOh75KS8jCa2QXBto48LyhRANCAAToiFrf' +
    'UYM2c++yue9XrZRaBQ87ufycBwbN9NqZzsOaMhZg1BU5NkWNsCOAj9g7wAvx7+oAoUOssjLTLErm/q9N',
}
const verify = ({ call }: Member) => call('POST', '/password/verify', { password: PASSWORD })
const listOf = async ({ call }: Member) => (await call('GET', '/passkeys')).json()

describe('creating a passkey', () => {
  it('names the passkey after its authenticator and notifies the user', async () => {
    const member = await storeMember(app)
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ? where id = ?')
      .bind(email, member.userId)
      .run()
    const { listed } = await addPasskey(app, member, { aaguid: BITWARDEN })
    expect(listed).toEqual({
      id: expect.any(String),
      name: 'Bitwarden',
      aaguid: BITWARDEN,
      rpId: RP_ID,
      transports: ['internal', 'hybrid'],
      isBackupEligible: true,
      isBackedUp: true,
      isSecondFactor: false,
      createdAt: expect.any(Number),
      lastUsedAt: null,
    })
    expect(await listOf(member)).toEqual([listed])
    expect(await receivedMessages(app, { email })).toMatchObject([{ type: 'PasskeyAdded', code: '' }])
    expect(await (await operator.get(`/users/${member.userId}/passkeys`)).json()).toEqual([listed])
  })

  it('requests a discoverable passkey with user verification and excludes existing ones', async () => {
    const member = await storeMember(app)
    const { id } = await addPasskey(app, member)
    expect(await creationOptions(member)).toEqual({
      challenge: expect.any(String),
      rp: { id: RP_ID, name: expect.any(String) },
      user: {
        id: Buffer.from(member.userId).toString('base64url'),
        name: member.username,
        displayName: member.username,
      },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [{ id, type: 'public-key', transports: ['internal', 'hybrid'] }],
      timeout: 300_000,
      attestation: 'none',
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    })
  })

  it('requires a recent verification through the same grant', async () => {
    const member = await storeMember(app)
    const unverified = [401, 'auth.insufficient_user_authentication', { maxAge: 600 }]
    expect(await outcomeOf(await member.call('POST', '/passkeys/options'))).toEqual(unverified)
    await verify(member)
    const { attestation } = await createPasskey(await creationOptions(member), { origin: app.origin })
    const elsewhere = await storeMember(app, { username: member.username })
    expect(await outcomeOf(await elsewhere.call('POST', '/passkeys', attestation))).toEqual(unverified)
    await verify(elsewhere)
    // The challenge was issued for another grant.
    expect((await outcomeOf(await elsewhere.call('POST', '/passkeys', attestation)))[1]).toBe(
      'passkey.verification_failed',
    )
  })

  it.each([
    ['at another origin', { origin: 'https://evil.example' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['without user verification', { flags: 0x19 }],
    ['without user presence', { flags: 0x1c }],
    ['in another ceremony', { type: 'webauthn.get' }],
  ])('fails if it happens %s', async (_, options) => {
    const member = await storeMember(app)
    await verify(member)
    const passkey = await createPasskey(await creationOptions(member), { origin: app.origin, ...options })
    expect(await outcomeOf(await member.call('POST', '/passkeys', passkey.attestation))).toEqual([
      422,
      'passkey.verification_failed',
      { reason: 'signature' },
    ])
    expect(await listOf(member)).toEqual([])
  })

  it('rejects attestation statements, because their certificates could make the server fetch URLs', async () => {
    const member = await storeMember(app)
    await verify(member)
    const options = { origin: app.origin, attestedBy: MANUFACTURER }
    const { attestation } = await createPasskey(await creationOptions(member), options)
    expect(await outcomeOf(await member.call('POST', '/passkeys', attestation))).toEqual([
      422,
      'passkey.verification_failed',
      { reason: 'signature' },
    ])
  })

  it.each([
    ['an invalid transport', { transports: Array(8).fill('\u0001'.repeat(32)) }, 400],
    ['an id that is too long', { idLength: 1024 }, 422],
  ])('fails with %s', async (_, options, status) => {
    const member = await storeMember(app)
    await verify(member)
    const passkey = await createPasskey(await creationOptions(member), { origin: app.origin, ...options })
    const body = { ...passkey.attestation, id: 'aWQ', rawId: 'aWQ' }
    expect((await member.call('POST', '/passkeys', body)).status).toBe(status)
  })

  it('stores the passkey only once, even if calls run concurrently', async () => {
    const member = await storeMember(app)
    await verify(member)
    const { attestation } = await createPasskey(await creationOptions(member), { origin: app.origin })
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => outcomeOf(await member.call('POST', '/passkeys', attestation))),
    )
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(([status]) => status !== 200))
      expect(answer).toEqual([422, 'passkey.already_registered'])
    expect(await listOf(member)).toHaveLength(1)
  })

  it('is limited to twenty per user', async () => {
    const member = await storeMember(app)
    const row = `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid,
      rp_id, is_backup_eligible, is_backed_up, created_at) values ('default', ?, ?, 'x', 0, '[]', '', ?, 1, 1, 1)`
    for (let count = 0; count < 19; count++)
      await app.env.DB.prepare(row).bind(`${member.userId}-${count}`, member.userId, RP_ID).run()
    await addPasskey(app, member)
    expect(await outcomeOf(await member.call('POST', '/passkeys/options'))).toEqual([
      422,
      'passkey.limit_reached',
      { max: 20 },
    ])
  })
})

/** Removes the password from an account. */
const removePassword = (userId: string) =>
  app.env.DB.prepare('update users set password_encrypted = null where id = ?').bind(userId).run()

describe('a user’s passkeys', () => {
  it('can be renamed and removed only by their user', async () => {
    const [member, other] = [await storeMember(app), await storeMember(app)]
    const { id } = await addPasskey(app, member)
    await verify(other)
    const notFound = [404, 'entity.not_found']
    expect(await outcomeOf(await other.call('PATCH', `/passkeys/${id}`, { name: 'Mine' }))).toEqual(notFound)
    expect(await outcomeOf(await other.call('DELETE', `/passkeys/${id}`))).toEqual(notFound)

    const renamed = await member.call('PATCH', `/passkeys/${id}`, { name: 'My phone' })
    expect(await renamed.json()).toMatchObject({ id, name: 'My phone' })
    expect((await member.call('DELETE', `/passkeys/${id}`)).status).toBe(204)
    expect(await listOf(member)).toEqual([])
    expect(await outcomeOf(await member.call('DELETE', `/passkeys/${id}`))).toEqual(notFound)
  })

  it('can be removed only after a recent verification, and the user is notified', async () => {
    const member = await storeMember(app)
    const email = freshEmail()
    const { id } = await addPasskey(app, member)
    await app.env.DB.prepare('update users set primary_email = ? where id = ?')
      .bind(email, member.userId)
      .run()
    const elsewhere = await storeMember(app, { username: member.username })
    expect((await outcomeOf(await elsewhere.call('DELETE', `/passkeys/${id}`)))[0]).toBe(401)
    expect((await member.call('DELETE', `/passkeys/${id}`)).status).toBe(204)
    expect(await receivedMessages(app, { email })).toMatchObject([{ type: 'PasskeyRemoved' }])
  })

  it('must include at least one if the user has no other way to sign in', async () => {
    const member = await storeMember(app)
    const { id } = await addPasskey(app, member)
    await removePassword(member.userId)
    const rejected = await outcomeOf(await member.call('DELETE', `/passkeys/${id}`))
    expect(rejected).toEqual([422, 'user.last_sign_in_method'])
    expect(await listOf(member)).toHaveLength(1)
  })

  it('cannot all be removed concurrently if the user has no other way to sign in', async () => {
    const member = await storeMember(app)
    const passkeys = [await addPasskey(app, member), await addPasskey(app, member)]
    await removePassword(member.userId)
    const answers = await Promise.all(
      passkeys.map(async ({ id }) => outcomeOf(await member.call('DELETE', `/passkeys/${id}`))),
    )
    expect(answers.map(([status]) => status).sort()).toEqual([204, 422])
    expect(answers).toContainEqual([422, 'user.last_sign_in_method'])
    expect(await listOf(member)).toHaveLength(1)
  })

  it('can be removed by an operator, even the last one', async () => {
    const member = await storeMember(app)
    const { id } = await addPasskey(app, member)
    await removePassword(member.userId)
    const path = `/users/${member.userId}/passkeys`
    expect((await operator.send('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await operator.send('DELETE', `${path}/${id}`)).status).toBe(404)
    expect(await (await operator.get(path)).json()).toEqual([])
    expect((await operator.get('/users/nobody/passkeys')).status).toBe(404)
  })

  it('are deleted together with their user', async () => {
    const member = await storeMember(app)
    await addPasskey(app, member)
    expect((await operator.send('DELETE', `/users/${member.userId}`)).status).toBe(204)
    const count = app.env.DB.prepare('select count(*) as count from passkeys where user_id = ?')
    expect(await count.bind(member.userId).first()).toEqual({ count: 0 })
    expect((await asBearer(app, member.token)('GET', '/passkeys')).status).toBe(401)
  })
})

describe('the relying party ID', () => {
  const set = async (passkeys: object) =>
    outcomeOf(await operator.send('PATCH', '/configs/settings', { passkeys }))
  const valid = { enabled: true, rpId: RP_ID, manageUrl: null }

  it('cannot be changed while passkeys exist, but passkeys can be disabled', async () => {
    const member = await storeMember(app)
    await addPasskey(app, member)
    const inUse = [422, 'passkey.domain_in_use']
    expect(await set({ enabled: false, rpId: null, manageUrl: null })).toEqual(inUse)
    expect(await set({ ...valid, enabled: false })).toEqual([200, null])
    expect(await set(valid)).toEqual([200, null])
    expect(await (await operator.get('/configs/settings')).json()).toMatchObject({ passkeys: valid })

    await app.env.DB.prepare('delete from passkeys where tenant_id = ?').bind('default').run()
    expect(await set({ enabled: false, rpId: null, manageUrl: null })).toEqual([200, null])
    expect(await set(valid)).toEqual([200, null])
  })

  it.each([
    ['missing if passkeys are enabled', null, 400],
    ['a foreign domain', 'example.com', 422],
    ['a subdomain of the host', 'id.localhost', 422],
    ['a host with a port', 'localhost:8787', 400],
    ['an origin', 'https://localhost', 400],
  ])('cannot be %s', async (_, rpId, status) => {
    expect((await set({ ...valid, rpId })).slice(0, 2)).toEqual([status, 'guard.invalid_input'])
  })
})
