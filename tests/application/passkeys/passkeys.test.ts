import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChallenge, signInLabel } from '../../../src/application/passkeys/challenge.ts'
import { HOUR } from '../../../src/contract/time.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import { createPasskey, FLAGS } from '../../kit/authenticator.ts'
import { newCookieClient, resumeAuthorization } from '../../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  addPasskey,
  enablePasskeys,
  provePasskey,
  RP_ID,
  requestOptions,
} from '../../kit/clients/passkey-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests signing in with passkeys from a software authenticator (spec/accounts#passkeys). */
let app: TestApp
let operator: Operator
beforeAll(async () => {
  await enablePasskeys(openTestApp())
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(app, {}))
/** Seals challenges as the application does, with a clock in the past. */
const sealing = (age = 0) => ({ seals: createSeals(app.env.ROOT_SECRET ?? ''), now: () => Date.now() - age })

const failed = (reason: string) => [422, 'passkey.verification_failed', { reason }]

async function newOwner(overrides = {}) {
  const member = await storeMember(app)
  return { member, passkey: await addPasskey(app, member, overrides) }
}

const counterOf = async (id: string) =>
  (await app.env.DB.prepare(
    'select counter, is_backed_up, last_used_at from passkeys where credential_id = ?',
  )
    .bind(id)
    .first()) as { counter: number; is_backed_up: number; last_used_at: number | null }

describe('a passkey', () => {
  it('signs its user in with two round trips, and requesting its options needs none', async () => {
    const { member, passkey } = await newOwner()
    const interaction = await beginInteraction(app, newCookieClient(app))
    app.trips()
    const options = await requestOptions(interaction)
    expect(app.trips().awaited).toBe(0)
    expect(options).toEqual({
      challenge: expect.any(String),
      rpId: RP_ID,
      timeout: 300_000,
      userVerification: 'required',
    })
    const assertion = await passkey.sign(options)
    const proved = await interaction.call('PUT', '', { event: 'SignIn', identifier: { passkey: assertion } })
    expect(proved.status).toBe(204)
    expect(app.trips().awaited).toBeLessThanOrEqual(2)
    const back = await resumeAuthorization(interaction.client, await interaction.submit())
    expect(back.searchParams.get('code')).toEqual(expect.any(String))
    const { last_used_at: used } = await counterOf(passkey.id)
    expect(used).toEqual(expect.any(Number))
    const user = await (await operator.get(`/users/${member.userId}`)).json()
    expect(user).toMatchObject({ lastSignInAt: expect.any(Number) })
  })

  it('is also accepted by PATCH /identifiers', async () => {
    const { passkey } = await newOwner()
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    const assertion = await passkey.sign(await requestOptions(interaction))
    expect((await interaction.call('PATCH', '/identifiers', { passkey: assertion })).status).toBe(204)
    expect((await interaction.submit()).status).toBe(200)
  })

  it.each([
    ['without user verification', { flags: FLAGS.unverified | 0x18 }, 'userVerification'],
    ['if it has suddenly become device-bound', { flags: FLAGS.deviceBound }, 'backupEligibility'],
    ['if it was signed at another origin', { origin: 'https://evil.example' }, 'signature'],
    ['if it was signed for another domain', { rpId: 'evil.example' }, 'signature'],
    ['from another ceremony', { type: 'webauthn.create' }, 'signature'],
    ['for another user', { userHandle: 'b3RoZXI' }, 'signature'],
    ['without a user handle', { userHandle: undefined }, 'signature'],
    ['without user presence', { flags: 0x1c }, 'signature'],
  ])('is rejected %s', async (_, overrides, reason) => {
    const { passkey } = await newOwner()
    const interaction = await beginInteraction(app)
    expect(await outcomeOf(await provePasskey(interaction, passkey, overrides))).toEqual(failed(reason))
    expect((await interaction.submit()).status).toBe(404)
    expect((await counterOf(passkey.id)).last_used_at).toBeNull()
  })

  it('is rejected with another key’s signature', async () => {
    const [{ passkey }, { passkey: other }] = [await newOwner(), await newOwner()]
    const interaction = await beginInteraction(app)
    const options = await requestOptions(interaction)
    const right = await passkey.sign(options)
    const { response } = await other.sign(options, { userHandle: right.response.userHandle })
    const forged = { ...right, response }
    const answer = await interaction.call('PUT', '', { event: 'SignIn', identifier: { passkey: forged } })
    expect(await outcomeOf(answer)).toEqual(failed('signature'))
  })

  it('results in different error codes if it is unknown and if its verification fails', async () => {
    const { passkey } = await newOwner()
    const { passkey: unknown } = await createPasskey(
      { challenge: 'eA', rp: { id: RP_ID }, user: { id: 'eA' } },
      { origin: app.origin },
    )
    const interaction = await beginInteraction(app)
    expect(await outcomeOf(await provePasskey(interaction, unknown))).toEqual([422, 'passkey.not_found'])
    const spoiled = await provePasskey(interaction, passkey, { origin: 'https://evil.example' })
    expect((await outcomeOf(spoiled))[1]).toBe('passkey.verification_failed')
  })

  it('does not sign a suspended user in, and reveals the suspension only to the user', async () => {
    const { member, passkey } = await newOwner()
    await operator.send('PATCH', `/users/${member.userId}/is-suspended`, { isSuspended: true })
    const interaction = await beginInteraction(app)
    const spoiled = await provePasskey(interaction, passkey, { origin: 'https://evil.example' })
    expect((await outcomeOf(spoiled))[1]).toBe('passkey.verification_failed')
    expect(await outcomeOf(await provePasskey(interaction, passkey))).toEqual([401, 'user.suspended'])
  })

  it('does not sign its user in if it is removed before the interaction is submitted', async () => {
    const { member, passkey } = await newOwner()
    const interaction = await beginInteraction(app)
    expect((await provePasskey(interaction, passkey)).status).toBe(204)
    await operator.send('DELETE', `/users/${member.userId}/passkeys/${passkey.id}`)
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'passkey.not_found'])
    const again = await beginInteraction(app)
    expect(await outcomeOf(await provePasskey(again, passkey))).toEqual([422, 'passkey.not_found'])
  })

  it('does not sign its user in if the user is signed out everywhere before the interaction is submitted', async () => {
    const { member, passkey } = await newOwner()
    const interaction = await beginInteraction(app)
    expect((await provePasskey(interaction, passkey)).status).toBe(204)
    await operator.send('DELETE', `/users/${member.userId}/sessions`)
    expect((await outcomeOf(await interaction.submit()))[1]).toBe('session.verification_failed')
  })

  it('is not accepted for a password reset or a registration', async () => {
    const { passkey } = await newOwner()
    for (const event of ['ForgotPassword', 'Register']) {
      const interaction = await beginInteraction(app)
      const assertion = await passkey.sign(await requestOptions(interaction))
      const answer = await interaction.call('PUT', '', { event, identifier: { passkey: assertion } })
      expect(await outcomeOf(answer)).toEqual([422, 'user.sign_in_method_not_enabled'])
    }
  })
})

describe('a challenge', () => {
  it('is accepted only once in five concurrent attempts', async () => {
    const { passkey } = await newOwner()
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    const assertion = await passkey.sign(await requestOptions(interaction))
    const tries = await Promise.all(
      Array.from({ length: 5 }, async () =>
        outcomeOf(await interaction.call('PATCH', '/identifiers', { passkey: assertion })),
      ),
    )
    expect(tries.filter(([status]) => status === 204)).toHaveLength(1)
    for (const outcome of tries.filter(([status]) => status !== 204))
      expect(outcome).toEqual(failed('challenge'))
  })

  it('is rejected if it is forged or belongs to another interaction or tenant', async () => {
    const { passkey } = await newOwner()
    const [interaction, other] = [await beginInteraction(app), await beginInteraction(app)]
    const foreign = await requestOptions(other)
    const elsewhere = await createChallenge(sealing(), signInLabel('elsewhere', interaction.uid))
    for (const challenge of [foreign.challenge, elsewhere, 'bmV2ZXIgc2VudA']) {
      const assertion = await passkey.sign({ challenge, rpId: RP_ID })
      const answer = await interaction.call('PUT', '', {
        event: 'SignIn',
        identifier: { passkey: assertion },
      })
      expect(await outcomeOf(answer)).toEqual(failed('challenge'))
    }
    expect((await provePasskey(interaction, passkey)).status).toBe(204)
  })

  it('is valid for an hour', async () => {
    const { passkey } = await newOwner()
    const interaction = await beginInteraction(app)
    const made = async (age: number) => {
      const challenge = await createChallenge(sealing(age), signInLabel('default', interaction.uid))
      const assertion = await passkey.sign({ challenge, rpId: RP_ID })
      return interaction.call('PUT', '', { event: 'SignIn', identifier: { passkey: assertion } })
    }
    expect(await outcomeOf(await made(HOUR))).toEqual(failed('challenge'))
    expect((await made(HOUR - 60_000)).status).toBe(204)
  })

  it('is not accepted for creating a passkey', async () => {
    const { member } = await newOwner()
    const { challenge } = await requestOptions(await beginInteraction(app))
    const { attestation } = await createPasskey(
      { challenge, rp: { id: RP_ID }, user: { id: 'eA' } },
      { origin: app.origin },
    )
    expect(await outcomeOf(await member.call('POST', '/passkeys', attestation))).toEqual(failed('challenge'))
  })
})

describe('the signature counter', () => {
  it('must increase for a device-bound passkey; otherwise the attempt is rejected and audited', async () => {
    const { member, passkey } = await newOwner({ flags: FLAGS.deviceBound, counter: 5 })
    const sign = async (counter: number) =>
      outcomeOf(await provePasskey(await beginInteraction(app), passkey, { counter }))
    expect(await sign(6)).toEqual([204, null])
    for (const counter of [6, 4, 0]) expect(await sign(counter)).toEqual(failed('counter'))
    expect((await counterOf(passkey.id)).counter).toBe(6)
    expect(await sign(9)).toEqual([204, null])

    const logs = await operator.get(
      `/logs?userId=${member.userId}&logKey=Interaction.SignIn.Identifier.Passkey.Submit`,
    )
    const entries = (await logs.json()) as { payload: Record<string, unknown> }[]
    const refused = entries.filter(({ payload }) => payload.result === 'Error')
    expect(refused).toHaveLength(3)
    expect(refused[0]?.payload).toMatchObject({
      userId: member.userId,
      passkeyId: passkey.id,
      error: { code: 'passkey.verification_failed', data: { reason: 'counter' } },
    })
  })

  it('may stay the same or decrease for a synced passkey, even one that is no longer backed up', async () => {
    const { passkey } = await newOwner()
    for (const counter of [3, 3, 1])
      expect((await provePasskey(await beginInteraction(app), passkey, { counter })).status).toBe(204)
    expect(await counterOf(passkey.id)).toMatchObject({ counter: 3, is_backed_up: 1 })
    const ended = { flags: FLAGS.eligible }
    expect((await provePasskey(await beginInteraction(app), passkey, ended)).status).toBe(204)
    expect((await counterOf(passkey.id)).is_backed_up).toBe(0)
  })
})

describe('a tenant without passkeys', () => {
  it('neither requests nor accepts passkeys', async () => {
    const { member, passkey } = await newOwner()
    const interaction = await beginInteraction(app)
    const assertion = await passkey.sign(await requestOptions(interaction))
    const offered = await app.fetch('/api/.well-known/sign-in-exp')
    expect(await offered.json()).toMatchObject({ passkeys: true })

    await setTenantSettings(app, { passkeys: { enabled: false, rpId: RP_ID, manageUrl: null, offer: true } })
    const without = openTestApp()
    const call = (method: string, path: string, body?: unknown) =>
      newSender(without, interaction.client.cookies).send(method, `/api/interaction${path}`, body, {
        Interaction: interaction.uid,
      })
    const disabled = [422, 'user.sign_in_method_not_enabled']
    expect(await outcomeOf(await call('POST', '/verification/passkey-options'))).toEqual(disabled)
    const identifier = { passkey: assertion }
    expect(await outcomeOf(await call('PUT', '', { event: 'SignIn', identifier }))).toEqual(disabled)
    const settings = await without.fetch('/api/.well-known/sign-in-exp')
    expect(await settings.json()).not.toHaveProperty('passkeys')
    await enablePasskeys(app)
    expect((await member.call('GET', '/passkeys')).status).toBe(200)
  })
})

function newSender(of: TestApp, cookies: ReturnType<typeof newCookieClient>['cookies']) {
  const client = newCookieClient(of)
  for (const [name, value] of cookies) client.cookies.set(name, value)
  return client
}
