import { describe, expect, it } from 'vitest'
import { SECRET_PLACEHOLDER } from '../../src/contract/connectors.ts'
import { withoutSecrets, withStoredSecrets } from '../../src/domain/connector-secrets.ts'

const fields = [{ key: 'clientId' }, { key: 'clientSecret', isSecret: true }, { key: 'auth', isSecret: true }]

describe('a configuration in an answer', () => {
  it.each([
    { why: 'a text', config: { clientSecret: 'secret' }, shown: { clientSecret: SECRET_PLACEHOLDER } },
    { why: 'an object', config: { auth: { user: 'a', pass: 'b' } }, shown: { auth: SECRET_PLACEHOLDER } },
    {
      why: 'a number or false',
      config: { auth: 0, clientSecret: false },
      shown: { auth: SECRET_PLACEHOLDER, clientSecret: SECRET_PLACEHOLDER },
    },
    // A form shows an empty field.
    { why: 'empty', config: { clientSecret: '', auth: null }, shown: { clientSecret: '', auth: null } },
    { why: 'missing', config: { clientId: 'id' }, shown: { clientId: 'id' } },
    { why: 'not in the form', config: { extra: 'e' }, shown: { extra: 'e' } },
  ])('hides a secret that is $why', ({ config, shown }) => {
    expect(withoutSecrets(config, fields)).toEqual(shown)
  })
})

describe('a configuration in a request', () => {
  const stored = { clientId: 'id', clientSecret: 'secret', auth: { pass: 'b' } }

  it('keeps stored secrets where it has placeholders', () => {
    const shown = withoutSecrets(stored, fields)
    expect(withStoredSecrets(shown, stored, fields)).toEqual(stored)
    expect(withStoredSecrets({ ...shown, clientSecret: 'new' }, stored, fields)).toEqual({
      ...stored,
      clientSecret: 'new',
    })
  })

  it('has no secret where nothing is stored for a placeholder', () => {
    expect(withStoredSecrets({ clientSecret: SECRET_PLACEHOLDER }, {}, fields).clientSecret).toBeUndefined()
  })

  it('removes a secret that is left out or empty', () => {
    expect(withStoredSecrets({ clientId: 'id', auth: '' }, stored, fields)).toEqual({
      clientId: 'id',
      auth: '',
    })
  })

  it('may hold eight stars in a field that is no secret', () => {
    expect(withStoredSecrets({ clientId: SECRET_PLACEHOLDER }, stored, fields)).toEqual({
      clientId: SECRET_PLACEHOLDER,
    })
  })
})
