import { describe, expect, it } from 'vitest'
import type { ProfileRemark } from '../../../src/contract/social/sign-in-tests.schema.ts'
import type { SocialFactoryId } from '../../../src/contract/social/social-connectors.ts'
import type { ConnectorFailure } from '../../../src/outbound/failure.ts'
import { failureOfSending } from '../connector-context.ts'
import { addressOf, signInWith, socialContext } from './social-context.ts'
import { stubClient } from './social-stubs.ts'

/** Tests the calls for what an ID token or GitHub’s profile lacks (spec/connectors#userinfo). */

type Options = {
  factoryId?: SocialFactoryId
  config?: object
  /** The bodies of responses that replace those of the stub, by the last part of their path. */
  answers?: Record<string, object | string>
}

/** Signs in, and records which calls were made and what the connector remarked. */
async function recordSignIn(
  behaviour: string,
  { factoryId = 'oidc', config = {}, answers = {} }: Options = {},
) {
  const calls: string[] = []
  const remarks: [ProfileRemark, ...ConnectorFailure['code'][]][] = []
  const details: unknown[] = []
  const profile = await signInWith(factoryId, behaviour, {
    config,
    context: {
      ...socialContext,
      async fetch(address, init) {
        const last = new URL(address).pathname.split('/').at(-1) ?? ''
        calls.push(last)
        const body = answers[last]
        if (body === undefined) return fetch(address, init)
        return new Response(typeof body === 'string' ? body : JSON.stringify(body))
      },
      remark(remark, failure) {
        remarks.push(failure ? [remark, failure.code] : [remark])
        details.push(failure?.detail)
      },
    },
  })
  return { profile, calls, remarks, details }
}

const sub = 'ann-1'
const email = 'ann@example.com'

describe('an OpenID Provider', () => {
  const allCalls = ['openid-configuration', 'token', 'keys', 'userinfo']

  it('is not asked for userinfo if the ID token has all claims of the requested scopes', async () => {
    // The connector also reads phone numbers, but the scope is `openid profile email`.
    const claims = { name: 'Ann', picture: 'https://images.example/ann.png', email, email_verified: true }
    const { calls, remarks } = await recordSignIn(`claims-${JSON.stringify(claims)}`)
    expect([calls, remarks]).toEqual([allCalls.slice(0, 3), []])
  })

  it('supplies the claims that the ID token lacks', async () => {
    const userInfo = {
      sub,
      name: 'Ann',
      picture: 'https://images.example/ann.png',
      email,
      email_verified: true,
    }
    const { profile, calls, remarks } = await recordSignIn('minimal', { answers: { userinfo: userInfo } })
    expect(profile).toEqual({ id: sub, name: 'Ann', avatar: userInfo.picture, email })
    expect([calls, remarks]).toEqual([allCalls, []])
  })

  it('cannot replace claims of the ID token', async () => {
    const userInfo = { sub, name: 'Eve', email: 'eve@example.com', email_verified: true }
    const claims = { name: 'Ann', email, email_verified: true }
    const { profile, calls } = await recordSignIn(`claims-${JSON.stringify(claims)}`, {
      answers: { userinfo: userInfo },
    })
    expect(calls).toEqual(allCalls)
    expect(profile).toEqual({ id: sub, name: 'Ann', email })
  })

  it.each([
    { what: 'no address', own: {}, other: {}, remark: 'emailAbsent' },
    { what: 'an unverified address', own: {}, other: { email }, remark: 'emailUnverified' },
    {
      what: 'the verification of another address',
      own: { email },
      other: { email: 'eve@example.com', email_verified: true },
      remark: 'emailUnverified',
    },
    {
      what: 'an address for a verification in the ID token',
      own: { email_verified: true },
      other: { email: 'eve@example.com' },
      remark: 'emailUnverified',
    },
    {
      what: 'the verification of an address that the ID token marks as unverified',
      own: { email, email_verified: false },
      other: { email, email_verified: true },
      remark: 'emailUnverified',
    },
    {
      what: 'the verification of the same address',
      own: { email },
      other: { email, email_verified: 'true' },
      address: email,
    },
  ])('supplies $what', async ({ own, other, remark, address }) => {
    const { profile, remarks } = await recordSignIn(`claims-${JSON.stringify(own)}`, {
      answers: { userinfo: { sub, ...other } },
    })
    expect(profile.email).toBe(address)
    expect(remarks).toEqual(remark ? [[remark]] : [])
  })

  it('is rejected if its userinfo belongs to another account', async () => {
    const signIn = recordSignIn('minimal', {
      answers: { userinfo: { sub: 'eve', email, email_verified: true } },
    })
    expect(await failureOfSending(signIn)).toMatchObject({
      code: 'invalid_response',
      detail: 'userinfo belongs to another account',
    })
  })

  it.each([
    { fault: 'failing', code: 'general' },
    { fault: 'slow', code: 'general' },
    { fault: 'redirecting', code: 'invalid_response' },
    { fault: 'endless', code: 'invalid_response' },
    { fault: 'malformed', code: 'invalid_response' },
    { fault: 'types', code: 'invalid_response' },
  ] as const)(
    'signs the user in without the missing claims if userinfo is $fault',
    async ({ fault, code }) => {
      const { profile, calls, remarks } = await recordSignIn(`profile-${fault}`)
      expect(profile).toEqual({ id: sub })
      expect([calls, remarks]).toEqual([allCalls, [['userInfoFailed', code]]])
    },
  )

  it('signs the user in without the claims of signed userinfo, and the log says why', async () => {
    const { profile, details } = await recordSignIn('minimal', {
      answers: { userinfo: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4tMSJ9.' },
    })
    expect(profile).toEqual({ id: sub })
    expect(details).toEqual([expect.stringContaining('userinfo is a JWT')])
  })

  it('is not asked if neither its metadata nor the configuration names an endpoint', async () => {
    const base = addressOf('oidc', 'minimal')
    const explicit = {
      issuer: undefined,
      authorizationEndpoint: `${base}/authorize`,
      tokenEndpoint: `${base}/token`,
      idTokenVerificationConfig: { jwksUri: `${base}/keys`, issuer: base },
    }
    const { calls, remarks } = await recordSignIn('minimal', { config: explicit })
    expect([calls, remarks]).toEqual([['token', 'keys'], [['userInfoAbsent']]])
    const configured = await recordSignIn('minimal', {
      config: { ...explicit, userInfoEndpoint: `${base}/userinfo` },
    })
    // The keys are cached.
    expect(configured.calls).toEqual(['token', 'userinfo'])
  })
})

describe('GitHub', () => {
  const recordGithub = (emails?: object, behaviour = 'ok') =>
    recordSignIn(behaviour, { factoryId: 'github-universal', ...(emails && { answers: { emails } }) })
  const entry = (address: string, facts: { primary?: boolean; verified?: boolean }) => ({
    email: address,
    primary: false,
    verified: false,
    ...facts,
  })
  const publicEmail = 'public@example.com'

  it.each([
    {
      title: 'the primary address rather than the public one',
      emails: [entry(publicEmail, { verified: true }), entry(email, { primary: true, verified: true })],
      address: email,
    },
    {
      title: 'the public address if only that is verified',
      emails: [entry(email, { primary: true }), entry(publicEmail, { verified: true })],
      address: publicEmail,
    },
    {
      title: 'neither an unverified primary address nor an unverified public one',
      emails: [
        entry(email, { primary: true }),
        entry(publicEmail, {}),
        entry('old@example.com', { verified: true }),
      ],
      remark: 'emailUnverified',
    },
    { title: 'no address that is missing from the list', emails: [] },
  ])('supplies $title', async ({ emails, address, remark }) => {
    const { profile, remarks } = await recordGithub(emails)
    expect(profile.email).toBe(address)
    expect(remarks).toEqual(remark ? [[remark]] : [])
  })

  it.each([
    { fault: 'failing', code: 'general' },
    { fault: 'slow', code: 'general' },
    { fault: 'redirecting', code: 'invalid_response' },
    { fault: 'endless', code: 'invalid_response' },
    { fault: 'types', code: 'invalid_response' },
  ] as const)(
    'signs the user in without an address if the list of addresses is $fault',
    async ({ fault, code }) => {
      const { profile, remarks } = await recordGithub(undefined, `emails-${fault}`)
      expect(profile).toMatchObject({ id: '583231', name: 'Ann' })
      expect([profile.email, remarks]).toEqual([undefined, [['emailsFailed', code]]])
    },
  )

  it('returns the list at the user endpoint of an enterprise installation', async () => {
    const addresses: string[] = []
    const base = addressOf('github-universal', 'ok')
    await signInWith('github-universal', 'ok', {
      config: { clientId: stubClient.id, userInfoEndpoint: `${base}/userinfo/` },
      context: {
        ...socialContext,
        async fetch(address, init) {
          if (address.includes('/userinfo')) addresses.push(address)
          return fetch(address, init)
        },
      },
    }).catch(() => undefined)
    expect(addresses).toContain(`${base}/userinfo/emails?per_page=100`)
  })
})
