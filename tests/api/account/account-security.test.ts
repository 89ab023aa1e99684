import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256Base64Url } from '../../../src/storage/digest.ts'
import { asBearer, type Member, newMember } from '../../kit/clients/account-client.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import {
  codeTo,
  freshEmail,
  freshPhone,
  outcomeOf,
  receivedMessages,
  wrongCode,
} from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const OTHER = 'other-horse-8'
const STEP_UP = [401, 'auth.insufficient_user_authentication', { maxAge: 600 }]
const BACK = 'https://shop.example/back'
const verifyPassword = (member: Member, password = PASSWORD) =>
  member.call('POST', '/password/verify', { password })
const changePassword = (member: Member, password = OTHER, method = 'POST') =>
  member.call(method, '/password', { password })

async function canSignIn({ username }: Pick<Member, 'username'>, password: string) {
  const client = newCookieClient(app)
  return (
    await signIn(client, await openSignInPage(client, await authorizationRequest()), username, password)
  ).ok
}

const logsOf = async ({ userId }: Member, key: string) => {
  const { results } = await app.env.DB.prepare(
    'select payload from logs where user_id = ? and key = ? order by rowid',
  )
    .bind(userId, key)
    .all<{ payload: string }>()
  return results.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>)
}

/** Reports whether the browser still has a session at the provider. */
const isSignedIn = async ({ client }: Member) => {
  const response = await client.get((await authorizationRequest({ prompt: 'none' })).url)
  return response.headers.get('location')?.includes('code=') === true
}

describe('a new password', () => {
  it.each(['POST', 'PUT'])(
    '[ASVS-6.2.3] can be set with %s once the current password has been verified',
    async (method) => {
      const member = await storeMember(app)
      const verified = await verifyPassword(member)
      expect([verified.status, await verified.text()]).toEqual([204, ''])
      const changed = await changePassword(member, OTHER, method)
      expect([changed.status, await changed.text()]).toEqual([204, ''])
      expect([await canSignIn(member, PASSWORD), await canSignIn(member, OTHER)]).toEqual([false, true])
      expect(await logsOf(member, 'Account.Password.Update')).toMatchObject([{ result: 'Success' }])
      expect(JSON.stringify(await logsOf(member, 'Account.Password.Verify'))).not.toContain('horse')
    },
  )

  it('is reported to the account owner in a notification', async () => {
    const email = freshEmail()
    const member = await storeMember(app)
    await operator.send('PATCH', `/users/${member.userId}`, { primaryEmail: email })
    await verifyPassword(member)
    expect((await changePassword(member, PASSWORD)).status).toBe(422)
    expect(await receivedMessages(app, { email })).toEqual([])
    expect((await changePassword(member)).status).toBe(204)
    expect(await receivedMessages(app, { email })).toMatchObject([{ type: 'PasswordChanged' }])
  })

  it('[ASVS-6.2.3-2] requires a verification, and each verification allows only one change', async () => {
    const member = await storeMember(app)
    expect(await outcomeOf(await changePassword(member))).toEqual(STEP_UP)
    await verifyPassword(member)
    expect((await changePassword(member)).status).toBe(204)
    expect(await outcomeOf(await changePassword(member, PASSWORD))).toEqual(STEP_UP)
    expect(await canSignIn(member, OTHER)).toBe(true)
  })

  it('must be set within ten minutes after the verification', async () => {
    const member = await storeMember(app)
    await verifyPassword(member)
    const age = (by: number) =>
      app.env.DB.prepare('update verification_statuses set created_at = created_at - ? where user_id = ?')
        .bind(by, member.userId)
        .run()
    await age(601_000)
    expect(await outcomeOf(await changePassword(member))).toEqual(STEP_UP)
    await age(-10_000)
    expect((await changePassword(member)).status).toBe(204)
  })

  it.each<Record<string, string>>([{ max_age: '600' }, { prompt: 'login' }])(
    'can be set after a recent sign-in that was requested with %o',
    async (parameters) => {
      const member = await storeMember(app)
      const refused = await changePassword(member)
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="600"',
      )
      const { username, client } = member
      const recent = await newMember(app, { username, client, parameters })
      expect((await changePassword(recent)).status).toBe(204)
      expect(await canSignIn(member, OTHER)).toBe(true)
    },
  )

  it('requires a verification if the sign-in was more than ten minutes ago', async () => {
    const member = await newMember(app, { parameters: { max_age: '600' } })
    await app.env.DB.prepare(
      `update oidc_model_instances set payload = json_set(payload, '$.extra.auth_time', payload ->> '$.extra.auth_time' - 601)
       where model_name = 'AccessToken' and payload ->> '$.accountId' = ?`,
    )
      .bind(member.userId)
      .run()
    expect(await outcomeOf(await changePassword(member))).toEqual(STEP_UP)
    await verifyPassword(member)
    expect((await changePassword(member)).status).toBe(204)
  })

  it('cannot be set by an application that has not itself verified the user', async () => {
    const member = await storeMember(app)
    const thief = await storeMember(app, { username: member.username })
    await verifyPassword(member)
    expect(await outcomeOf(await changePassword(thief))).toEqual(STEP_UP)
    expect((await changePassword(member)).status).toBe(204)
  })

  it('must differ from the old one and follow the password policy', async () => {
    const member = await storeMember(app)
    await verifyPassword(member)
    expect(await outcomeOf(await changePassword(member, PASSWORD))).toEqual([422, 'user.same_password'])
    expect((await outcomeOf(await changePassword(member, 'weak'))).slice(0, 2)).toEqual([
      400,
      'guard.invalid_input',
    ])
    expect((await changePassword(member)).status).toBe(204)
  })

  it('is set by only one of several concurrent calls', async () => {
    const member = await storeMember(app)
    await verifyPassword(member)
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => changePassword(member, `horse-number-${index}`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401, 401, 401, 401])
    expect(await canSignIn(member, `horse-number-${answers.findIndex(({ status }) => status === 204)}`)).toBe(
      true,
    )
  })

  it('[ASVS-6.2.2] ends all the user’s other sessions', async () => {
    const receiver = await newReceiver()
    const created = await operator.send('POST', '/applications', {
      name: 'Bank',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
      customClientMetadata: { backchannelLogoutUri: receiver.url, backchannelLogoutSessionRequired: true },
    })
    const { id: clientId } = (await created.json()) as { id: string }
    const atBank = { clientId, redirectUri: BACK }

    const here = await storeMember(app)
    const bankHere = await newMember(app, { ...atBank, username: here.username, client: here.client })
    const there = await storeMember(app, { username: here.username })
    const bankThere = await newMember(app, { ...atBank, username: here.username, client: there.client })
    const bystander = await storeMember(app)

    await verifyPassword(here)
    expect((await changePassword(here)).status).toBe(204)
    await app.sweep()
    for (const unaffected of [here, bankHere, bystander]) {
      expect((await unaffected.call('GET')).status).toBe(200)
      expect(await isSignedIn(unaffected)).toBe(true)
    }
    for (const ended of [there, bankThere]) {
      expect(await outcomeOf(await ended.call('GET'))).toEqual([401, 'auth.unauthorized'])
      expect(await isSignedIn(ended)).toBe(false)
    }
    const received = await receiver.received()
    expect(received).toHaveLength(1)
    const sessions = (await (await here.call('GET', '/sessions')).json()) as { isCurrent: boolean }[]
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true])
  })

  it('does not restore a session that is revoked concurrently', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => storeMember(app)))
    await Promise.all(members.map((member) => verifyPassword(member)))
    await Promise.all(
      members.flatMap((member) => [
        changePassword(member),
        operator.send('DELETE', `/users/${member.userId}/sessions`),
      ]),
    )
    for (const member of members) {
      expect(await outcomeOf(await member.call('GET'))).toEqual([401, 'auth.unauthorized'])
      expect(await isSignedIn(member)).toBe(false)
    }
  })
})

describe('verifying the current password', () => {
  it('is locked after ten wrong attempts, without locking sign-in', async () => {
    const member = await storeMember(app)
    const tries = await Promise.all(Array.from({ length: 12 }, () => verifyPassword(member, OTHER)))
    const codes = (await Promise.all(tries.map(outcomeOf))).map(([status, code]) => `${status} ${code}`)
    expect(codes.filter((code) => code === '422 session.invalid_credentials')).toHaveLength(10)
    expect(codes.filter((code) => code === '429 request.too_many_requests')).toHaveLength(2)
    expect(tries.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await outcomeOf(await verifyPassword(member))).slice(0, 2)).toEqual([
      429,
      'request.too_many_requests',
    ])
    expect(await canSignIn(member, PASSWORD)).toBe(true)
    expect(await outcomeOf(await changePassword(member))).toEqual(STEP_UP)
  })

  it('is not locked by correct passwords', async () => {
    const member = await storeMember(app)
    for (let time = 0; time < 12; time++) expect((await verifyPassword(member)).status).toBe(204)
  })

  it('fails with the same error for an account without a password as for a wrong password', async () => {
    const member = await storeMember(app)
    await app.env.DB.prepare(
      'update users set password_encrypted = null, password_encryption_method = null where id = ?',
    )
      .bind(member.userId)
      .run()
    expect(await outcomeOf(await verifyPassword(member))).toEqual([422, 'session.invalid_credentials'])
  })
})

describe('a verification code in the account API', () => {
  const send = (member: Member, address: object) => member.call('POST', '/verification-codes', address)
  const verify = (member: Member, body: object) => member.call('POST', '/verification-codes/verify', body)

  async function withAddress(address: { email: string } | { phone: string }) {
    const member = await storeMember(app)
    const patch = 'email' in address ? { primaryEmail: address.email } : { primaryPhone: address.phone }
    await operator.send('PATCH', `/users/${member.userId}`, patch)
    return member
  }

  it.each([
    { kind: 'e-mail', address: () => ({ email: freshEmail() }) },
    { kind: 'phone', address: () => ({ phone: freshPhone() }) },
  ])('allows the user to set a password, even a first one ($kind)', async ({ address: make }) => {
    const address = make()
    const member = await withAddress(address)
    await app.env.DB.prepare('update users set password_encrypted = null where id = ?')
      .bind(member.userId)
      .run()
    expect((await send(member, address)).status).toBe(204)
    expect(await receivedMessages(app, address)).toMatchObject([{ type: 'Generic' }])
    const verificationCode = await codeTo(app, address)
    expect(
      await outcomeOf(await verify(member, { ...address, verificationCode: wrongCode(verificationCode) })),
    ).toEqual([400, 'verification_code.code_mismatch'])
    expect(await outcomeOf(await changePassword(member))).toEqual(STEP_UP)
    expect((await verify(member, { ...address, verificationCode })).status).toBe(204)
    expect(await outcomeOf(await verify(member, { ...address, verificationCode }))).toEqual([
      400,
      'verification_code.not_found',
    ])
    expect((await changePassword(member)).status).toBe(204)
    expect(await canSignIn(member, OTHER)).toBe(true)
  })

  it('can be requested and verified even if the address is typed in a different case', async () => {
    const email = freshEmail()
    const member = await withAddress({ email })
    expect((await send(member, { email: email.toUpperCase() })).status).toBe(204)
    const verificationCode = await codeTo(app, { email })
    expect((await verify(member, { email: email.toUpperCase(), verificationCode })).status).toBe(204)
  })

  it('cannot be sent to or verified for another user’s address', async () => {
    const other = { email: freshEmail() }
    const member = await withAddress({ email: freshEmail() })
    expect(await outcomeOf(await send(member, other))).toEqual([400, 'verification_code.email_mismatch'])
    expect(await outcomeOf(await send(member, { phone: freshPhone() }))).toEqual([
      400,
      'verification_code.phone_mismatch',
    ])
    expect(await receivedMessages(app, other)).toEqual([])
    await operator.send('POST', '/verification-codes', other)
    const verificationCode = await codeTo(app, other)
    expect(await outcomeOf(await verify(member, { ...other, verificationCode }))).toEqual([
      400,
      'verification_code.email_mismatch',
    ])
  })

  it('can be sent five times before the rate limit applies', async () => {
    const address = { email: freshEmail() }
    const member = await withAddress(address)
    for (let time = 0; time < 5; time++) expect((await send(member, address)).status).toBe(204)
    expect((await outcomeOf(await send(member, address))).slice(0, 2)).toEqual([
      429,
      'request.too_many_requests',
    ])
    expect(await receivedMessages(app, address)).toHaveLength(5)
  })
})

describe('the user’s social identities', () => {
  const link = ({ userId }: Member, identities: object) =>
    app.env.DB.prepare('update users set identities = ? where id = ?')
      .bind(JSON.stringify(identities), userId)
      .run()
  const github = () => ({ github: { userId: freshName(), details: { id: '1' } } })
  const withoutPassword = ({ userId }: Member) =>
    app.env.DB.prepare('update users set password_encrypted = null where id = ?').bind(userId).run()

  it('[ASVS-7.5.1-5] can be listed and unlinked', async () => {
    const member = await storeMember(app)
    const identities = { ...github(), google: { userId: freshName() } }
    await link(member, identities)
    expect(await (await member.call('GET', '/identities')).json()).toEqual(identities)
    expect(await outcomeOf(await member.call('DELETE', '/identities/github'))).toEqual(STEP_UP)
    await verifyPassword(member)
    expect((await member.call('DELETE', '/identities/github')).status).toBe(204)
    expect(await (await member.call('GET', '/identities')).json()).toEqual({ google: identities.google })
    expect(await outcomeOf(await member.call('DELETE', '/identities/github'))).toEqual([
      404,
      'user.identity_not_exist',
    ])
    expect(await outcomeOf(await member.call('DELETE', '/identities/constructor'))).toEqual([
      404,
      'user.identity_not_exist',
    ])
    expect(await logsOf(member, 'Account.Identity.Delete')).toMatchObject([
      { target: 'github', result: 'Success' },
    ])
  })

  it('cannot be unlinked if the user has no other way to sign in', async () => {
    const member = await storeMember(app)
    await link(member, github())
    await verifyPassword(member)
    await withoutPassword(member)
    expect(await outcomeOf(await member.call('DELETE', '/identities/github'))).toEqual([
      422,
      'user.last_sign_in_method',
    ])
    expect(Object.keys((await (await member.call('GET', '/identities')).json()) as object)).toEqual([
      'github',
    ])
  })

  it('cannot all be unlinked, even concurrently, if the user has no other way to sign in', async () => {
    await app.env.DB.prepare(
      'update sign_in_experiences set social_sign_in_connector_targets = \'["github","google"]\' where tenant_id = \'default\'',
    ).run()
    const fresh = openTestApp()
    const member = await newMember(fresh)
    await link(member, { ...github(), google: { userId: freshName() } })
    await verifyPassword(member)
    await withoutPassword(member)
    const answers = await Promise.all([
      member.call('DELETE', '/identities/github'),
      member.call('DELETE', '/identities/google'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 422])
    await app.env.DB.prepare(
      "update sign_in_experiences set social_sign_in_connector_targets = '[]' where tenant_id = 'default'",
    ).run()
  })
})

describe('the user’s sessions', () => {
  type Session = { id: string; isCurrent: boolean; applications: { id: string; name: string | null }[] }
  const list = async (member: Member) => (await (await member.call('GET', '/sessions')).json()) as Session[]

  it('[ASVS-7.5.2] can be listed and ended', async () => {
    const here = await storeMember(app)
    const there = await storeMember(app, { username: here.username })
    const sessions = await list(here)
    expect(sessions).toHaveLength(2)
    expect(sessions.find(({ isCurrent }) => isCurrent)).toEqual({
      id: expect.stringMatching(/^[\w-]{20,}$/),
      signedInAt: expect.any(Number),
      expiresAt: expect.any(Number),
      applications: [{ id: 'demo-app', name: null }],
      isCurrent: true,
      lastSeenAt: expect.any(Number),
      userAgent: null,
      country: null,
      city: null,
    })
    const other = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    expect((await here.call('DELETE', `/sessions/${other}`)).status).toBe(204)
    expect(await outcomeOf(await there.call('GET'))).toEqual([401, 'auth.unauthorized'])
    expect(await isSignedIn(there)).toBe(false)
    expect((await list(here)).map(({ isCurrent }) => isCurrent)).toEqual([true])
    expect(await outcomeOf(await here.call('DELETE', `/sessions/${other}`))).toEqual([
      404,
      'entity.not_found',
    ])

    expect((await here.call('DELETE', `/sessions/${(await list(here))[0]?.id}`)).status).toBe(204)
    expect(await outcomeOf(await here.call('GET'))).toEqual([401, 'auth.unauthorized'])
    expect(await logsOf(here, 'Account.Session.Delete')).toHaveLength(2)
  })

  it('[ASVS-7.5.2-2] cannot be ended by another user', async () => {
    const mine = await storeMember(app)
    const yours = await storeMember(app)
    const [session] = await list(yours)
    expect(await outcomeOf(await mine.call('DELETE', `/sessions/${session?.id}`))).toEqual([
      404,
      'entity.not_found',
    ])
    expect((await yours.call('GET')).status).toBe(200)
  })
})

describe('a DPoP-bound token (RFC 9449)', () => {
  async function newBoundToken() {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const prove = (claims: Record<string, unknown>, { key = privateKey, typ = 'dpop+jwt' } = {}) =>
      new SignJWT({ jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', typ, jwk })
        .setIssuedAt(typeof claims.iat === 'number' ? claims.iat : undefined)
        .sign(key)

    const client = newCookieClient(app)
    const request = await authorizationRequest()
    const back = await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, request), freshName()),
    )
    const answer = await app.fetch('/oidc/token', {
      method: 'POST',
      headers: { DPoP: await prove({ htm: 'POST', htu: `${ORIGIN}/oidc/token` }) },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'demo-app',
        code: back.searchParams.get('code') ?? '',
        code_verifier: request.verifier,
        redirect_uri: request.redirectUri,
      }),
    })
    const { access_token: token = '' } = (await answer.json()) as Record<string, string>
    const validClaims = { htm: 'GET', htu: `${ORIGIN}/api/me`, ath: await sha256Base64Url(token) }
    const ask = (proof?: string, path = '/api/me') =>
      app.fetch(path, { headers: { authorization: `DPoP ${token}`, ...(proof ? { DPoP: proof } : {}) } })
    return { token, prove, validClaims, ask }
  }

  it('[RFC9700-2.2.1-3] requires a DPoP proof, and each proof is valid for only one write request (RFC 9449 §11.1)', async () => {
    const { token, prove, validClaims, ask } = await newBoundToken()
    const proof = await prove({ ...validClaims, htm: 'PATCH' })
    const change = () =>
      app.fetch('/api/me', {
        method: 'PATCH',
        headers: { authorization: `DPoP ${token}`, DPoP: proof, 'content-type': 'application/json' },
        body: '{"name":"Ann"}',
      })
    const answers = await Promise.all([change(), change(), change()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    const rejected = answers.find(({ status }) => status === 401)
    expect(rejected?.headers.get('www-authenticate')).toMatch(/^DPoP error="invalid_dpop_proof", /)
    expect((await ask(await prove(validClaims), '/api/me?locale=de')).status).toBe(200)
  })

  it('[RFC9700-4.10.1] is rejected without a valid DPoP proof signed with its key', async () => {
    const { token, prove, validClaims, ask } = await newBoundToken()
    const other = await generateKeyPair('ES256')
    const second = Math.floor(Date.now() / 1000)
    const responses = [
      await asBearer(app, token)('GET'),
      await ask(),
      await ask('nonsense'),
      await ask(await prove({ ...validClaims, htm: 'PATCH' })),
      await ask(await prove({ ...validClaims, htu: `${ORIGIN}/api/me/sessions` })),
      await ask(await prove({ ...validClaims, ath: await sha256Base64Url('another') })),
      await ask(await prove({ ...validClaims, ath: undefined })),
      await ask(await prove({ ...validClaims, iat: second - 400 })),
      await ask(await prove({ ...validClaims, iat: second + 400 })),
      await ask(await prove(validClaims, { typ: 'jwt' })),
      await ask(await prove(validClaims, { key: other.privateKey })),
      await ask(await (await newBoundToken()).prove(validClaims)),
      await ask(`${btoa('{"alg":"none","typ":"dpop+jwt"}')}.e30.`),
    ]
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 401))
    const { token: unboundToken } = await storeMember(app)
    const unneededProof = await app.fetch('/api/me', {
      headers: {
        authorization: `DPoP ${unboundToken}`,
        DPoP: await prove({ ...validClaims, ath: await sha256Base64Url(unboundToken) }),
      },
    })
    expect(await outcomeOf(unneededProof)).toEqual([401, 'auth.unauthorized'])
    expect((await ask(await prove(validClaims))).status).toBe(200)
  })
})
