import { describe, expect, it } from 'vitest'
import { requestCookies } from '../../src/contract/request-cookies.ts'

const cookiesOf = (url: string, cookie: string) => ({
  ...requestCookies(new Request(url, { headers: { cookie } })),
})

/** Another host in the domain can set any cookie whose name lacks the prefix `__Host-` (RFC 6265bis §4.1.3). */
describe('a request’s cookies', () => {
  it.each([
    { cookie: '__Host-_session=a', read: { _session: 'a' } },
    { cookie: '_session=a', read: {} },
    { cookie: '__Secure-_session=a', read: {} },
    { cookie: '__Host-_session=a; __Secure-_session=b; _session=c', read: { _session: 'a' } },
    { cookie: '__host-_session=a', read: {} },
    { cookie: '__Host-__Host-_session=a', read: { '__Host-_session': 'a' } },
    { cookie: '__Secure-_social_return_x=a', read: { _social_return_x: 'a' } },
    { cookie: '_known=b', read: {} },
    { cookie: 'i18next=fr; __Host-i18next=de', read: { i18next: 'de' } },
    { cookie: '__Host-i18next=de; i18next=fr', read: { i18next: 'de' } },
    { cookie: 'i18next=de', read: { i18next: 'de' } },
    { cookie: '__Host-i18next=%64e', read: { i18next: 'de' } },
    { cookie: '__Host-__proto__=a; __Host-a=b', read: JSON.parse('{ "__proto__": "a", "a": "b" }') },
  ])('are parsed from $cookie over https', ({ cookie, read }) => {
    expect(cookiesOf('https://id.example/sign-in', cookie)).toEqual(read)
  })

  it('have no name prefix over plain http, because browsers would reject one', () => {
    expect(cookiesOf('http://localhost:8787/', '_session=a; other=b')).toEqual({ _session: 'a', other: 'b' })
  })
})
