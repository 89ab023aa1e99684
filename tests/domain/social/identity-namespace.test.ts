import { expect, it } from 'vitest'
import { identityNamespace } from '../../../src/domain/social/identity-namespace.ts'

it.each([
  ['github-universal', {}, 'github-universal'],
  ['oidc', { issuer: 'https://login.example/' }, 'oidc https://login.example'],
  ['oidc', { issuer: ' https://login.example// ' }, 'oidc https://login.example'],
  [
    'oidc',
    { issuer: 'https://login.example', idTokenVerificationConfig: { issuer: 'https://other.example/a/b' } },
    'oidc https://other.example/a/b',
  ],
  ['oidc', { issuer: 'https://login.example', idTokenVerificationConfig: {} }, 'oidc https://login.example'],
  [
    'oidc',
    { issuer: 'https://login.example', idTokenVerificationConfig: null },
    'oidc https://login.example',
  ],
  ['oidc', {}, null],
  ['oidc', { issuer: ' ' }, null],
  ['oidc', { issuer: 1 }, null],
  ['oauth2', { userInfoEndpoint: 'https://api.example/me' }, 'oauth2 https://api.example/me'],
  ['oauth2', { issuer: 'https://login.example' }, null],
])(
  'a connector %s with the configuration %j has the identity namespace %s',
  (factoryId, config, namespace) => {
    expect(identityNamespace(factoryId, config)).toBe(namespace)
  },
)
