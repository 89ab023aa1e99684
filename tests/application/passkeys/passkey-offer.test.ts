import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/time.ts'
import { FLAGS } from '../../kit/authenticator.ts'
import { freshName, newCookieClient } from '../../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { addPasskey, enablePasskeys, provePasskey, RP_ID } from '../../kit/clients/passkey-client.ts'
import {
  EVERYTHING,
  type FinishedSignIn,
  finishSignIn,
  keepPasskey,
  optionsOf,
} from '../../kit/passkey-offer.ts'
import { enrol, signInByPassword, signInWithBoth } from '../../kit/second-factor.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests the creation of passkeys after a sign-in with a software authenticator (spec/accounts#passkey-offer, ADR-0083).
 */
let app: TestApp
let operator: Operator
let username: string
let userId: string
beforeAll(async () => {
  await enablePasskeys(openTestApp())
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(app, {}))
beforeEach(async () => {
  ;({ username, userId } = await storeMember(app))
})
const failed = (reason: string) => [422, 'passkey.verification_failed', { reason }]
/** After a submit of such a request, the browser has to resume the interaction, with or without a passkey. */
const AS_FORM = { response_mode: 'form_post' }
const OVER = [404, 'session.verification_session_not_found']
const passkeysOf = async () =>
  (await (await operator.get(`/users/${userId}/passkeys`)).json()) as { id: string }[]
const putOffBefore = (time: number) =>
  app.env.DB.prepare('update passkey_offers set put_off_at = ? where user_id = ?')
    .bind(Date.now() - time, userId)
    .run()
/** Makes a sign-in appear to have happened some seconds ago. */
const makeOlder = (uid: string, seconds: number) =>
  app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload, '$.result.login.ts', ?) where id = ?`,
  )
    .bind(Math.floor(Date.now() / 1000) - seconds, uid)
    .run()
const signIn = (more: Parameters<typeof finishSignIn>[1] = {}) => finishSignIn(app, { username, ...more })
const creationsOf = async (more: Parameters<typeof finishSignIn>[1] = {}) =>
  (await signIn(more)).submitted.passkeys?.creations

describe('a sign-in', () => {
  it('offers a passkey to a browser that can create one, without additional round trips', async () => {
    // The first sign-in also reads what the next ones find in memory.
    await signIn()
    app.trips()
    const plain = await signIn({ abilities: [] })
    const before = app.trips().awaited
    expect(plain.submitted).toEqual({ redirectTo: expect.stringContaining('/demo-app?code=') })
    const response = await signIn()
    expect(app.trips().awaited).toBe(before)
    expect(response.submitted.passkeys).toEqual({
      creations: ['conditional', 'offer'],
      accepted: {
        rpId: RP_ID,
        userId: Buffer.from(userId).toString('base64url'),
        name: username,
        displayName: username,
        credentialIds: [],
      },
    })
  })

  it.each([
    [['offer'], ['offer']],
    [['conditional'], ['conditional']],
    [['signals'], []],
  ] as const)(
    'lets a browser with the capabilities %j use the creation modes %j',
    async (abilities, creations) => {
      expect(await creationsOf({ abilities })).toEqual(creations)
    },
  )

  it('offers no passkey to a user who has one, and lists the accepted passkeys', async () => {
    const { id } = await addPasskey(app, await storeMember(app, { username }))
    const { submitted } = await signIn()
    expect(submitted.passkeys).toMatchObject({ creations: [], accepted: { credentialIds: [id] } })
    await operator.send('DELETE', `/users/${userId}/passkeys/${id}`)
    await operator.send('PATCH', `/users/${userId}`, { name: 'Ann' })
    expect((await signIn()).submitted.passkeys).toMatchObject({
      creations: ['conditional', 'offer'],
      accepted: { credentialIds: [], displayName: 'Ann' },
    })
  })

  it('offers no passkey if the user signed in with one', async () => {
    const passkey = await addPasskey(app, await storeMember(app, { username }))
    const interaction = await beginInteraction(app)
    await provePasskey(interaction, passkey)
    const answer = await interaction.call('POST', '/submit', { passkeyAbilities: EVERYTHING })
    expect(await answer.json()).toMatchObject({ passkeys: { creations: [] } })
  })

  it('repeats a declined offer after thirty days, up to three times', async () => {
    const offer = ['offer'] as const
    for (let times = 0; times < 3; times++) {
      const interaction = await signIn({ abilities: offer })
      expect(interaction.submitted.passkeys?.creations).toEqual(offer)
      expect((await interaction.call('POST', '/passkeys/put-off')).status).toBe(204)
      await putOffBefore(29 * DAY)
      expect(await creationsOf({ abilities: offer })).toBeUndefined()
      await putOffBefore(30 * DAY)
    }
    await putOffBefore(400 * DAY)
    expect(await creationsOf({ abilities: offer })).toBeUndefined()
  })

  it.each([
    ['acr_values', { acr_values: 'urn:vestibule:acr:1fa' }],
    ['max_age', { max_age: '600' }],
    ['prompt=login', { prompt: 'login' }],
    [
      'an essential claim acr',
      { claims: '{"id_token":{"acr":{"essential":true,"value":"urn:vestibule:acr:1fa"}}}' },
    ],
  ])('does not allow automatic creation if the request contains %s', async (_, parameters) => {
    const interaction = await signIn({ parameters: parameters as Record<string, string> })
    expect(interaction.submitted.passkeys?.creations).toEqual(['offer'])
    const answer = await interaction.call('POST', '/passkeys/options', { creation: 'conditional' })
    expect(await outcomeOf(answer)).toEqual([403, 'auth.forbidden'])
  })

  it('also offers a passkey after a registration', async () => {
    const interaction = await finishSignIn(app, { event: 'Register', username: freshName() })
    expect(interaction.submitted.passkeys).toEqual({ creations: ['conditional', 'offer'] })
    const aaguid = 'd548826e-79b4-db40-a3d8-11116f7e8349'
    const { answer } = await keepPasskey(app, interaction, await optionsOf(interaction, 'offer'), { aaguid })
    expect([answer.status, await answer.json()]).toEqual([200, { name: 'Bitwarden' }])
  })
})

describe('a passkey offered after a sign-in', () => {
  it('is stored in two round trips and can then sign its user in', async () => {
    const interaction = await signIn()
    const options = await optionsOf(interaction, 'offer')
    expect(options.authenticatorSelection.userVerification).toBe('required')
    app.trips()
    const { answer, passkey } = await keepPasskey(app, interaction, options)
    expect(answer.status).toBe(200)
    expect(app.trips().awaited).toBe(2)
    expect(await passkeysOf()).toMatchObject([{ id: passkey.id }])
    const resumed = await interaction.client.get(interaction.submitted.redirectTo)
    expect(resumed.headers.get('location')).toContain('code=')
    const again = await beginInteraction(app)
    expect((await provePasskey(again, passkey)).status).toBe(204)
    const logs = await operator.get(`/logs?userId=${userId}&logKey=Interaction.Passkey.Create`)
    expect(await logs.json()).toMatchObject([{ payload: { result: 'Success', passkeyId: passkey.id } }])
  })

  it('can be created only once, even with the same challenge', async () => {
    const interaction = await signIn()
    const options = await optionsOf(interaction, 'offer')
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => outcomeOf((await keepPasskey(app, interaction, options)).answer)),
    )
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(await passkeysOf()).toHaveLength(1)
  })

  it('requires a sign-in that finished in the last ten minutes and has not been resumed', async () => {
    const open = await beginInteraction(app)
    const ask = (call: typeof open.call) => call('POST', '/passkeys/options', { creation: 'offer' })
    expect(await outcomeOf(await ask(open.call))).toEqual(OVER)
    const { call, uid } = await signIn()
    await makeOlder(uid, 590)
    expect((await ask(call)).status).toBe(200)
    await makeOlder(uid, 602)
    expect(await outcomeOf(await ask(call))).toEqual(OVER)
    const gone = await signIn()
    const options = await optionsOf(gone, 'offer')
    await gone.client.get(gone.submitted.redirectTo)
    expect((await outcomeOf(await ask(gone.call)))[1]).toBe('session.not_found')
    expect((await keepPasskey(app, gone, options)).answer.status).toBe(400)
    expect((await outcomeOf(await gone.call('POST', '/passkeys/put-off')))[1]).toBe('session.not_found')
    expect(await passkeysOf()).toEqual([])
  })

  it('is rejected after its user was suspended or signed out everywhere', async () => {
    for (const [method, path, body] of [
      ['DELETE', 'sessions'],
      ['PATCH', 'is-suspended', { isSuspended: true }],
    ] as const) {
      const interaction = await signIn()
      const options = await optionsOf(interaction, 'offer')
      await operator.send(method, `/users/${userId}/${path}`, body)
      expect(await outcomeOf((await keepPasskey(app, interaction, options)).answer)).toEqual(OVER)
    }
    expect(await passkeysOf()).toEqual([])
  })

  it('is rejected with another sign-in’s challenge, even if the user is the same', async () => {
    const [one, two] = [await signIn(), await signIn()]
    const { answer } = await keepPasskey(app, two, await optionsOf(one, 'offer'))
    expect(await outcomeOf(answer)).toEqual(failed('challenge'))
  })
})

describe('a response without user presence', () => {
  const absent = { flags: FLAGS.absent }
  const unseen = async () => {
    const interaction = await signIn()
    return { interaction, options: await optionsOf(interaction, 'conditional') }
  }

  it('is accepted for automatic creation, but not for a sign-in', async () => {
    const { interaction, options } = await unseen()
    expect(options.authenticatorSelection.userVerification).toBe('preferred')
    const { answer, passkey } = await keepPasskey(app, interaction, options, absent)
    expect(answer.status).toBe(200)
    const refused = await provePasskey(await beginInteraction(app), passkey)
    expect(await outcomeOf(refused)).toEqual(failed('signature'))
    const used = await provePasskey(await beginInteraction(app), passkey, { flags: FLAGS.synced })
    expect(used.status).toBe(204)
  })

  it('is rejected if the user created the passkey explicitly', async () => {
    const interaction = await signIn()
    const { answer } = await keepPasskey(app, interaction, await optionsOf(interaction, 'offer'), absent)
    expect(await outcomeOf(answer)).toEqual(failed('signature'))
  })

  it('is rejected if the request requires a recent sign-in', async () => {
    const interaction = await signIn({ parameters: { max_age: '600' } })
    const { answer } = await keepPasskey(app, interaction, await optionsOf(interaction, 'offer'), absent)
    expect(await outcomeOf(answer)).toEqual(failed('signature'))
  })

  it('is rejected when the challenge is reused', async () => {
    const { interaction, options } = await unseen()
    expect((await keepPasskey(app, interaction, options, absent)).answer.status).toBe(200)
    const { answer } = await keepPasskey(app, interaction, options, absent)
    expect(await outcomeOf(answer)).toEqual(failed('challenge'))
    expect(await passkeysOf()).toHaveLength(1)
  })

  it('is rejected with another sign-in’s challenge', async () => {
    const { options } = await unseen()
    const { answer } = await keepPasskey(app, await signIn(), options, absent)
    expect(await outcomeOf(answer)).toEqual(failed('challenge'))
  })

  it('is rejected with another user’s challenge', async () => {
    const { options } = await unseen()
    const other = await storeMember(app)
    const interaction = await finishSignIn(app, { username: other.username })
    const { answer } = await keepPasskey(app, interaction, options, absent)
    expect(await outcomeOf(answer)).toEqual(failed('challenge'))
  })

  it('is rejected by the account API, even with a challenge that allowed it', async () => {
    const { options } = await unseen()
    const member = await storeMember(app, { username })
    await expect(addPasskey(app, member, absent)).rejects.toThrow('signature')
    const { answer } = await keepPasskey(
      app,
      { ...(await signIn()), call: (_, __, body) => member.call('POST', '/passkeys', body) },
      options,
      absent,
    )
    expect(await outcomeOf(answer)).toEqual(failed('challenge'))
  })

  it('is rejected if the user already has a passkey or signed in without a password', async () => {
    const passkey = await addPasskey(app, await storeMember(app, { username }))
    const byPasskey = await beginInteraction(app, undefined, AS_FORM)
    await provePasskey(byPasskey, passkey)
    await byPasskey.submit()
    await operator.send('DELETE', `/users/${userId}/passkeys/${passkey.id}`)
    const byPassword = await signIn()
    await addPasskey(app, await storeMember(app, { username }))
    for (const { call } of [byPasskey, byPassword]) {
      const answer = await call('POST', '/passkeys/options', { creation: 'conditional' })
      expect(await outcomeOf(answer)).toEqual([403, 'auth.forbidden'])
    }
  })
})

describe('a sign-in with one factor', () => {
  const FORBIDDEN = [403, 'auth.forbidden']
  const both = ['conditional', 'offer'] as const
  const requestOptions = async (
    { call }: { call: FinishedSignIn['call'] },
    creation: (typeof both)[number],
  ) => outcomeOf(await call('POST', '/passkeys/options', { creation }))

  async function applicationThat(secondFactorPolicy: 'optional' | 'required') {
    const redirectUri = 'https://shop.example/callback'
    const made = await operator.send('POST', '/applications', {
      name: 'Shop',
      type: 'SPA',
      secondFactorPolicy,
      oidcClientMetadata: { redirectUris: [redirectUri] },
    })
    const { id } = (await made.json()) as { id: string }
    const remove = () => operator.send('DELETE', `/applications/${id}`)
    return { parameters: { client_id: id, redirect_uri: redirectUri }, remove }
  }

  /** Signs the user in to an application that requires an authenticator app, and sets one up. */
  async function setUpApp(parameters: Record<string, string>) {
    const interaction = await signInByPassword(app, username, newCookieClient(app), parameters)
    await interaction.submit()
    const { secret } = await enrol(interaction)
    expect((await interaction.submit()).status).toBe(200)
    return secret
  }

  it('creates no passkey for accounts with an authenticator app, regardless of the application', async () => {
    const early = await signIn()
    const options = await optionsOf(early, 'offer')
    const strict = await applicationThat('required')
    await setUpApp(strict.parameters)
    const interaction = await signIn({ parameters: AS_FORM })
    expect(interaction.submitted.passkeys?.creations).toEqual([])
    for (const creation of both) expect(await requestOptions(interaction, creation)).toEqual(FORBIDDEN)
    // A sign-in from before the authenticator app was set up cannot create a passkey either.
    expect(await outcomeOf((await keepPasskey(app, early, options)).answer)).toEqual(FORBIDDEN)
    expect(await passkeysOf()).toEqual([])
    await strict.remove()
  })

  it('creates no passkey in a remembered browser', async () => {
    const strict = await applicationThat('required')
    const secret = await setUpApp(strict.parameters)
    await strict.remove()
    const passkeys = { enabled: true, rpId: RP_ID, manageUrl: null, offer: true }
    await setTenantSettings(app, { passkeys, secondFactor: { policy: 'optional' } })
    const asking = openTestApp({}, { hasCalmDatabase: true })
    await enablePasskeys(app)
    const { client } = await signInWithBoth(
      asking,
      { username, secret },
      { statement: { remembersBrowser: true } },
    )
    const browser = newCookieClient(asking)
    for (const [name, cookie] of client.cookies)
      if (name.endsWith('_known')) browser.cookies.set(name, cookie)
    const interaction = await signInByPassword(asking, username, browser, AS_FORM)
    const answer = await interaction.call('POST', '/submit', { passkeyAbilities: EVERYTHING })
    expect(await answer.json()).toMatchObject({ passkeys: { creations: [] } })
    for (const creation of both) expect(await requestOptions(interaction, creation)).toEqual(FORBIDDEN)
  })

  it('creates no passkey automatically if the application would require it as a second factor', async () => {
    const mild = await applicationThat('optional')
    const interaction = await signIn({ parameters: mild.parameters })
    expect(interaction.submitted.passkeys?.creations).toEqual(['offer'])
    expect(await requestOptions(interaction, 'conditional')).toEqual(FORBIDDEN)
    await mild.remove()
  })
})

describe('a tenant with second factors', () => {
  it.each([
    [['totp', 'passkey'], ['offer']],
    [['totp'], ['conditional', 'offer']],
  ] as const)('limits the creation modes for the factor kinds %j to %j', async (factors, creations) => {
    await setTenantSettings(app, {
      passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: true },
      secondFactor: { policy: 'optional', factors: [...factors], rememberDays: 30 },
    })
    const interaction = await finishSignIn(openTestApp(), { username })
    await enablePasskeys(app)
    expect(interaction.submitted.passkeys?.creations).toEqual(creations)
  })
})

describe('a tenant with passkeys disabled', () => {
  it('never offers them and rejects the calls that create them', async () => {
    await enablePasskeys(app, { offer: false })
    const without = openTestApp()
    const interaction = await finishSignIn(without, { username, parameters: AS_FORM })
    expect(interaction.submitted.passkeys).toMatchObject({ creations: [] })
    for (const [path, body] of [
      ['/options', { creation: 'offer' }],
      ['/put-off', undefined],
    ] as const)
      expect(await outcomeOf(await interaction.call('POST', `/passkeys${path}`, body))).toEqual([
        422,
        'user.sign_in_method_not_enabled',
      ])
  })
})
