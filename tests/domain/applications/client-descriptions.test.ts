import { describe, expect, it } from 'vitest'
import {
  isRegistrationError,
  parseRegistration,
} from '../../../src/domain/applications/client-registration.ts'

/** Tests how a client that registers itself may describe itself (OIDC Dynamic Client Registration §2 and §9.1). */

function register(more: object) {
  const body = { client_name: 'Agent', redirect_uris: ['https://agent.example/back'], ...more }
  return parseRegistration(body, { scopes: ['openid'], environment: 'production' })
}

function describedBy(more: object) {
  const registered = register(more)
  if (isRegistrationError(registered)) return registered.description
  const { logoUri } = registered.oidcClientMetadata
  const { policyUri, tosUri, initiateLoginUri } = registered.customClientMetadata
  return Object.fromEntries(
    Object.entries({ logoUri, policyUri, tosUri, initiateLoginUri }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

const names = { logo_uri: 'logoUri', policy_uri: 'policyUri', tos_uri: 'tosUri' }

describe.each(Object.entries(names))('the %s of a client', (name, key) => {
  it.each(['https://agent.example/page', 'https://agent.example:8443/page?lang=en'])('may be %s', (uri) => {
    expect(describedBy({ [name]: uri })).toEqual({ [key]: uri })
  })

  it.each([
    'https://other.example/page',
    'https://sub.agent.example/page',
    'https://agent.example.other.example/page',
  ])('is left out if it is %s, on the host of no redirect URI', (uri) => {
    expect(describedBy({ [name]: uri })).toEqual({})
  })

  it('is left out if the client has no redirect URI on the web', () => {
    const local = { application_type: 'native', token_endpoint_auth_method: 'none' }
    const uri = 'https://agent.example/page'
    expect(describedBy({ ...local, redirect_uris: ['http://localhost/back'], [name]: uri })).toEqual({})
    expect(describedBy({ ...local, redirect_uris: ['com.example.agent:/back'], [name]: uri })).toEqual({})
  })
})

describe.each([...Object.keys(names), 'initiate_login_uri'])('the %s of a client', (name) => {
  it.each([
    'http://agent.example/page',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    '/page',
    '',
    7,
    {},
    'https://agent.example/a b',
    'https://agent.example/\0',
    'https://bank.example@agent.example/page',
    `https://agent.example/${'x'.repeat(2048)}`,
  ])('cannot be %j', (uri) => {
    expect(describedBy({ [name]: uri })).toBe(`${name} must be an https address`)
  })

  it('may be null, which means the same as leaving it out', () => {
    expect(describedBy({ [name]: null })).toEqual({})
  })
})

it('the page on which a client starts a sign-in may be on any host', () => {
  const uri = 'https://login.other.example/start'
  expect(describedBy({ initiate_login_uri: uri })).toEqual({ initiateLoginUri: uri })
})
