import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/contract/time.ts'
import { freshName, PASSWORD, resumeAuthorization } from '../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf } from '../kit/clients/interaction-client.ts'
import { openTestApp } from '../kit/test-app.ts'
import { SETUP_MS } from './account-fixtures.ts'
import { alternatingLocation, openKvLocations } from './hostile-kv.ts'

function kvAt(time: number, options: { lagAt?: () => number } = {}) {
  const clock = { time }
  const faulty = openKvLocations(env.INTERACTIONS, { ...options, now: () => clock.time })
  return { clock, here: faulty.seenFrom(() => 'FRA'), there: faulty.seenFrom(() => 'SIN') }
}

describe('the hostile KV', () => {
  it('caches hits and misses for a minute in each location', async () => {
    const { clock, here, there } = kvAt(0)
    const key = freshName()
    expect(await there.get(key)).toBeNull()
    await here.put(key, 'one')
    expect([await here.get(key), await there.get(key)]).toEqual(['one', null])
    clock.time += MINUTE
    expect(await there.get(key)).toBe('one')
    await here.put(key, 'two')
    expect([await here.get(key), await there.get(key)]).toEqual(['two', 'one'])
  })

  it('makes a write visible at other locations after the lag', async () => {
    const { clock, here, there } = kvAt(0, { lagAt: () => MINUTE })
    const key = freshName()
    await here.put(key, 'one')
    expect(await there.get(key)).toBeNull()
    clock.time += MINUTE
    expect(await there.get(key)).toBe('one')
  })

  it('rejects long keys, short lifetimes and a second write within a second', async () => {
    const { clock, here } = kvAt(0)
    const key = freshName()
    await here.put(key, 'one')
    await expect(here.put(key, 'two')).rejects.toThrow('KV PUT failed: 429')
    clock.time += 1_000
    await here.put(key, 'two')
    await expect(here.put('é'.repeat(257), 'x')).rejects.toThrow('414')
    await expect(here.put(freshName(), 'x', { expirationTtl: 59 })).rejects.toThrow('400')
  })
})

describe('a client whose location changes with every call', () => {
  const appWith = (lag: number) =>
    openTestApp({
      INTERACTIONS: openKvLocations(env.INTERACTIONS, { lagAt: () => lag }).seenFrom(alternatingLocation()),
    })

  it('completes an interaction, however quickly its calls follow each other', {
    timeout: SETUP_MS,
  }, async () => {
    const interaction = await beginInteraction(appWith(0))
    const profile = { username: freshName(), password: PASSWORD }
    for (let round = 0; round < 3; round++)
      expect((await interaction.start('Register', { profile })).status).toBe(204)
    for (const password of ['another-horse-7', 'another-horse-8', PASSWORD])
      expect((await interaction.call('PATCH', '/profile', { password })).status).toBe(204)
    const back = await resumeAuthorization(interaction.client, await interaction.submit())
    expect(back.searchParams.get('code')).toBeTruthy()
  })

  it('has to start again, and stores nothing, if its location lacks the latest revision', {
    timeout: SETUP_MS,
  }, async () => {
    const interaction = await beginInteraction(appWith(MINUTE))
    const username = freshName()
    await interaction.start('Register', { profile: { username, password: PASSWORD } })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'session.verification_session_not_found',
    ])
    const rows = await env.DB.prepare('select 1 from users where username = ?').bind(username).all()
    expect(rows.results).toEqual([])
  })
})
