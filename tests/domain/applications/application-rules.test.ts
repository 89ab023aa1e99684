import { describe, expect, it } from 'vitest'
import {
  type ApplicationUrls,
  findApplicationUrlProblems,
  lacksRedirectUri,
} from '../../../src/domain/applications/application-rules.ts'
import { ed25519Key } from './keys.ts'

const development = { environment: 'development' } as const
const production = { environment: 'production' } as const

const withRedirect = (type: ApplicationUrls['type'], uri: string): ApplicationUrls => ({
  type,
  oidcClientMetadata: { redirectUris: [uri], postLogoutRedirectUris: [] },
  customClientMetadata: {},
})

describe('an application’s redirect URIs', () => {
  it.each<{ uri: string; SPA: boolean; Native: boolean; MachineToMachine: boolean }>([
    { uri: 'https://shop.example/callback', SPA: true, Native: true, MachineToMachine: true },
    { uri: 'http://shop.example/callback', SPA: true, Native: false, MachineToMachine: true },
    { uri: 'http://localhost:3000/', SPA: true, Native: true, MachineToMachine: true },
    { uri: 'http://127.0.0.1', SPA: true, Native: true, MachineToMachine: true },
    { uri: 'http://[::1]/', SPA: true, Native: true, MachineToMachine: true },
    { uri: 'https://localhost/', SPA: true, Native: false, MachineToMachine: true },
    { uri: 'com.example.shop://callback', SPA: false, Native: true, MachineToMachine: true },
    { uri: 'com.example.shop:/callback', SPA: false, Native: true, MachineToMachine: true },
    { uri: 'shop://callback', SPA: false, Native: false, MachineToMachine: false },
    { uri: 'javascript:alert(1)', SPA: false, Native: false, MachineToMachine: false },
    { uri: 'data:text/html,x', SPA: false, Native: false, MachineToMachine: false },
    { uri: 'https://shop.example/#', SPA: false, Native: false, MachineToMachine: false },
    { uri: ' https://shop.example', SPA: false, Native: false, MachineToMachine: false },
    { uri: 'https://shop.example/\n', SPA: false, Native: false, MachineToMachine: false },
    { uri: '/callback', SPA: false, Native: false, MachineToMachine: false },
    { uri: '', SPA: false, Native: false, MachineToMachine: false },
  ])(
    '[RFC8252-7.1] can include $uri for the types SPA ($SPA), Native ($Native) and MachineToMachine ($MachineToMachine)',
    ({ uri, ...expected }) => {
      const isAllowed = (type: ApplicationUrls['type']) =>
        findApplicationUrlProblems(withRedirect(type, uri), production).length === 0
      expect({
        SPA: isAllowed('SPA'),
        Native: isAllowed('Native'),
        MachineToMachine: isAllowed('MachineToMachine'),
      }).toEqual(expected)
      expect(isAllowed('Traditional')).toBe(isAllowed('SPA'))
    },
  )

  it.each<{ uri: string; isAllowed: boolean }>([
    { uri: 'https://shop.example/callback', isAllowed: true },
    { uri: 'http://shop.example/callback', isAllowed: false },
    { uri: 'HTTP://SHOP.EXAMPLE', isAllowed: false },
    { uri: 'http://localhost.shop.example/', isAllowed: false },
    { uri: 'http://192.168.1.7/', isAllowed: false },
    { uri: 'http://localhost:3000/', isAllowed: true },
    { uri: 'http://127.0.0.1/', isAllowed: true },
    { uri: 'http://[::1]:80/', isAllowed: true },
  ])('[RFC9700-2.6] can include $uri for a third-party application: $isAllowed', ({ uri, isAllowed }) => {
    for (const list of ['redirectUris', 'postLogoutRedirectUris'] as const) {
      for (const type of ['SPA', 'Traditional', 'Native'] as const) {
        const oidcClientMetadata = { redirectUris: [], postLogoutRedirectUris: [], [list]: [uri] }
        const application = { type, oidcClientMetadata, customClientMetadata: { isThirdParty: true } }
        const paths = findApplicationUrlProblems(application, production).map(({ path }) => path.join('.'))
        expect(paths).toEqual(isAllowed ? [] : [`oidcClientMetadata.${list}.0`])
      }
    }
  })

  it('are reported individually if they are invalid', () => {
    const application: ApplicationUrls = {
      type: 'SPA',
      oidcClientMetadata: {
        redirectUris: ['https://ok.example', 'nowhere'],
        postLogoutRedirectUris: ['com.example.shop:/'],
      },
      customClientMetadata: { backchannelLogoutUri: 'http://shop.example' },
    }
    expect(findApplicationUrlProblems(application, production).map(({ path }) => path.join('.'))).toEqual([
      'oidcClientMetadata.redirectUris.1',
      'oidcClientMetadata.postLogoutRedirectUris.0',
      'customClientMetadata.backchannelLogoutUri',
    ])
  })
})

describe('a back-channel logout URI', () => {
  it.each([
    { uri: 'https://shop.example/logout', inProduction: true, inDevelopment: true },
    { uri: 'http://localhost:3000/logout', inProduction: false, inDevelopment: true },
    { uri: 'http://shop.example/logout', inProduction: false, inDevelopment: false },
    { uri: 'https://shop.example/#out', inProduction: false, inDevelopment: false },
    { uri: 'com.example.shop://logout', inProduction: false, inDevelopment: false },
    { uri: 'shop', inProduction: false, inDevelopment: false },
    { uri: 'http://127.0.0.1/logout', inProduction: false, inDevelopment: true },
    { uri: 'ftp://localhost/logout', inProduction: false, inDevelopment: false },
    { uri: 'https://shop.example/log out', inProduction: false, inDevelopment: false },
    { uri: '', inProduction: false, inDevelopment: false },
  ])(
    '[BACKCHANNEL-4] can be $uri in production ($inProduction) and in development ($inDevelopment)',
    ({ uri, inProduction, inDevelopment }) => {
      const application: ApplicationUrls = {
        type: 'SPA',
        oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
        customClientMetadata: { backchannelLogoutUri: uri },
      }
      expect(findApplicationUrlProblems(application, production).length === 0).toBe(inProduction)
      expect(findApplicationUrlProblems(application, development).length === 0).toBe(inDevelopment)
    },
  )
})

const jwks = { keys: [ed25519Key] }
const jwksUri = 'https://shop.example/keys'

describe('an application’s metadata', () => {
  it.each<[string, ApplicationUrls['type'], ApplicationUrls['customClientMetadata'], string[]]>([
    ['keys', 'Traditional', { jwks }, []],
    ['keys', 'MachineToMachine', { jwks }, []],
    ['a key URL', 'Traditional', { jwksUri }, []],
    ['keys that cannot be kept secret', 'SPA', { jwks }, ['jwks']],
    ['keys that cannot be kept secret', 'Native', { jwks }, ['jwks']],
    ['a key URL that is of no use', 'SPA', { jwksUri }, ['jwksUri']],
    ['a key URL that is of no use', 'Native', { jwksUri }, ['jwksUri']],
    ['both', 'Traditional', { jwks, jwksUri }, ['jwksUri']],
    ['an empty set', 'Traditional', { jwks: { keys: [] } }, ['jwks']],
    ['an empty key URL', 'Traditional', { jwksUri: '' }, ['jwksUri']],
    ['a key URL at a private address', 'Traditional', { jwksUri: 'https://[::ffff:10.0.0.1]/' }, ['jwksUri']],
    ['a key URL without TLS', 'Traditional', { jwksUri: 'http://shop.example/' }, ['jwksUri']],
    ['the device flow', 'Native', { deviceFlow: true }, []],
    ['the device flow without users', 'MachineToMachine', { deviceFlow: true }, ['deviceFlow']],
    ['no device flow', 'MachineToMachine', { deviceFlow: false }, []],
  ])(
    'is checked: with %s for the type %s (%j), the problems are %j',
    (_, type, customClientMetadata, problems) => {
      const application = { ...withRedirect(type, 'https://shop.example/'), customClientMetadata }
      const reported = findApplicationUrlProblems(application, production)
      expect(reported.map(({ path }) => path)).toEqual(
        problems.map((field) => ['customClientMetadata', field]),
      )
      for (const { message } of reported) expect(message).toMatch(/\w/)
    },
  )

  it('may refer to keys on the same machine in development', () => {
    const customClientMetadata = { jwksUri: 'http://localhost:3000/keys' }
    const application = { ...withRedirect('Traditional', 'https://shop.example/'), customClientMetadata }
    expect(findApplicationUrlProblems(application, development)).toEqual([])
    expect(findApplicationUrlProblems(application, production)).toHaveLength(1)
  })
})

describe('an application without a redirect URI', () => {
  it.each([
    { type: 'SPA', deviceFlow: undefined, lacks: true },
    { type: 'Traditional', deviceFlow: false, lacks: true },
    { type: 'Native', deviceFlow: undefined, lacks: true },
    { type: 'Native', deviceFlow: true, lacks: false },
    { type: 'MachineToMachine', deviceFlow: undefined, lacks: false },
  ] as const)('needs one if its type is $type and its device flow is $deviceFlow: $lacks', (row) => {
    const { type, deviceFlow, lacks } = row
    const customClientMetadata = { deviceFlow }
    // Redirects after a sign-out do not count.
    const oidcClientMetadata = { redirectUris: [], postLogoutRedirectUris: ['https://shop.example/'] }
    expect(lacksRedirectUri({ type, oidcClientMetadata, customClientMetadata })).toBe(lacks)
    const complete = { ...withRedirect(type, 'https://shop.example/'), customClientMetadata }
    expect(lacksRedirectUri(complete)).toBe(false)
  })
})
