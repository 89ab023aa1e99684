import { describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  registerAccount,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail, wrongCode } from '../kit/clients/interaction-client.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'

/**
 * Counts the round trips that a response waits for when settings, keys and the application are cached
 * (spec/budgets#round-trips).
 */
describe('round trips to the database', async () => {
  const app = openTestApp()
  const username = freshName()
  const client = newCookieClient(app)
  const request = await authorizationRequest({
    scope: 'openid profile offline_access',
    prompt: 'login consent',
  })
  await resumeAuthorization(
    client,
    await registerAccount(client, await openSignInPage(client, request), username),
  )
  app.trips()

  const count = async <T>(
    call: () => Promise<T>,
    { trips } = app,
  ): Promise<{ awaited: number; value: T }> => {
    trips()
    const value = await call()
    return { awaited: trips().awaited, value }
  }

  /** Returns the lower of two counts for each call, because a run may refresh cached settings after five seconds. */
  const leastOf = async (run: () => Promise<number[]>): Promise<number[]> => {
    const [one, other] = [await run(), await run()]
    return one.map((count, index) => Math.min(count, other[index] ?? count))
  }

  it('are, for a sign-in, 0 to authorize, 1 to verify the password and 2 to submit it', async () => {
    expect(await leastOf(signInOnce)).toEqual([0, 1, 2])
  })

  async function signInOnce(): Promise<number[]> {
    const other = newCookieClient(app)
    const { url } = await authorizationRequest()
    const authorized = await count(() => other.get(url))
    const uid =
      new URL(authorized.value.headers.get('location') ?? '', 'http://x').searchParams.get('interaction') ??
      ''
    const headers = { Interaction: uid }
    const identifier = { username, password: PASSWORD }
    const put = await count(() =>
      other.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, headers),
    )
    expect(put.value.status).toBe(204)

    const submitted = await count(() => other.send('POST', '/api/interaction/submit', undefined, headers))
    expect(submitted.value.status).toBe(200)

    const { redirectTo } = (await submitted.value.json()) as { redirectTo: string }
    expect(new URL(redirectTo).searchParams.get('code')).toBeTruthy()
    return [authorized.awaited, put.awaited, submitted.awaited]
  }

  it('are 2 each for redeeming a code, using a refresh token and a silent authorization', async () => {
    expect(await leastOf(tokensOnce)).toEqual([2, 2, 2])
  })

  async function tokensOnce(): Promise<number[]> {
    const offline = newCookieClient(app)
    const request = await authorizationRequest({ scope: 'openid offline_access', prompt: 'login consent' })
    const consent = await resumeAuthorization(
      offline,
      await registerAccount(offline, await openSignInPage(offline, request), freshName()),
    )
    const uid = consent.searchParams.get('interaction') ?? ''
    const back = await resumeAuthorization(
      offline,
      await offline.send('POST', '/api/interaction/consent', undefined, { Interaction: uid }),
    )

    const tokens = await count(() => redeemCode(app, request, back.searchParams.get('code') ?? ''))
    expect(tokens.value.status).toBe(200)

    const { refresh_token: token } = (await tokens.value.json()) as { refresh_token: string }
    const refreshed = await count(() =>
      app.fetch('/oidc/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: token,
          client_id: 'demo-app',
        }),
      }),
    )
    expect(refreshed.value.status).toBe(200)

    const { url } = await authorizationRequest({ prompt: 'none' })
    const silent = await count(() => offline.get(url))
    expect(silent.value.headers.get('location')).toContain('code=')
    return [tokens.awaited, refreshed.awaited, silent.awaited]
  }

  it('are 1 for a verification code, whether correct, wrong or over the rate limit', async () => {
    // A new app has fresh caches.
    const other = openTestApp()
    await setExperience(other, { methods: everyMethod })
    const interaction = await beginInteraction(other)
    await interaction.call('PUT', '?no_cache', { event: 'SignIn' })
    const email = freshEmail()
    expect((await interaction.sendCode({ email })).status).toBe(204)
    const code = await codeTo(other, { email })
    for (const [verificationCode, status] of [
      [wrongCode(code), 400],
      [code, 204],
    ] as const) {
      const typed = await count(
        () => interaction.call('PATCH', '/identifiers', { email, verificationCode }),
        other,
      )
      expect([typed.value.status, typed.awaited]).toEqual([status, 1])
    }
    await interaction.sendCode({ email })
    const identifier = { email, verificationCode: await codeTo(other, { email }) }
    const started = await count(() => interaction.start('SignIn', { identifier }), other)
    expect([started.value.status, started.awaited]).toEqual([204, 1])

    const attempt = () => interaction.start('SignIn', { identifier: { email, password: 'wrong-horse-7' } })
    for (let count = 0; count < 10; count++) expect((await attempt()).status).toBe(422)
    // This attempt refreshes the settings, so the next attempt does not have to.
    expect((await attempt()).status).toBe(429)
    const blocked = await count(attempt, other)
    expect([blocked.value.status, blocked.awaited]).toEqual([429, 1])
  })

  it('are 0 for a page', async () => {
    const other = newCookieClient(app)
    const { url } = await authorizationRequest()
    // The demo application bypasses the settings cache with `no_cache`, which other applications do not use.
    const location = (await other.get(url)).headers.get('location')?.replace('no_cache&', '') ?? ''
    await other.get(location)
    const [least] = await leastOf(async () => {
      const page = await count(() => other.get(location))
      expect(page.value.status).toBe(200)
      return [page.awaited]
    })
    expect(least).toBe(0)
  })
})
