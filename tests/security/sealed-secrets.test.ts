import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../src/contract/product.ts'
import { createSeals, type SealLabel } from '../../src/storage/seal.ts'
import { freshName } from '../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail, outcomeOf } from '../kit/clients/interaction-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

const rows = async <R>(query: string, ...values: unknown[]): Promise<R[]> =>
  (
    await env.DB.prepare(query)
      .bind(...values)
      .all<R>()
  ).results

describe('an application’s secret', () => {
  const OLDER = 'a secret that the previous Worker has stored'
  const machine = { name: 'Robot', type: 'MachineToMachine' as const, isAdmin: true }
  type Made = { id: string; secret: string }

  afterEach(async () => {
    await env.DB.prepare("delete from configs where key = 'applicationSecrets'").run()
  })

  async function make(app: TestApp, more: object = {}): Promise<Made> {
    const operator = await newOperator(app)
    const { isAdmin, ...application } = machine
    const created = await operator.send('POST', '/applications', { ...application, ...more })
    const made = (await created.json()) as Made
    await operator.send('PATCH', `/applications/${made.id}`, { isAdmin, secret: made.secret })
    return made
  }

  const stored = async (id: string) =>
    (
      await rows<{ secret: string; sealed_secret: string | null }>(
        'select secret, sealed_secret from applications where id = ?',
        id,
      )
    )[0]
  const storeAsBefore = (id: string, secret = OLDER) =>
    env.DB.prepare('update applications set secret = ? where id = ?').bind(secret, id).run()

  /** Returns the status of a token request. A new app handles the request, so that nothing is cached. */
  const authenticate = async (id: string, secret: string, bindings = {}) =>
    (
      await openTestApp(bindings).fetch('/oidc/token', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${encodeURIComponent(secret)}`)}` },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          resource: MANAGEMENT_RESOURCE.indicator,
          scope: MANAGEMENT_SCOPE.name,
        }),
      })
    ).status

  it('[ASVS-13.3.1-4] is encrypted at rest, and the API returns and accepts its plain text', async () => {
    const app = openTestApp()
    const operator = await newOperator(app)
    const { id, secret } = await make(app)
    expect(await stored(id)).toEqual({ secret: '', sealed_secret: expect.stringMatching(/^2[\w-]{60,}$/) })
    expect(await (await operator.get(`/applications/${id}`)).json()).toMatchObject({ id, secret })
    const listed = (await (await operator.get('/applications')).json()) as Made[]
    expect(listed.find((one) => one.id === id)?.secret).toBe(secret)
    expect(JSON.stringify(listed)).not.toContain('sealed')
    expect(await authenticate(id, secret)).toBe(200)

    const another = 'another secret, chosen by an operator'
    const changed = await operator.send('PATCH', `/applications/${id}`, { secret: another })
    expect(await changed.json()).toMatchObject({ secret: another })
    expect(JSON.stringify(await stored(id))).not.toContain(another)
    expect([await authenticate(id, another), await authenticate(id, secret)]).toEqual([200, 401])
  })

  it('[ASVS-14.2.4-2] cannot be used after being copied to another row', async () => {
    const app = openTestApp()
    const [mine, theirs] = [await make(app), await make(app)]
    await env.DB.prepare(
      'update applications set sealed_secret = (select sealed_secret from applications where id = ?) where id = ?',
    )
      .bind(mine.id, theirs.id)
      .run()
    for (const secret of ['', mine.secret, theirs.secret])
      expect(await authenticate(theirs.id, secret)).toBeGreaterThanOrEqual(400)
    expect(await authenticate(mine.id, mine.secret)).toBe(200)
  })

  it('[ASVS-14.2.4-3] is encrypted by the scheduled maintenance if the previous Worker stored it, and still works', async () => {
    const app = openTestApp()
    const operator = await newOperator(app)
    const doctor = async () => (await operator.get('/configs/doctor')).json()
    const { id } = await make(app)
    await storeAsBefore(id)
    expect(await doctor()).toMatchObject({ applications: { unsealedSecrets: 1 } })
    expect(await authenticate(id, OLDER)).toBe(200)

    await app.sweep()
    expect((await stored(id))?.secret).toBe('')
    expect(await doctor()).toMatchObject({ applications: { unsealedSecrets: 0 } })
    expect(await authenticate(id, OLDER)).toBe(200)

    // The previous Worker, which is still running, changes the secret. The plain value is then newer than the
    // sealed one.
    await storeAsBefore(id, `${OLDER}, once more`)
    expect(await authenticate(id, `${OLDER}, once more`)).toBe(200)
    await app.sweep()
    expect(await authenticate(id, `${OLDER}, once more`)).toBe(200)
  })

  it('remains readable for the previous Worker until the deployment is complete', async () => {
    const sealedFrom = (time: number) =>
      env.DB.prepare("insert or replace into configs values ('default', 'applicationSecrets', ?)")
        .bind(JSON.stringify({ sealedFrom: time }))
        .run()
    await sealedFrom(Date.now() + 60_000)
    const app = openTestApp()
    const { id, secret } = await make(app)
    await app.sweep()
    expect(await stored(id)).toEqual({ secret, sealed_secret: expect.any(String) })
    expect(await authenticate(id, secret)).toBe(200)

    await sealedFrom(Date.now() - 2_000)
    await app.sweep()
    expect((await stored(id))?.secret).toBe('')
    expect(await authenticate(id, secret)).toBe(200)
  })

  it('survives a change to the root secret', async () => {
    const app = openTestApp()
    const { id, secret } = await make(app)
    const both = {
      ROOT_SECRET: 'the root secret that takes its place from now on',
      ROOT_SECRET_PREVIOUS: app.env.ROOT_SECRET,
    }
    expect(await authenticate(id, secret, both)).toBe(200)
    await openTestApp(both).sweep()
    // The signing keys of other tests are resealed as well, so the test checks only its own row.
    const [row] = await rows<{ sealed_secret: string }>(
      'select sealed_secret from applications where id = ?',
      id,
    )
    const label: SealLabel = `application-secret/default/${id}`
    expect(await createSeals(both.ROOT_SECRET).open(label, row?.sealed_secret ?? '')).toBe(secret)
    await openTestApp({
      ROOT_SECRET: app.env.ROOT_SECRET ?? '',
      ROOT_SECRET_PREVIOUS: both.ROOT_SECRET,
    }).sweep()
    expect(await authenticate(id, secret)).toBe(200)
  })
})

describe('a verification code', () => {
  type Code = { code: string | null; code_digest: string | null; id: string }
  const codeRows = (email: string) =>
    rows<Code>('select id, code, code_digest from passcodes where email = ? and consumed = 0', email)
  const app = openTestApp()
  beforeAll(() => setExperience(app, { methods: everyMethod }))

  async function sent(email = freshEmail()) {
    const interaction = await beginInteraction(app)
    await interaction.start('Register')
    await interaction.sendCode({ email })
    const code = await codeTo(app, { email })
    const prove = async (verificationCode: string) =>
      (await outcomeOf(await interaction.call('PATCH', '/identifiers', { email, verificationCode })))[1]
    return { email, code, prove }
  }

  it('[ASVS-14.2.4-4] is stored only in a form that does not reveal it', async () => {
    const { email, code, prove } = await sent()
    const [row] = await codeRows(email)
    expect(row).toMatchObject({ code: null, code_digest: expect.stringMatching(/^2[\w-]{43}$/) })
    const guessed = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const digest = await crypto.subtle.digest(
          'SHA-256',
          new TextEncoder().encode(String(index + Number(code))),
        )
        return Buffer.from(digest).toString('base64url')
      }),
    )
    expect(guessed.some((digest) => row?.code_digest?.includes(digest))).toBe(false)
    expect(await prove(code)).toBeNull()
  })

  it('[ASVS-14.2.4-5] is rejected if its digest is copied to another interaction, address or tenant', async () => {
    const mine = await sent()
    const theirs = await sent()
    const [from, to] = [(await codeRows(mine.email))[0], (await codeRows(theirs.email))[0]]
    await env.DB.prepare('update passcodes set code_digest = ? where id = ?')
      .bind(from?.code_digest, to?.id)
      .run()
    expect(await theirs.prove(mine.code)).toBe('verification_code.code_mismatch')
    // Changes the address in the row to the victim's.
    await env.DB.prepare('update passcodes set email = ? where id = ?').bind(theirs.email, from?.id).run()
    expect(await mine.prove(mine.code)).toBe('verification_code.email_mismatch')

    const seals = createSeals(app.env.ROOT_SECRET ?? '')
    const digests = await Promise.all(
      ['code/one', 'code/two'].map((label) => seals.digests(label as SealLabel, 1)),
    )
    expect(new Set(digests.flat()).size).toBe(2)
  })

  it('is still accepted if the previous Worker stored it or the root secret has changed', async () => {
    const older = await sent()
    await env.DB.prepare('update passcodes set code = ?, code_digest = null where email = ?')
      .bind('123456', older.email)
      .run()
    expect(await older.prove('654321')).toBe('verification_code.code_mismatch')
    expect(await older.prove('123456')).toBeNull()

    const [before, after] = ['the root secret that was in use before', 'the root secret that is in use now']
    const [first] = await createSeals(before).digests('code/default', ['a', freshName()])
    expect(first).toMatch(/^2/)
    const value = ['uid', 'SignIn', 'email', 'a@b.example', '123456']
    const [old] = await createSeals(before).digests('code/default', value)
    const now = await createSeals(after, before).digests('code/default', value)
    expect(now).toHaveLength(2)
    expect(now[1]).toBe(old)
    expect(now[0]).not.toBe(old)
  })
})

describe('a sealed value', () => {
  const ROOT = 'a root secret for this test, long enough'
  const bytes = (text: string) => new TextEncoder().encode(text)

  async function keyOf(purpose: string): Promise<CryptoKey> {
    const root = await crypto.subtle.importKey('raw', bytes(ROOT), 'HKDF', false, ['deriveKey'])
    return crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytes(`vestibule/${purpose}`) },
      root,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt', 'decrypt'],
    )
  }

  it('can be decrypted only with the key for its purpose and tenant', async () => {
    const sealed = await createSeals(ROOT).seal('connector/acme/mail', 'a secret')
    const whole = Uint8Array.fromBase64(sealed.slice(1), { alphabet: 'base64url' })
    const openWith = async (purpose: string) =>
      crypto.subtle
        .decrypt(
          { name: 'AES-GCM', iv: whole.subarray(0, 12), additionalData: bytes('connector/acme/mail') },
          await keyOf(purpose),
          whole.subarray(12),
        )
        .then(
          () => true,
          () => false,
        )
    expect(await openWith('seal/2/connector/acme')).toBe(true)
    for (const other of ['seal/2/connector/default', 'seal/2/hook-secret/acme', 'seal'])
      expect(await openWith(other)).toBe(false)
  })

  it('can still be decrypted in the first format, and is not mistaken for another format', async () => {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const label: SealLabel = 'connector/acme/mail'
    const data = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: bytes(label) },
      await keyOf('seal'),
      bytes('"a secret"'),
    )
    const text = new Uint8Array([...iv, ...new Uint8Array(data)]).toBase64({
      alphabet: 'base64url',
      omitPadding: true,
    })
    expect(await createSeals(ROOT).open(label, `1${text}`)).toBe('a secret')
    expect(await createSeals('the next root secret, long enough too', ROOT).open(label, `1${text}`)).toBe(
      'a secret',
    )
    for (const version of ['2', '3', ''])
      expect(await createSeals(ROOT).open(label, version + text)).toBeNull()
    expect(await createSeals(ROOT).open('connector/default/mail', `1${text}`)).toBeNull()
  })
})
