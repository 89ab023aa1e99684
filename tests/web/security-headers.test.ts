import { describe, expect, it } from 'vitest'
import {
  createContentSecurityPolicy,
  createSecurityHeaders,
  generateNonce,
  toFormTargets,
  toOriginSources,
} from '../../src/web/security-headers.ts'

describe('a page’s content security policy', () => {
  it('allows only the sources that a page needs', () => {
    expect(createContentSecurityPolicy({ nonce: 'abc', formTargets: ['https://app.example'] })).toBe(
      "default-src 'none'; script-src 'self'; style-src 'nonce-abc' 'self'; img-src 'self' data: https:; " +
        "font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "form-action 'self' https://app.example",
    )
  })

  it('lists the origins that the page may frame and those that may frame it', () => {
    const policy = createContentSecurityPolicy({
      nonce: 'abc',
      formTargets: [],
      frames: ['https://terms.example'],
      ancestors: ["'self'", 'https://console.example'],
    })
    expect(policy).toContain('; frame-src https://terms.example; ')
    expect(policy).toContain("; frame-ancestors 'self' https://console.example; ")
  })
})

describe('the frame sources', () => {
  it.each([
    { addresses: [null, null], sources: [] },
    {
      addresses: ['https://a.example/terms?x', 'https://a.example/privacy'],
      sources: ['https://a.example'],
    },
    {
      addresses: ['https://a.example/terms', 'http://localhost:3000/privacy'],
      sources: ['https://a.example', 'http://localhost:3000'],
    },
    { addresses: ['https://a.example;sandbox/terms', 'http://[::1]/privacy'], sources: [] },
    { addresses: ['not an address', null], sources: [] },
  ])('depend on the documents’ URLs: $addresses require $sources', ({ addresses, sources }) => {
    expect(toOriginSources(addresses)).toEqual(sources)
  })
})

describe('the sources of form-action', () => {
  it.each([
    { address: 'https://app.example/callback?a=b', targets: ['https://app.example'] },
    { address: 'http://localhost:3000/callback', targets: ['http://localhost:3000'] },
    { address: 'com.example.app://callback', targets: ['com.example.app:'] },
    { address: 'com.example.app:/callback', targets: ['com.example.app:'] },
    { address: 'http://[::1]:5000/callback', targets: ['http:'] },
    { address: 'https://app.example;sandbox/callback', targets: [] },
    { address: 'not an address', targets: [] },
    { address: undefined, targets: [] },
  ])('depend on the redirect: $address requires $targets', ({ address, targets }) => {
    expect(toFormTargets(address)).toEqual(targets)
  })
})

describe('the other security headers', () => {
  const policy = { nonce: generateNonce(), formTargets: [] }

  it('prevent caching of pages, and let our own forms send their origin', () => {
    expect(createSecurityHeaders(policy)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
  })

  it('contain a new nonce for every response', () => {
    expect(generateNonce()).not.toBe(generateNonce())
  })
})
