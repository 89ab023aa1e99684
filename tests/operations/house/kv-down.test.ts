import type { KVNamespace } from '@cloudflare/workers-types'
import { expect, it } from 'vitest'
import { openHouse } from '../../house.ts'
import {
  authorization,
  begin,
  freshName,
  newVisitor,
  PASSWORD,
  redeem,
  register,
  resume,
} from '../../visitor.ts'

/** KV does not answer (docs/operations.md, "Something is down"). */

const down = async () => {
  throw new Error('KV GET failed: 503 Service Unavailable')
}

it('people who are signed in get new tokens without KV, and others are told to try again', async () => {
  const house = openHouse()
  const visitor = newVisitor(house)
  await resume(visitor, await register(visitor, await begin(visitor, await authorization()), freshName()))
  const other = newVisitor(house)
  const uid = await begin(other, await authorization())

  const INTERACTIONS = new Proxy(house.env.INTERACTIONS, { get: () => down }) as KVNamespace
  const without = openHouse({ INTERACTIONS })
  const browser = newVisitor(without)
  for (const [key, value] of visitor.cookies) browser.cookies.set(key, value)
  const request = await authorization({ prompt: 'none' })
  const back = new URL((await browser.get(request.url)).headers.get('location') ?? '')
  expect((await redeem(without, request, back.searchParams.get('code') ?? '')).status).toBe(200)

  const late = newVisitor(without)
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
