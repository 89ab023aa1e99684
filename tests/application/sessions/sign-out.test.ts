import { describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { newReceiver, type Receiver } from '../../kit/receiver.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const BACK = 'https://shop.example/back'
const app = openTestApp()

/** The work that continues after the responses. `impatient` returns responses without waiting for this work. */
const behind: Promise<void>[] = []
const impatient: TestApp = {
  ...app,
  async fetch(path, init) {
    const { response, settled } = await app.answer(path, init)
    behind.push(settled)
    return response
  },
}

async function applicationOf({ url }: Receiver): Promise<string> {
  const created = await (await newOperator(app)).send('POST', '/applications', {
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
    await app.env.DB.prepare('select status, attempts from outbox where application_id = ?')
      .bind(applicationId)
      .all()
  ).results

describe('signing out', () => {
  it('[BACKCHANNEL-2.8] does not wait for slow or failing applications (OIDC Back-Channel Logout §2.8)', async () => {
    const [slow, dead, well] = [await newReceiver(), await newReceiver(), await newReceiver()]
    const ids: string[] = []
    for (const receiver of [slow, dead, well]) ids.push(await applicationOf(receiver))
    const client = newCookieClient(impatient)
    const request = (id = '') => authorizationRequest({ client_id: id, redirect_uri: BACK, scope: 'openid' })
    await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, await request(ids[0])), freshName()),
    )
    for (const id of ids.slice(1)) await client.get((await request(id)).url)
    await Promise.all(behind)

    await slow.behave({ isHeld: true })
    await dead.behave({ isDown: true })
    const page = await (await client.get('/oidc/session/end')).text()
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
    const response = await client.post(
      '/oidc/session/end/confirm',
      { xsrf, logout: 'yes' },
      { origin: ORIGIN },
    )
    expect(response.status).toBe(303)
    await expect.poll(() => well.received()).toHaveLength(1)
    await expect.poll(() => slow.received()).toHaveLength(1)

    await slow.behave({})
    await Promise.all(behind)
    expect(await Promise.all(ids.map(statusOf))).toEqual([
      [{ status: 'delivered', attempts: 1 }],
      [{ status: 'pending', attempts: 1 }],
      [{ status: 'delivered', attempts: 1 }],
    ])
  })
})
