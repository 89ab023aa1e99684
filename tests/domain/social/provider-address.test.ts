import { describe, expect, it } from 'vitest'
import { leadsToProvider } from '../../../src/domain/social/provider-address.ts'

const own =
  'https://login.example/authorize?client_id=acme&redirect_uri=https%3A%2F%2Fid.acme.example%2Fcallback&state=s&nonce=n&code_challenge=c'
const leads = (asked: string) => leadsToProvider(new URL(asked), new URL(own))

describe('an address that a client asks for', () => {
  it('leads to the provider when it equals the own one', () => {
    expect(leads(own)).toBe(true)
  })

  it.each([
    ['state', 'state=s', 'state=t'],
    ['nonce', 'nonce=n', 'nonce=t'],
    ['challenge', 'code_challenge=c', 'code_challenge=t'],
  ])('may have another %s', (_what, from, to) => {
    expect(leads(own.replace(from, to))).toBe(true)
  })

  it.each([
    ['scheme', own.replace('https:', 'http:')],
    ['host', own.replace('login.example', 'evil.example')],
    ['port', own.replace('login.example', 'login.example:8443')],
    ['path', own.replace('/authorize', '/authorize/other')],
    ['fragment', `${own}#a`],
    ['user', own.replace('login.example', 'ann@login.example')],
    ['password', own.replace('login.example', ':secret@login.example')],
    ['client', own.replace('client_id=acme', 'client_id=evil')],
    ['redirect URI', own.replace('id.acme.example', 'evil.example')],
    ['more parameters', `${own}&request_uri=urn:x`],
    ['no client', own.replace('client_id=acme&', '')],
    ['two clients', `${own}&client_id=acme`],
    ['two states', `${own}&state=s`],
  ])('does not with another %s', (_what, asked) => {
    expect(leads(asked)).toBe(false)
  })
})
