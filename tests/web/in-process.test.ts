import { expect, it } from 'vitest'
import { createFormClient } from '../../src/web/in-process.ts'

const page = () =>
  new Request('https://id.example/sign-in', {
    method: 'POST',
    headers: {
      cookie: '_interaction=one; _interaction_one=old; gone=soon; other="a b"%20=',
      origin: 'https://id.example',
      'user-agent': 'Browser',
      'accept-language': 'ko',
      'x-forwarded-for': '10.0.0.1',
    },
  })

it('the form client sends cookies that one call sets with the next one, and forwards them to the browser', async () => {
  const sentCookies: (string | null)[] = []
  const responseHeaders = [
    new Headers([
      ['set-cookie', '_interaction_one=new; Path=/; HttpOnly'],
      ['set-cookie', 'gone=; Max-Age=0'],
      ['set-cookie', 'ended=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; httponly'],
    ]),
    new Headers([['set-cookie', '_interaction_one=newer; Path=/']]),
  ]
  const client = createFormClient(page(), (request) => {
    sentCookies.push(request.headers.get('cookie'))
    return new Response(null, { status: 204, headers: responseHeaders.shift() })
  })

  await client.fetch('/api/interaction', { method: 'PUT' })
  await client.fetch('/api/interaction/submit', { method: 'POST' })

  expect(sentCookies).toEqual([
    '_interaction=one; _interaction_one=old; gone=soon; other="a b"%20=',
    '_interaction=one; _interaction_one=new; other="a b"%20=',
  ])
  expect(client.setCookies()).toEqual([
    '_interaction_one=newer; Path=/',
    'gone=; Max-Age=0',
    'ended=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; httponly',
  ])
})

it('the form client forwards the browser’s headers, except for the language, which is the page’s', async () => {
  let received: Request | undefined
  const client = createFormClient(page(), (request) => {
    received = request
    return new Response()
  })

  await client.fetch('/api/interaction', { method: 'PUT', headers: { 'accept-language': 'de' } })

  expect(received?.url).toBe('https://id.example/api/interaction')
  expect(received?.headers.get('origin')).toBe('https://id.example')
  expect(received?.headers.get('user-agent')).toBe('Browser')
  expect(received?.headers.get('accept-language')).toBe('de')
  expect(received?.headers.has('x-forwarded-for')).toBe(false)
})

it('the form client forwards the browser’s location', async () => {
  let received: (Request & { cf?: unknown }) | undefined
  const cf = { country: 'DE', latitude: '52.5', longitude: '13.4' }
  const client = createFormClient(new Request(page(), { cf } as RequestInit), (request) => {
    received = request
    return new Response()
  })
  await client.fetch('/api/interaction/submit', { method: 'POST' })
  expect(received?.cf).toEqual(cf)
})
