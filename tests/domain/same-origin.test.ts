import { describe, expect, it } from 'vitest'
import { isSameOrigin } from '../../src/domain/same-origin.ts'

const OWN = 'https://id.example'

function requestFrom(origin: string | null, site: string | null) {
  const headers = new Headers()
  if (origin !== null) headers.set('origin', origin)
  if (site !== null) headers.set('sec-fetch-site', site)
  return { url: `${OWN}/api/interaction`, headers }
}

describe('a state-changing request', () => {
  it.each<[from: string, origin: string | null, site: string | null]>([
    ['our own page', OWN, 'same-origin'],
    ['our own page, in an old browser', OWN, null],
    ['our own page that hides its origin', null, 'same-origin'],
    ['a form of ours without a referrer', 'null', 'same-origin'],
    ['a program', null, null],
  ])('is accepted from %s', (_from, origin, site) => {
    expect(isSameOrigin(requestFrom(origin, site))).toBe(true)
  })

  it.each<[from: string, origin: string | null, site: string | null]>([
    ['another site', 'https://evil.example', 'cross-site'],
    ['another site, in an old browser', 'https://evil.example', null],
    ['another site that names no page', 'https://evil.example', 'none'],
    ['a subdomain', 'https://app.id.example', 'same-site'],
    ['a subdomain, in an old browser', 'https://app.id.example', null],
    ['another port', 'https://id.example:8443', 'same-site'],
    ['another scheme', 'http://id.example', 'cross-site'],
    ['a page without an origin', 'null', 'cross-site'],
    ['a page without an origin, of the same site', 'null', 'same-site'],
    ['a page without an origin, in an old browser', 'null', null],
    ['a page that hides its origin', null, 'cross-site'],
    ['a page that hides its origin, of the same site', null, 'same-site'],
    ['the address bar', null, 'none'],
    ['our own origin, from a page of another', OWN, 'cross-site'],
    ['another origin that claims ours', 'https://evil.example', 'same-origin'],
  ])('is rejected from %s', (_from, origin, site) => {
    expect(isSameOrigin(requestFrom(origin, site))).toBe(false)
  })
})
