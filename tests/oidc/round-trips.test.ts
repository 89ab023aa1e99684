import { describe, expect, it } from 'vitest'
import {
  authorization,
  begin,
  freshName,
  newCookieClient,
  PASSWORD,
  redeem,
  register,
  resume,
} from '../kit/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail, wrongCode } from '../kit/interaction-client.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'

/** What an answer waits for, with settings, keys and the application cached (spec/budgets#round-trips). */
describe('round trips to the database', async () => {
  const app = openTestApp()
  const username = freshName()
  const client = newCookieClient(app)
  const request = await authorization({ scope: 'openid profile offline_access', prompt: 'login consent' })
  await resume(client, await register(client, await begin(client, request), username))
  app.trips()

  const counted = async <T>(call: () => Promise<T>): Promise<{ awaited: number; value: T }> => {
    app.trips()
    const value = await call()
    return { awaited: app.trips().awaited, value }
  }

  it('are 0, 1, 2 and 3 for a sign-in: authorization, password, submit, resume', async () => {
    const other = newCookieClient(app)
    const { url } = await authorization()
    const begun = await counted(() => other.get(url))
    expect(begun.awaited).toBe(0)

    const uid =
      new URL(begun.value.headers.get('location') ?? '', 'http://x').searchParams.get('interaction') ?? ''
    const headers = { Interaction: uid }
    const identifier = { username, password: PASSWORD }
    const put = await counted(() =>
      other.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, headers),
    )
    expect([put.value.status, put.awaited]).toEqual([204, 1])

    const submitted = await counted(() => other.send('POST', '/api/interaction/submit', undefined, headers))
    expect([submitted.value.status, submitted.awaited]).toEqual([200, 2])

    const resumed = await counted(() => resume(other, submitted.value))
    expect(resumed.value.searchParams.get('code')).toBeTruthy()
    expect(resumed.awaited).toBeLessThanOrEqual(3)
  })

  it('are at most 3 for a silent authorization, a code and a refresh token', async () => {
    const offline = newCookieClient(app)
    const wanted = await authorization({ scope: 'openid offline_access', prompt: 'login consent' })
    const consent = await resume(offline, await register(offline, await begin(offline, wanted), freshName()))
    const uid = consent.searchParams.get('interaction') ?? ''
    const back = await resume(
      offline,
      await offline.send('POST', '/api/interaction/consent', undefined, { Interaction: uid }),
    )

    const tokens = await counted(() => redeem(app, wanted, back.searchParams.get('code') ?? ''))
    expect([tokens.value.status, tokens.awaited <= 3]).toEqual([200, true])

    const { refresh_token: token } = (await tokens.value.json()) as { refresh_token: string }
    const refreshed = await counted(() =>
      app.fetch('/oidc/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: token,
          client_id: 'demo-app',
        }),
      }),
    )
    expect([refreshed.value.status, refreshed.awaited <= 3]).toEqual([200, true])

    const { url } = await authorization({ prompt: 'none' })
    const silent = await counted(() => offline.get(url))
    expect(silent.value.headers.get('location')).toContain('code=')
    expect(silent.awaited).toBeLessThanOrEqual(3)
  })

  it('are 1 for a code, right or wrong, and 1 for an attempt above the limit', async () => {
    await setExperience(app, { methods: everyMethod })
    const interaction = await beginInteraction(app)
    await interaction.call('PUT', '?no_cache', { event: 'SignIn' })
    const email = freshEmail()
    expect((await interaction.sendCode({ email })).status).toBe(204)
    const code = await codeTo(app, { email })
    for (const [verificationCode, status] of [
      [wrongCode(code), 400],
      [code, 204],
    ] as const) {
      const typed = await counted(() =>
        interaction.call('PATCH', '/identifiers', { email, verificationCode }),
      )
      expect([typed.value.status, typed.awaited]).toEqual([status, 1])
    }
    await interaction.sendCode({ email })
    const identifier = { email, verificationCode: await codeTo(app, { email }) }
    const begun = await counted(() => interaction.start('SignIn', { identifier }))
    expect([begun.value.status, begun.awaited]).toEqual([204, 1])

    const attempt = () => interaction.start('SignIn', { identifier: { email, password: 'wrong-horse-7' } })
    for (let count = 0; count < 10; count++) expect((await attempt()).status).toBe(422)
    // The interaction before it has just read the settings.
    expect((await attempt()).status).toBe(429)
    const barred = await counted(attempt)
    expect([barred.value.status, barred.awaited]).toEqual([429, 1])
  })

  it('are none for a page', async () => {
    const other = newCookieClient(app)
    const { url } = await authorization()
    // The demo application asks for fresh settings; other applications use the cache.
    const location = (await other.get(url)).headers.get('location')?.replace('no_cache&', '') ?? ''
    await other.get(location)
    const page = await counted(() => other.get(location))
    expect([page.value.status, page.awaited]).toEqual([200, 0])
  })
})
