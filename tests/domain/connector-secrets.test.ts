import { describe, expect, it } from 'vitest'
import { SECRET_PLACEHOLDER } from '../../src/contract/connectors.ts'
import { withoutSecrets, withStoredSecrets } from '../../src/domain/connector-secrets.ts'

const fields = [{ key: 'clientId' }, { key: 'clientSecret', isSecret: true }, { key: 'auth', isSecret: true }]

describe('a configuration as it is shown', () => {
  it.each([
    { why: 'a text', config: { clientSecret: 'secret' }, shown: { clientSecret: SECRET_PLACEHOLDER } },
    { why: 'an object', config: { auth: { user: 'a', pass: 'b' } }, shown: { auth: SECRET_PLACEHOLDER } },
    {
      why: 'a number or a no',
      config: { auth: 0, clientSecret: false },
      shown: { auth: SECRET_PLACEHOLDER, clientSecret: SECRET_PLACEHOLDER },
    },
    // So that a form shows an empty field.
    { why: 'none', config: { clientSecret: '', auth: null }, shown: { clientSecret: '', auth: null } },
    { why: 'not there', config: { clientId: 'id' }, shown: { clientId: 'id' } },
    { why: 'not in the form', config: { extra: 'e' }, shown: { extra: 'e' } },
  ])('keeps a secret that is $why', ({ config, shown }) => {
    expect(withoutSecrets(config, fields)).toEqual(shown)
  })
})

describe('a configuration as it comes back', () => {
  const stored = { clientId: 'id', clientSecret: 'secret', auth: { pass: 'b' } }

  it('means what is stored where it was not changed', () => {
    const shown = withoutSecrets(stored, fields)
    expect(withStoredSecrets(shown, stored, fields)).toEqual(stored)
    expect(withStoredSecrets({ ...shown, clientSecret: 'new' }, stored, fields)).toEqual({
      ...stored,
      clientSecret: 'new',
    })
  })

  it('means nothing where nothing is stored, rather than eight stars', () => {
    expect(withStoredSecrets({ clientSecret: SECRET_PLACEHOLDER }, {}, fields).clientSecret).toBeUndefined()
  })

  it('forgets a secret that is left out or emptied', () => {
    expect(withStoredSecrets({ clientId: 'id', auth: '' }, stored, fields)).toEqual({
      clientId: 'id',
      auth: '',
    })
  })

  it('may hold eight stars where it is no secret', () => {
    expect(withStoredSecrets({ clientId: SECRET_PLACEHOLDER }, stored, fields)).toEqual({
      clientId: SECRET_PLACEHOLDER,
    })
  })
})
