import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp } from '../../kit/test-app.ts'

describe('the images on a page', () => {
  let operator: Operator
  beforeAll(async () => {
    operator = await newOperator(openTestApp())
  })
  afterEach(async () => {
    await operator.send('PATCH', '/sign-in-exp', {
      customCss: null,
      branding: {},
      layout: { type: 'Card' },
    })
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

  it('[ASVS-3.4.3-2] cannot come from other sites if there is custom CSS', async () => {
    expect(await sources('/unknown-session')).toBe("'self' data: https:")
    await style({})
    expect(await sources('/unknown-session')).toBe("'self' data:")
  })

  it('can come from the listed origins, and include the logos and the layout’s image', async () => {
    await style({
      branding: { logoUrl: 'https://cdn.example/a;b/logo.png?v=2', favicon: '/favicon.svg' },
      layout: { type: 'Split', pictureUrl: 'https://cdn.example/harbour.webp' },
    })
    expect(await list('https://pictures.example', 'https://more.example:8443')).toBe(200)
    expect(await sources('/unknown-session')).toBe(
      "'self' data: https://cdn.example/a%3Bb/logo.png https://cdn.example/harbour.webp https://pictures.example https://more.example:8443",
    )
  })

  it('cannot have a URL for which the CSP would allow a whole folder or site', async () => {
    await style({
      branding: { logoUrl: 'https://cdn.example/logos/?v=2', favicon: 'https://icons.example' },
      layout: { type: 'Split', pictureUrl: 'https://cdn.example/harbour.webp' },
    })
    expect(await sources('/unknown-session')).toBe("'self' data: https://cdn.example/harbour.webp")
    await list('https://icons.example')
    expect(await sources('/unknown-session')).toContain(' https://icons.example')
  })

  it.each([
    'http://pictures.example',
    'https://*.example',
    'https://[::1]',
    'https://a.example/path',
    'https:',
  ])('cannot come from the invalid origin %s', async (origin) => {
    expect(await list(origin)).toBe(400)
  })
})
