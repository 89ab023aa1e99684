import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { keptValue } from '../../src/domain/custom-content.ts'
import { newOperator, type Operator } from '../kit/management-client.ts'
import { openTestApp } from '../kit/test-app.ts'

describe('a link of custom content', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\\evil.example',
    '/help\\..\\..\\evil.example',
    '/\u0001/evil.example',
    '\u0001//evil.example',
    '/\u007f/evil.example',
    '/&Tab;/evil.example',
    '/&#9;/evil.example',
    '/&#x0A;/evil.example',
    '/&NewLine;/evil.example',
    '/&sol;evil.example',
    '/&#47;evil.example',
    '/&bsol;evil.example',
  ])('is not ours: %j', (address) => {
    expect(keptValue('a', 'href', address)).toBeNull()
    expect(keptValue('img', 'src', address)).toBeNull()
    expect(keptValue('img', 'srcset', address)).toBeNull()
  })

  it.each(['/', '/help', '/help?a=1&b=2', '/help?a=1&amp;b=2#top'])('is ours: %s', (address) => {
    expect(keptValue('a', 'href', address)).toBe(address)
  })
})

describe('the pictures of a page', () => {
  let operator: Operator
  beforeAll(async () => {
    operator = await newOperator(openTestApp())
  })
  afterEach(async () => {
    await operator.send('PATCH', '/sign-in-exp', { customCss: null, branding: {} })
    await operator.send('PATCH', '/configs/settings', { imageOrigins: [] })
  })

  const sources = async (path: string) => {
    const policy = (await openTestApp().fetch(path)).headers.get('content-security-policy') ?? ''
    return policy.match(/img-src ([^;]*)/)?.[1]
  }
  const style = async (experience: object) => {
    const customCss = "input[value^='a'] { background: url(https://evil.example/a) }"
    expect((await operator.send('PATCH', '/sign-in-exp', { customCss, ...experience })).status).toBe(200)
  }
  const list = async (...imageOrigins: string[]) =>
    (await operator.send('PATCH', '/configs/settings', { imageOrigins })).status

  it('come from no other site where there is custom CSS', async () => {
    expect(await sources('/unknown-session')).toBe("'self' data: https:")
    await style({})
    expect(await sources('/unknown-session')).toBe("'self' data:")
  })

  it('come from where the operator lists, and are the logos', async () => {
    await style({ branding: { logoUrl: 'https://cdn.example/a;b/logo.png?v=2', favicon: '/favicon.svg' } })
    expect(await list('https://pictures.example', 'https://more.example:8443')).toBe(200)
    expect(await sources('/unknown-session')).toBe(
      "'self' data: https://cdn.example/a%3Bb/logo.png https://pictures.example https://more.example:8443",
    )
  })

  it.each([
    'http://pictures.example',
    'https://*.example',
    'https://[::1]',
    'https://a.example/path',
    'https:',
  ])('are not listed as %s', async (origin) => {
    expect(await list(origin)).toBe(400)
  })
})
