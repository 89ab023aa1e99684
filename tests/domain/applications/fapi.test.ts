import { describe, expect, it } from 'vitest'
import type {
  ApplicationType,
  CustomClientMetadata,
} from '../../../src/contract/applications/applications.ts'
import {
  findFapiProblems,
  getIdTokenAlgorithm,
  isFapiAlgorithm,
} from '../../../src/domain/applications/fapi.ts'
import { ed25519Key } from './keys.ts'

const jwks = { keys: [ed25519Key] }
const BACK = 'https://bank.example/back'

describe('an application with the FAPI 2.0 Security Profile', () => {
  it.each<{
    what: string
    type?: ApplicationType
    metadata: CustomClientMetadata
    uris?: string[]
    problems: string[]
  }>([
    { what: 'keys', metadata: { jwks }, problems: [] },
    { what: 'a key URL', metadata: { jwksUri: 'https://bank.example/keys' }, problems: [] },
    { what: 'no keys', metadata: {}, problems: ['customClientMetadata.fapi2'] },
    { what: 'no users', type: 'MachineToMachine', metadata: { jwks }, problems: [] },
    { what: 'the type SPA', type: 'SPA', metadata: { jwks }, problems: ['customClientMetadata.fapi2'] },
    { what: 'the type Native', type: 'Native', metadata: { jwks }, problems: ['customClientMetadata.fapi2'] },
    {
      what: 'the device flow',
      metadata: { jwks, deviceFlow: true },
      problems: ['customClientMetadata.deviceFlow'],
    },
    {
      what: 'other features turned off',
      metadata: { jwks, deviceFlow: false, dpopBoundAccessTokens: true },
      problems: [],
    },
    {
      what: 'unbound tokens',
      metadata: { jwks, dpopBoundAccessTokens: false },
      problems: ['customClientMetadata.dpopBoundAccessTokens'],
    },
    {
      what: 'RS256',
      metadata: { jwks, idTokenSignedResponseAlg: 'RS256' },
      problems: ['customClientMetadata.idTokenSignedResponseAlg'],
    },
    { what: 'ES256', metadata: { jwks, idTokenSignedResponseAlg: 'ES256' }, problems: [] },
    {
      what: 'redirects that do not use https',
      metadata: { jwks },
      uris: [BACK, 'http://localhost/', 'com.example.bank:/https:'],
      problems: ['oidcClientMetadata.redirectUris.1', 'oidcClientMetadata.redirectUris.2'],
    },
  ])(
    'is checked: with $what, the problems are $problems',
    ({ type = 'Traditional', metadata, uris = [BACK], problems }) => {
      const oidcClientMetadata = { redirectUris: uris, postLogoutRedirectUris: [] }
      const problemsWith = (fapi2?: boolean) =>
        findFapiProblems({ type, oidcClientMetadata, customClientMetadata: { ...metadata, fapi2 } })
      expect(problemsWith(true).map(({ path }) => path.join('.'))).toEqual(problems)
      for (const { message } of problemsWith(true)) expect(message).not.toBe('')
      expect([problemsWith(false), problemsWith()]).toEqual([[], []])
    },
  )

  it('gets ID tokens signed with ES256, regardless of its configured algorithm', () => {
    expect(getIdTokenAlgorithm({ fapi2: true })).toBe('ES256')
    expect(getIdTokenAlgorithm({ fapi2: false, idTokenSignedResponseAlg: 'ES384' })).toBe('ES384')
    expect(getIdTokenAlgorithm({})).toBeUndefined()
  })

  it.each([
    ...['ES256', 'PS256', 'EdDSA', 'Ed25519'].map((alg) => [alg, true] as const),
    ...['RS256', 'ES384', 'none', undefined].map((alg) => [alg, false] as const),
  ])('can sign its assertions with %s: %s', (alg, isPermitted) => {
    expect(isFapiAlgorithm(alg)).toBe(isPermitted)
  })
})
