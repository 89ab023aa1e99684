import { describe, expect, it } from 'vitest'
import {
  findClientUrlProblem,
  isLoopbackRedirect,
  parseClientDocument,
  toClientSnapshot,
} from '../../../src/domain/applications/client-document.ts'

const ID = 'https://agent.example/client.json'
const good = {
  client_id: ID,
  client_name: 'Agent',
  redirect_uris: ['https://agent.example/back', 'http://127.0.0.1:33418/', 'http://localhost/callback'],
  token_endpoint_auth_method: 'none',
}
const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'a' }
const urlOfLength = (length: number) => 'https://agent.example/'.padEnd(length, 'a')
const redirectUris = (count: number) => Array.from({ length: count }, (_, index) => `${ID}?${index}`)
const byKeys = { token_endpoint_auth_method: 'private_key_jwt' }

describe('a client document URL', () => {
  it.each([
    ID,
    'https://agent.example:8443/a?b=c',
    'https://xn--bcher-kva.example/client',
    'https://4agent.example/1.0',
    urlOfLength(512),
  ])('can be a client id: %s', (id) => {
    expect(findClientUrlProblem(id)).toBeNull()
  })

  it.each([
    'http://agent.example/client.json',
    'https://agent.example',
    'https://agent.example/',
    'https://agent.example/client.json#part',
    'https://user@agent.example/client.json',
    'https://user:secret@agent.example/client.json',
    'https://AGENT.example/client.json',
    'https://agent.example:443/client.json',
    'https://agent.example/a/../client.json',
    'https://agent.example/a/%2e%2e/client.json',
    'https://agent.example\\client.json',
    ' https://agent.example/client.json',
    'https://bücher.example/client.json',
    'https://8.8.8.8/client.json',
    'https://134744072/client.json',
    'https://[2606:4700::1]/client.json',
    'https://localhost/client.json',
    'https://169.254.169.254/client.json',
    'https://agent.internal/client.json',
    'https://agent.example:22/client.json',
    urlOfLength(513),
  ])('is not a valid client id: %s', (id) => {
    expect(findClientUrlProblem(id)).toEqual(expect.stringMatching(/\w/))
  })
})

describe('a client document', () => {
  it('determines only the name, logo, redirect URIs and keys', () => {
    expect(
      parseClientDocument(ID, { ...good, scope: 'all', grant_types: ['password'], isThirdParty: false }),
    ).toEqual({
      id: ID,
      name: 'Agent',
      logo: null,
      redirectUris: good.redirect_uris,
      keys: null,
    })
    const jwks = { keys: [key] }
    expect(parseClientDocument(ID, { ...good, ...byKeys, jwks })).toMatchObject({ keys: { jwks } })
    const jwks_uri = 'https://keys.example/agent'
    expect(parseClientDocument(ID, { ...good, ...byKeys, jwks_uri })).toMatchObject({
      keys: { jwksUri: jwks_uri },
    })
    const unused = { token_endpoint_auth_method: undefined, jwks }
    expect(parseClientDocument(ID, { ...good, ...unused })).toMatchObject({ keys: null })
    const logo_uri = 'https://agent.example/logo.png'
    expect(parseClientDocument(ID, { ...good, logo_uri })).toMatchObject({ logo: logo_uri })
    // This address looks like one, but has no valid host.
    expect(parseClientDocument(ID, { ...good, logo_uri: 'https://1.2.3.999/logo.png' })).toMatchObject({
      logo: null,
    })
    // A logo on another host is ignored, because it might belong to someone else.
    expect(parseClientDocument(ID, { ...good, logo_uri: 'https://bank.example/logo.png' })).toMatchObject({
      logo: null,
    })
  })

  it('can contain ten redirect URIs of 2048 characters each', () => {
    const redirect_uris = [...redirectUris(9), urlOfLength(2048)]
    expect(parseClientDocument(ID, { ...good, redirect_uris })).toMatchObject({ redirectUris: redirect_uris })
    const logo_uri = urlOfLength(2048)
    expect(parseClientDocument(ID, { ...good, logo_uri })).toMatchObject({ logo: logo_uri })
  })

  it.each([
    'Ägent 2.0',
    '代理 Agent',
    'Агент',
    'مساعد',
    'Ünïcode-Bot (beta)',
    'エージェント',
    'Agent 🤖',
    'A\u0301\u0301\u0301',
    'a'.repeat(64),
  ])('can contain the name %s', (client_name) => {
    expect(parseClientDocument(ID, { ...good, client_name })).toMatchObject({ name: client_name })
  })

  it.each<[string, unknown]>([
    ['no content', null],
    ['a list as its content', [good]],
    ['a text as its content', 'client'],
    ['another client_id', { ...good, client_id: 'https://agent.example/other.json' }],
    ['a client_id that is alike', { ...good, client_id: 'https://agent.example/client.json/' }],
    ['no client_id', { ...good, client_id: undefined }],
    ['a secret', { ...good, client_secret: 'secret' }],
    ['the end of a secret', { ...good, client_secret_expires_at: 0 }],
    ['client_secret_basic', { ...good, token_endpoint_auth_method: 'client_secret_basic' }],
    ['client_secret_post', { ...good, token_endpoint_auth_method: 'client_secret_post' }],
    ['client_secret_jwt', { ...good, token_endpoint_auth_method: 'client_secret_jwt' }],
    ['a method without keys', { ...good, token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'a private key',
      { ...good, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ ...key, d: 'x' }] } },
    ],
    [
      'keys at a private address',
      { ...good, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://10.0.0.1/keys' },
    ],
    ['no redirect_uris', { ...good, redirect_uris: [] }],
    ['redirect_uris that are no list', { ...good, redirect_uris: 'https://agent.example/back' }],
    ['too many redirect_uris', { ...good, redirect_uris: redirectUris(11) }],
    ['a redirect that is too long', { ...good, redirect_uris: [urlOfLength(2049)] }],
    ['a redirect that is a number', { ...good, redirect_uris: [ID, 7] }],
    ['a redirect that is no URL', { ...good, redirect_uris: [ID, '/back'] }],
    ['a redirect with white space', { ...good, redirect_uris: [`${ID} `] }],
    ['a redirect with a user name', { ...good, redirect_uris: ['https://a@agent.example/back'] }],
    ['a redirect with a password', { ...good, redirect_uris: ['https://:b@agent.example/back'] }],
    ['a redirect to a loopback address over TLS', { ...good, redirect_uris: ['https://127.0.0.1/'] }],
    ['several redirects, one of them elsewhere', { ...good, redirect_uris: [ID, 'https://other.example/'] }],
    ['a redirect to another host', { ...good, redirect_uris: ['https://other.example/back'] }],
    ['a redirect to a part of its host', { ...good, redirect_uris: ['https://sub.agent.example/back'] }],
    ['a redirect without TLS', { ...good, redirect_uris: ['http://agent.example/back'] }],
    ['a redirect with credentials', { ...good, redirect_uris: ['https://a:b@agent.example/back'] }],
    ['a redirect with a fragment', { ...good, redirect_uris: ['https://agent.example/back#a'] }],
    ['a redirect that runs script', { ...good, redirect_uris: ['javascript:alert(1)'] }],
    ['a redirect to an app', { ...good, redirect_uris: ['com.example.app:/back'] }],
    [
      'a redirect to a loopback name of another',
      { ...good, redirect_uris: ['http://localhost.agent.example/'] },
    ],
    ['a logo that runs script', { ...good, logo_uri: 'javascript:alert(1)' }],
    ['a logo with its own data', { ...good, logo_uri: 'data:image/svg+xml,<svg/>' }],
    ['a logo at a path', { ...good, logo_uri: '/https:' }],
    ['a logo without TLS', { ...good, logo_uri: 'http://agent.example/https:' }],
    ['a logo with white space', { ...good, logo_uri: 'https://agent.example/logo .png' }],
    ['a logo at a literal IPv6 address', { ...good, logo_uri: 'https://[2606:4700::1]/logo.png' }],
    ['a logo that is too long', { ...good, logo_uri: urlOfLength(2049) }],
    ['no logo, but null', { ...good, logo_uri: null }],
    ['both keys and a key URL', { ...good, ...byKeys, jwks: { keys: [key] }, jwks_uri: `${ID}/keys` }],
    ['a key URL that is a list', { ...good, ...byKeys, jwks_uri: [`${ID}/keys`] }],
    ['no name', { ...good, client_name: undefined }],
    ['an empty name', { ...good, client_name: '' }],
    ['a long name', { ...good, client_name: 'a'.repeat(65) }],
    ['a name that is a list', { ...good, client_name: ['Agent'] }],
    ['a name with a blank before it', { ...good, client_name: ' Agent' }],
    ['a name with a blank after it', { ...good, client_name: 'Agent ' }],
    ['a name with four accents on a letter', { ...good, client_name: `A${'\u0301'.repeat(4)}` }],
    ['a name with look-alikes in one of its words', { ...good, client_name: 'The P\u0430yPal' }],
    ['a name of two lines', { ...good, client_name: 'Agent\nof your bank' }],
    ['a name with a control character', { ...good, client_name: 'Agent\u0007' }],
    ['a name that turns the text', { ...good, client_name: 'Agent \u202etnega' }],
    ['a name with an isolate', { ...good, client_name: 'Agent\u2066' }],
    ['a name with letters of no width', { ...good, client_name: 'Ag\u200bent' }],
    ['a name of blanks', { ...good, client_name: '\u3164' }],
    ['a name with letters of another script (homograph)', { ...good, client_name: 'Ра\u0443Pal' }],
    ['a name with heaped accents', { ...good, client_name: `A${'\u0301'.repeat(8)}` }],
    ['half a character', { ...good, client_name: 'A\ud800' }],
  ])('is rejected if it has %s', (_name, document) => {
    expect(parseClientDocument(ID, document)).toEqual(expect.stringMatching(/\w/))
  })

  it('is shown with its host in ASCII', () => {
    // The Cyrillic letters of this host imitate apple.example.
    const id = new URL('https://аррӏе.example/client').href
    expect(toClientSnapshot({ id, name: 'Apple', logo: null }).host).toBe('xn--80ak6aa92e.example')
  })
})

describe('a redirect to the user’s machine', () => {
  it.each([
    ['http://localhost/back', true],
    ['http://127.0.0.1:33418/', true],
    ['http://[::1]:8080/', true],
    ['https://localhost/back', false],
    ['http://agent.example/', false],
    ['http://10.0.0.1/', false],
    ['localhost', false],
  ])('is recognized in %s: %s', (uri, isLoopback) => {
    expect(isLoopbackRedirect(uri)).toBe(isLoopback)
  })
})
