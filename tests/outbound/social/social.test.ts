import { describe, expect, it } from 'vitest'
import type { SocialFactoryId } from '../../../src/contract/social/social-connectors.ts'
import { socialConnectors } from '../../../src/outbound/index.ts'
import { failureOfSending } from '../connector-context.ts'
import { minimalIds, socialAccounts } from './social-accounts.ts'
import { addressOf, configOf, signInWith, socialContext } from './social-context.ts'
import { socialStubs } from './social-stubs.ts'

const all = Object.keys(socialConnectors) as SocialFactoryId[]
const redirectUri = 'https://id.example.com/callback/c1'
const fields = (factoryId: SocialFactoryId) => socialConnectors[factoryId].formItems

describe.concurrent.each(all)('a sign-in with %s', (factoryId) => {
  const connector = socialConnectors[factoryId]
  const { full, unverified } = socialAccounts[factoryId]
  const hasIdToken = socialStubs[factoryId].hasNonce === true
  const codeOf = async (behaviour: string) => (await failureOfSending(signInWith(factoryId, behaviour))).code
  const returnWith = (config: unknown, data: object, context = socialContext) =>
    connector.profile(config, { data: { ...data }, redirectUri, kept: { nonce: 'n' } }, context)

  it('returns the profile, and the provider accepts all its requests', async () => {
    expect(await signInWith(factoryId, 'ok')).toEqual(full[1])
  })

  it('omits fields that the provider does not return', async () => {
    expect(await signInWith(factoryId, 'minimal')).toEqual({ id: minimalIds[factoryId] ?? full[1].id })
  })

  if (unverified) {
    it('omits addresses that are not verified', async () => {
      const { email: _email, phone: _phone, ...rest } = full[1]
      expect(await signInWith(factoryId, 'unverified')).toEqual(rest)
    })
  }

  it('rejects an account without an id', async () => {
    const failure = await codeOf('no-id')
    expect(failure).toBe(hasIdToken ? 'social_invalid_id_token' : 'invalid_response')
  })

  it('distinguishes a sign-in that the user declined from other errors', async () => {
    const failure = await failureOfSending(signInWith(factoryId, 'denied-access_denied'))
    expect(failure).toMatchObject({ code: 'authorization_failed', data: { error: 'access_denied' } })
    expect(await codeOf('denied-user_cancelled_authorize')).toBe('authorization_failed')
    expect(await codeOf('denied-temporarily_unavailable')).toBe('general')
  })

  it('rejects a callback without a code', async () => {
    const config = configOf(factoryId, addressOf(factoryId, 'ok'))
    for (const data of [{}, { code: '', auth_code: '' }, { code: ['a'], auth_code: { a: 1 } }]) {
      // An OpenID Provider that supports RFC 9207 includes its issuer in every authorization response.
      const response = factoryId === 'oidc' ? { ...data, iss: config.issuer } : data
      expect((await failureOfSending(returnWith(config, response))).code).toBe('general')
    }
  })

  it('reports that the provider rejected the code', async () => {
    expect(await codeOf('bad-code')).toBe('social_auth_code_invalid')
    const config = configOf(factoryId, addressOf(factoryId, 'ok'))
    const data = { code: 'made-up', auth_code: 'made-up', iss: config.issuer }
    expect((await failureOfSending(returnWith(config, data))).code).toBe('social_auth_code_invalid')
  })

  describe.each(hasIdToken ? ['token', 'keys'] : ['token', 'profile'])('when requesting the %s', (step) => {
    it.each([
      { fault: 'failing', code: 'general' },
      { fault: 'slow', code: 'general' },
      { fault: 'redirecting', code: 'invalid_response' },
      { fault: 'endless', code: 'invalid_response' },
    ])('fails with $code when the response is $fault', async ({ fault, code }) => {
      expect(await codeOf(`${step}-${fault}`)).toBe(code)
    })

    it.each(['malformed', 'types'])(
      'fails without logging the response when its content is invalid: %s',
      async (fault) => {
        const failure = await failureOfSending(signInWith(factoryId, `${step}-${fault}`))
        expect(failure.code).toBe('invalid_response')
        expect(JSON.stringify(failure)).not.toContain('captive portal')
      },
    )
  })

  it('does not report the provider’s rate limit as a rejected code', async () => {
    expect(await codeOf('token-busy')).toBe('general')
  })

  if (hasIdToken) testIdTokens(factoryId)
  else {
    it('reports that the profile endpoint rejected the token', async () => {
      expect(await codeOf('bad-token')).toBe('social_invalid_access_token')
    })
  }

  it('does not call private addresses outside development', async () => {
    const calls: string[] = []
    const context = {
      ...socialContext,
      allowPrivateTargets: false,
      fetch: async (address: string) => {
        calls.push(address)
        return new Response('{}')
      },
    }
    const config = configOf(factoryId, addressOf(factoryId, 'ok'))
    const failure = await failureOfSending(returnWith(config, { code: 'a', auth_code: 'a' }, context))
    expect([failure.code, calls]).toEqual(['invalid_config', []])
  })

  it('rejects an invalid configuration and names the field', async () => {
    const valid = configOf(factoryId, addressOf(factoryId, 'ok'))
    const problemsOf = async (config: unknown) => {
      const failure = await failureOfSending(
        connector.authorizationUri(config, { state: 's', redirectUri }, socialContext),
      )
      const issues = failure.data?.issues as { path: string }[]
      return [failure.code, issues.map(({ path }) => path)]
    }
    for (const { key, type, required } of fields(factoryId)) {
      const wrong = type === 'Json' ? 'no object' : { an: 'object' }
      expect(await problemsOf({ ...valid, [key]: wrong })).toEqual(['invalid_config', [key]])
      if (required) expect(await problemsOf({ ...valid, [key]: '' })).toEqual(['invalid_config', [key]])
    }
    for (const { key } of fields(factoryId).filter(({ key }) => /endpoint|uri|^issuer$|cloud/i.test(key))) {
      for (const address of ['nowhere', 'javascript:alert(1)', 'data:text/html,x']) {
        expect(await problemsOf({ ...valid, [key]: address })).toEqual(['invalid_config', [key]])
      }
    }
    expect((await problemsOf(undefined))[0]).toBe('invalid_config')
  })

  it('has a form that contains all configuration fields and marks the secrets', () => {
    const unmarked = fields(factoryId).filter(
      ({ key, isSecret }) => /secret|privateKey/i.test(key) && !isSecret,
    )
    expect(unmarked).toEqual([])
    const keys = fields(factoryId).map(({ key }) => key)
    const config = Object.keys(configOf(factoryId, 'https://example.com'))
    expect(config.filter((key) => !keys.includes(key))).toEqual([])
    const missing = connector.config.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? []
    const required = fields(factoryId).flatMap((item) => (item.required ? [item.key] : []))
    expect(required.filter((key) => !missing.includes(key))).toEqual([])
  })
})

/** Declares the tests for a connector that reads accounts from an ID token. */
function testIdTokens(factoryId: SocialFactoryId): void {
  const codeOf = async (fault: string) => (await failureOfSending(signInWith(factoryId, fault))).code

  it.each([
    'wrong-nonce',
    'no-nonce',
    'wrong-audience',
    'many-audiences',
    'wrong-party',
    'wrong-issuer',
    'expired',
    'not-yet',
    'no-signature',
    'shared-secret',
    'public-key-as-secret',
    'unknown-key',
    'forged',
  ])('[ASVS-6.8.2] the connector rejects an ID token with the defect "%s"', async (fault) => {
    expect(await codeOf(fault)).toBe('social_invalid_id_token')
  })

  it.each(['no-id-token', 'claims-types'])(
    'the connector rejects a token response with the defect "%s"',
    async (fault) => {
      expect(await codeOf(fault)).toBe('invalid_response')
    },
  )
}

describe('a sign-in with any OpenID Provider', () => {
  const codeOf = async (behaviour: string) => (await failureOfSending(signInWith('oidc', behaviour))).code

  it('[RFC9207-2.4] rejects an authorization response from another issuer (RFC 9207)', async () => {
    expect(await codeOf('mix-up')).toBe('authorization_failed')
    expect(await codeOf('no-issuer')).toBe('authorization_failed')
  })

  it.each(['failing', 'slow'])('fails when the metadata request is %s', async (fault) => {
    expect(await codeOf(`discovery-${fault}`)).toBe('general')
  })

  it.each([
    'discovery-malformed',
    'discovery-types',
    'discovery-redirecting',
    'metadata-of-another',
    'scripting',
  ])('[ASVS-10.5.3] rejects metadata with the defect "%s"', async (fault) => {
    expect(await codeOf(fault)).toBe('invalid_response')
  })

  it('accepts a configured issuer with a trailing slash that the metadata omits', async () => {
    const config = { issuer: `${addressOf('oidc', 'ok')}/` }
    expect(await signInWith('oidc', 'ok', { config })).toEqual(socialAccounts.oidc.full[1])
  })

  it('skips discovery when every endpoint is configured, and adds openid to the scope', async () => {
    const base = addressOf('oidc', 'discovery-failing')
    const explicit = {
      issuer: undefined,
      scope: 'profile email',
      authorizationEndpoint: `${base}/authorize`,
      tokenEndpoint: `${base}/token`,
      idTokenVerificationConfig: { jwksUri: `${base}/keys`, issuer: base },
    }
    expect(await signInWith('oidc', 'discovery-failing', { config: explicit })).toEqual(
      socialAccounts.oidc.full[1],
    )
  })
})

describe('a sign-in with Microsoft Entra', () => {
  const entra = 'microsoft-entra-universal'
  const tenantId = '11111111-2222-3333-4444-555555555555'
  const outcome = async (behaviour: string, tenant?: string) =>
    signInWith(entra, behaviour, { config: tenant === undefined ? {} : { tenantId: tenant } }).then(
      ({ id }) => id,
      (error: { code: string }) => error.code,
    )

  it.each([
    { behaviour: 'ok', tenants: { common: true, organizations: true, consumers: false, [tenantId]: true } },
    {
      behaviour: 'other-tenant',
      tenants: { common: true, organizations: true, consumers: false, [tenantId]: false },
    },
    {
      behaviour: 'private-account',
      tenants: { common: true, organizations: false, consumers: true, [tenantId]: false },
    },
    // The key for personal accounts must not be accepted for an organisation.
    {
      behaviour: 'key-of-private-accounts',
      tenants: { common: false, organizations: false, consumers: false, [tenantId]: false },
    },
  ])('accepts only accounts from the configured tenant: $behaviour', async ({ behaviour, tenants }) => {
    for (const [tenant, isAccepted] of Object.entries(tenants)) {
      const expected = isAccepted ? 'ann-1' : 'social_invalid_id_token'
      expect([tenant, await outcome(behaviour, tenant)]).toEqual([tenant, expected])
    }
  })

  it('accepts all tenants by default and rejects a domain as the tenant', async () => {
    expect(await outcome('ok', '')).toBe('ann-1')
    expect(await outcome('ok', 'contoso.onmicrosoft.com')).toBe('invalid_config')
    expect(await outcome('ok', '../../evil')).toBe('invalid_config')
  })
})

describe('a configured private key', () => {
  it('can have the format of Alipay’s key tool, for either signature type', async () => {
    const { alipayBare } = (await import('cloudflare:workers')).env.TEST_PROVIDER_STUBS.social.keys
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${alipayBare}\n-----END RSA PRIVATE KEY-----`
    for (const config of [
      { privateKey: alipayBare },
      { privateKey: pem, signType: 'RSA' },
      { privateKey: alipayBare, signType: 'RSA2', charset: 'utf8' },
    ]) {
      expect(await signInWith('alipay-web', 'ok', { config })).toEqual(socialAccounts['alipay-web'].full[1])
    }
    const failure = await failureOfSending(signInWith('alipay-web', 'ok', { config: { charset: 'gbk' } }))
    expect(failure).toMatchObject({ code: 'invalid_config', data: { issues: [{ path: 'charset' }] } })
  })

  it('is rejected when it is for another algorithm', async () => {
    const { apple, alipay } = (await import('cloudflare:workers')).env.TEST_PROVIDER_STUBS.social.keys
    for (const [factoryId, privateKey] of [
      ['apple-universal', alipay],
      ['alipay-web', apple],
    ] as const) {
      const failure = await failureOfSending(signInWith(factoryId, 'ok', { config: { privateKey } }))
      expect(failure).toMatchObject({ code: 'invalid_config', data: { issues: [{ path: 'privateKey' }] } })
    }
  })
})
