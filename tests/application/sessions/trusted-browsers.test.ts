import { beforeAll, describe, expect, it } from 'vitest'
import type { Member } from '../../kit/clients/account-client.ts'
import { type CookieClient, newCookieClient, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail } from '../../kit/clients/interaction-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const LIMITED = 429
let app: TestApp
beforeAll(() => {
  app = openTestApp()
})

type Listed = { id: string; userAgent: string | null; createdAt: number; lastSeenAt: number }
const browsersOf = async ({ call }: Pick<Member, 'call'>) =>
  (await (await call('GET', '/trusted-browsers')).json()) as Listed[]

async function attempt(
  username: string,
  password: string,
  client: CookieClient = newCookieClient(app),
): Promise<number> {
  const interaction = await beginInteraction(app, client)
  return (await interaction.start('SignIn', { identifier: { username, password } })).status
}

/** Returns the browser after the user has signed out, without a session but with its trusted-browser cookie. */
function signedOut(client: CookieClient): CookieClient {
  const browser = newCookieClient(app)
  for (const [name, cookie] of client.cookies) if (name.endsWith('_known')) browser.cookies.set(name, cookie)
  expect(browser.cookies.size).toBe(1)
  return browser
}

/** Tries wrong passwords elsewhere until the account is locked for strangers. */
async function lock(username: string): Promise<void> {
  for (let count = 0; count < 10; count++) await attempt(username, 'wrong-horse-7')
  expect(await attempt(username, PASSWORD)).toBe(LIMITED)
}

describe('a trusted browser', () => {
  it('is listed once, with a truncated user agent, however often the user signs in', async () => {
    const member = await storeMember(app)
    const { client, username } = member
    const interaction = await beginInteraction(app, signedOut(client))
    await interaction.start('SignIn', { identifier: { username, password: PASSWORD } })
    const userAgent = { 'user-agent': `Agent ${'x'.repeat(10_000)}` }
    expect((await interaction.call('POST', '/submit', undefined, userAgent)).status).toBe(200)

    const [browser, ...others] = await browsersOf(member)
    expect(others).toEqual([])
    expect(browser).toEqual({
      id: expect.any(String),
      userAgent: `Agent ${'x'.repeat(249)}…`,
      createdAt: expect.any(Number),
      lastSeenAt: expect.any(Number),
      rememberedUntil: null,
    })
    expect(browser?.lastSeenAt).toBeGreaterThanOrEqual(browser?.createdAt ?? 0)
  })

  it('[ASVS-6.3.1-3] can be removed only by its user', async () => {
    const member = await storeMember(app)
    const stranger = await storeMember(app)
    await lock(member.username)
    const browserOf = signedOut(member.client)
    expect(await attempt(member.username, PASSWORD, browserOf)).toBe(204)

    const [browser] = await browsersOf(member)
    const path = `/trusted-browsers/${browser?.id}`
    expect((await stranger.call('DELETE', path)).status).toBe(404)
    expect((await member.call('DELETE', path)).status).toBe(204)
    expect((await member.call('DELETE', path)).status).toBe(404)
    expect(await browsersOf(member)).toEqual([])
    expect(await attempt(member.username, PASSWORD, browserOf)).toBe(LIMITED)
  })

  it('is removed once its user has signed in with 100 newer browsers', async () => {
    const { username, userId } = await storeMember(app)
    await app.env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 120)
      insert into trusted_browsers (tenant_id, user_id, browser_id, id, created_at, last_seen_at)
      select 'default', ?1, 'browser-' || i, 'row-' || i, i, i from n`,
    )
      .bind(userId)
      .run()
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn', { identifier: { username, password: PASSWORD } })
    expect((await interaction.submit()).status).toBe(200)
    const { results } = await app.env.DB.prepare(
      'select last_seen_at as seen from trusted_browsers where user_id = ? order by last_seen_at',
    )
      .bind(userId)
      .all<{ seen: number }>()
    // The list contains the browser of the registration, the browser of this sign-in, and 98 others.
    expect([results.length, results[0]?.seen]).toEqual([100, 23])
  })

  it('[ASVS-6.3.1-4] is no longer trusted after a password reset', async () => {
    const { client, username, userId } = await storeMember(app)
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ? where id = ?').bind(email, userId).run()
    const reset = await beginInteraction(app)
    await reset.start('ForgotPassword')
    await reset.sendCode({ email })
    const verificationCode = await codeTo(app, { email })
    expect((await reset.call('PATCH', '/identifiers', { email, verificationCode })).status).toBe(204)
    expect((await reset.call('PUT', '/profile', { password: 'battery-staple-8' })).status).toBe(204)
    expect((await reset.submit()).status).toBe(204)

    await lock(username)
    expect(await attempt(username, 'battery-staple-8', signedOut(client))).toBe(LIMITED)
  })

  it('is not trusted while the user is suspended, and is deleted with the user', async () => {
    const { client, username, userId } = await storeMember(app)
    await app.env.DB.prepare('update users set is_suspended = 1 where id = ?').bind(userId).run()
    await lock(username)
    expect(await attempt(username, PASSWORD, signedOut(client))).toBe(LIMITED)
    await app.env.DB.prepare('delete from users where id = ?').bind(userId).run()
    const left = await app.env.DB.prepare('select count(*) as n from trusted_browsers where user_id = ?')
      .bind(userId)
      .first('n')
    expect(left).toBe(0)
  })

  it('is trusted again after a sign-in if only its row was deleted', async () => {
    const { client, username, userId } = await storeMember(app)
    await app.env.DB.prepare('delete from trusted_browsers where user_id = ?').bind(userId).run()
    const interaction = await beginInteraction(app, signedOut(client))
    await interaction.start('SignIn', { identifier: { username, password: PASSWORD } })
    expect((await interaction.submit()).status).toBe(200)
    await lock(username)
    expect(await attempt(username, PASSWORD, signedOut(client))).toBe(204)
  })
})
