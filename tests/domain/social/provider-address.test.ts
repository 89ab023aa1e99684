import { describe, expect, it } from 'vitest'
import { matchesAuthorizationUrl } from '../../../src/domain/social/provider-address.ts'

const own =
  'https://login.example/authorize?client_id=acme&redirect_uri=https%3A%2F%2Fid.acme.example%2Fcallback&state=s&nonce=n&code_challenge=c'
const leadsTo = (address: string) => matchesAuthorizationUrl(new URL(address), new URL(own))

describe('an authorization URL requested by a client', () => {
  it("is accepted if it equals the connector's URL", () => {
    expect(leadsTo(own)).toBe(true)
  })

  it.each([
    ['state', 'state=s', 'state=t'],
    ['nonce', 'nonce=n', 'nonce=t'],
    ['challenge', 'code_challenge=c', 'code_challenge=t'],
  ])('may have a different %s', (_what, from, to) => {
    expect(leadsTo(own.replace(from, to))).toBe(true)
  })

  it.each([
    ['another scheme', own.replace('https:', 'http:')],
    ['another host', own.replace('login.example', 'evil.example')],
    ['another port', own.replace('login.example', 'login.example:8443')],
    ['another path', own.replace('/authorize', '/authorize/other')],
    ['a fragment', `${own}#a`],
    ['a user', own.replace('login.example', 'ann@login.example')],
    ['a password', own.replace('login.example', ':secret@login.example')],
    ['another client', own.replace('client_id=acme', 'client_id=evil')],
    ['another redirect URI', own.replace('id.acme.example', 'evil.example')],
    ['more parameters', `${own}&request_uri=urn:x`],
    ['no client', own.replace('client_id=acme&', '')],
    ['two clients', `${own}&client_id=acme`],
    ['two states', `${own}&state=s`],
  ])('is rejected if it has %s', (_what, address) => {
    expect(leadsTo(address)).toBe(false)
  })
})
