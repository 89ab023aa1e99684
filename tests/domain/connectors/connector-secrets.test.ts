import { describe, expect, it } from 'vitest'
import { SECRET_PLACEHOLDER } from '../../../src/contract/connectors/connectors.ts'
import {
  findSecretsToReenter,
  hideSecrets,
  restoreSecrets,
} from '../../../src/domain/connectors/connector-secrets.ts'

const fields = [{ key: 'clientId' }, { key: 'clientSecret', isSecret: true }, { key: 'auth', isSecret: true }]
const login = [{ key: 'auth.user' }, { key: 'auth.pass', isSecret: true }]

describe('a configuration in a response', () => {
  it.each([
    { secret: 'a text', config: { clientSecret: 'secret' }, expected: { clientSecret: SECRET_PLACEHOLDER } },
    {
      secret: 'an object',
      config: { auth: { user: 'a', pass: 'b' } },
      expected: { auth: SECRET_PLACEHOLDER },
    },
    {
      secret: 'a number or false',
      config: { auth: 0, clientSecret: false },
      expected: { auth: SECRET_PLACEHOLDER, clientSecret: SECRET_PLACEHOLDER },
    },
    // An empty secret is returned as empty, so the form shows an empty field.
    { secret: 'empty', config: { clientSecret: '', auth: null }, expected: { clientSecret: '', auth: null } },
    { secret: 'missing', config: { clientId: 'id' }, expected: { clientId: 'id' } },
    { secret: 'not in the form', config: { extra: 'e' }, expected: { extra: 'e' } },
  ])('contains $expected if the secret is $secret', ({ config, expected }) => {
    expect(hideSecrets(config, fields)).toEqual(expected)
  })
})

describe('a configuration in a request', () => {
  const stored = { clientId: 'id', clientSecret: 'secret', auth: { pass: 'b' } }

  it('keeps the stored secrets that placeholders represent', () => {
    const masked = hideSecrets(stored, fields)
    expect(restoreSecrets(masked, stored, fields)).toEqual(stored)
    expect(restoreSecrets({ ...masked, clientSecret: 'new' }, stored, fields)).toEqual({
      ...stored,
      clientSecret: 'new',
    })
  })

  it('hides and keeps a secret inside an object, even if the object was replaced as a whole', () => {
    const smtp = { host: 'mx', auth: { type: 'login', user: 'a', pass: 'b' } }
    const masked = hideSecrets(smtp, login)
    expect(masked).toEqual({ ...smtp, auth: { ...smtp.auth, pass: SECRET_PLACEHOLDER } })
    expect(restoreSecrets(masked, smtp, login)).toEqual(smtp)
    const otherUser = { ...smtp, auth: { ...smtp.auth, user: 'c', pass: SECRET_PLACEHOLDER } }
    expect(restoreSecrets(otherUser, smtp, login)).toEqual({ ...smtp, auth: { ...smtp.auth, user: 'c' } })
    expect(restoreSecrets({ host: 'mx', auth: SECRET_PLACEHOLDER }, smtp, login)).toEqual(smtp)
    expect(hideSecrets({ auth: 'unreadable' }, login)).toEqual({ auth: SECRET_PLACEHOLDER })
    for (const auth of [masked.auth, SECRET_PLACEHOLDER])
      expect(findSecretsToReenter({ host: 'evil', auth }, smtp, login)).toEqual(['auth.pass'])
  })

  it('hides a field that repeats a secret, and gives it the value of that secret', () => {
    const postmark = { host: 'mx', auth: { type: 'login', user: 'token', pass: 'token' } }
    const hidden = { type: 'login', user: SECRET_PLACEHOLDER, pass: SECRET_PLACEHOLDER }
    expect(hideSecrets(postmark, login)).toEqual({ ...postmark, auth: hidden })
    const restored = (auth: object) => restoreSecrets({ host: 'mx', auth }, postmark, login).auth
    expect(restored(hidden)).toEqual(postmark.auth)
    expect(restored({ ...hidden, pass: 'new' })).toEqual({ ...hidden, user: 'new', pass: 'new' })
    expect(restored({ ...hidden, user: 'other' })).toEqual({ ...hidden, user: 'other', pass: 'token' })
    expect(hideSecrets({ clientId: '', clientSecret: '' }, fields)).toEqual({
      clientId: '',
      clientSecret: '',
    })
  })

  it('drops a placeholder if no secret is stored', () => {
    expect(restoreSecrets({ clientSecret: SECRET_PLACEHOLDER }, {}, fields).clientSecret).toBeUndefined()
  })

  it('removes a secret that is left out or empty', () => {
    expect(restoreSecrets({ clientId: 'id', auth: '' }, stored, fields)).toEqual({
      clientId: 'id',
      auth: '',
    })
  })

  it('can contain eight asterisks in a field that is not secret', () => {
    expect(restoreSecrets({ clientId: SECRET_PLACEHOLDER }, stored, fields)).toEqual({
      clientId: SECRET_PLACEHOLDER,
    })
  })
})

describe('a placeholder for a secret', () => {
  const stored = {
    host: 'smtp.example',
    port: 587,
    tokenEndpoint: 'https://login.example/token',
    note: 'no address',
    clientSecret: 'secret',
  }
  const reentered = (changes: Record<string, unknown>) =>
    findSecretsToReenter({ ...stored, clientSecret: SECRET_PLACEHOLDER, ...changes }, stored, fields)

  it.each([
    { host: 'evil.example' },
    { port: 588 },
    { tokenEndpoint: 'https://evil.example/token' },
    { tokenEndpoint: 'http://login.example/token' },
    { further: 'https://evil.example' },
  ])('must be replaced by the secret if the server changes: %j', (changes) => {
    expect(reentered(changes)).toEqual(['clientSecret'])
  })

  it.each([
    {},
    { host: undefined, port: undefined },
    { tokenEndpoint: 'https://login.example/other' },
    { further: 'https://login.example/userinfo' },
    { further: 'mailto:evil@evil.example', note: 'other' },
    // These requests do not contain the placeholder.
    { host: 'evil.example', clientSecret: 'new' },
    { host: 'evil.example', clientSecret: undefined },
  ])('does not have to be replaced after the harmless changes %j', (changes) => {
    expect(reentered(changes)).toEqual([])
  })

  it('can remain if no secret is stored or the field is not secret', () => {
    const config = { host: 'evil.example', clientSecret: SECRET_PLACEHOLDER, clientId: SECRET_PLACEHOLDER }
    expect(findSecretsToReenter(config, { clientSecret: '', clientId: 'id' }, fields)).toEqual([])
  })

  it('can stand for a secret that is itself a URL', () => {
    const address = { clientSecret: 'https://hooks.example/secret' }
    expect(findSecretsToReenter({ clientSecret: SECRET_PLACEHOLDER }, address, fields)).toEqual([])
  })
})
