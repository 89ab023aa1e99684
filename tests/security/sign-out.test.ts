import { describe, expect, it, vi } from 'vitest'
import { type House, openHouse } from '../house.ts'
import { newOperator } from '../operator.ts'
import { newReceiver, type Receiver } from '../receiver.ts'
import { authorization, begin, freshName, newVisitor, ORIGIN, register, resume } from '../visitor.ts'

const BACK = 'https://shop.example/back'
/** Longer than a sign-out takes, shorter than the ten seconds a receiver is given. */
const SLOW = 6_000 // ms

const house = openHouse()

/** Answers as soon as the Worker does, and remembers what goes on behind its answers. */
const behind: Promise<void>[] = []
const impatient: House = {
  ...house,
  async fetch(path, init) {
    const { response, settled } = await house.answer(path, init)
    behind.push(settled)
    return response
  },
}

async function applicationOf({ url }: Receiver): Promise<string> {
  const created = await (await newOperator(house)).send('POST', '/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
    customClientMetadata: { backchannelLogoutUri: url },
  })
  expect(created.status).toBe(200)
  return ((await created.json()) as { id: string }).id
}

const statusOf = async (applicationId: string) =>
  (
    await house.env.DB.prepare('select status, attempts from outbox where application_id = ?')
      .bind(applicationId)
      .all()
  ).results

describe('signing out', () => {
  it('waits for no application that is slow or dead, nor does one that is well (Back-Channel Logout, 2.8)', async () => {
    const [slow, dead, well] = [await newReceiver(), await newReceiver(), await newReceiver()]
    const ids: string[] = []
    for (const receiver of [slow, dead, well]) ids.push(await applicationOf(receiver))
    const visitor = newVisitor(impatient)
    const request = (id = '') => authorization({ client_id: id, redirect_uri: BACK, scope: 'openid' })
    await resume(visitor, await register(visitor, await begin(visitor, await request(ids[0])), freshName()))
    for (const id of ids.slice(1)) await visitor.get((await request(id)).url)
    await Promise.all(behind)

    await slow.behave({ delay: SLOW })
    await dead.behave({ isDown: true })
    const page = await (await visitor.get('/oidc/session/end')).text()
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
    const began = Date.now()
    const response = await visitor.post(
      '/oidc/session/end/confirm',
      { xsrf, logout: 'yes' },
      { origin: ORIGIN },
    )
    expect(response.status).toBe(303)
    await vi.waitFor(async () => expect(await well.received()).toHaveLength(1), { timeout: SLOW })
    expect(Date.now() - began).toBeLessThan(SLOW)
    expect(await slow.received()).toHaveLength(1)

    await Promise.all(behind)
    expect(Date.now() - began).toBeGreaterThanOrEqual(SLOW)
    expect(await Promise.all(ids.map(statusOf))).toEqual([
      [{ status: 'delivered', attempts: 1 }],
      [{ status: 'pending', attempts: 1 }],
      [{ status: 'delivered', attempts: 1 }],
    ])
  }, 30_000)
})
