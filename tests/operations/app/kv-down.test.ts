import type { KVNamespace } from '@cloudflare/workers-types'
import { expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp } from '../../kit/test-app.ts'

/** Tests sign-ins during a KV outage (docs/operations/runbook.md, "Something is down"). */

const down = async () => {
  throw new Error('KV GET failed: 503 Service Unavailable')
}

it('the provider issues tokens to signed-in users while KV is down, and asks other users to try again', async () => {
  const app = openTestApp()
  const client = newCookieClient(app)
  await resumeAuthorization(
    client,
    await registerAccount(client, await openSignInPage(client, await authorizationRequest()), freshName()),
  )
  const other = newCookieClient(app)
  const uid = await openSignInPage(other, await authorizationRequest())

  const INTERACTIONS = new Proxy(app.env.INTERACTIONS, { get: () => down }) as KVNamespace
  const without = openTestApp({ INTERACTIONS })
  const browser = newCookieClient(without)
  for (const [key, value] of client.cookies) browser.cookies.set(key, value)
  const request = await authorizationRequest({ prompt: 'none' })
  const back = new URL((await browser.get(request.url)).headers.get('location') ?? '')
  expect((await redeemCode(without, request, back.searchParams.get('code') ?? '')).status).toBe(200)

  const late = newCookieClient(without)
  for (const [key, value] of other.cookies) late.cookies.set(key, value)
  const profile = { username: freshName(), password: PASSWORD }
  const headers = { Interaction: uid }
  const refused = await late.send('PUT', '/api/interaction', { event: 'Register', profile }, headers)
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    503,
    'server.unavailable',
  ])
  expect(refused.headers.get('retry-after')).toBe('1')
})
