import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runScript } from '../../operator/main.ts'
import { MINUTE } from '../../src/contract/time.ts'
import { freshName, newCookieClient } from '../kit/clients/cookie-client.ts'
import { newEnvironment } from '../operator/environments.ts'
import {
  beginInteraction,
  beginRecordedRun,
  freshPassword,
  type InteractionClient,
  type RecordedRun,
} from './recorded-client.ts'
import { type RestorableServer, startRestorableServer } from './restorable-server.ts'
import { collectSecrets } from './secrets.ts'

/**
 * Tests which data becomes valid again when the database is restored to an earlier state, and how to revoke it
 * (docs/operations/runbook.md, "Restore").
 */
const CALLBACK = 'http://localhost:9/callback'

let server: RestorableServer
let walk: RecordedRun
let deliveredIds: string[]
const receiver = createServer((request, response) => {
  deliveredIds.push(String(request.headers['webhook-id']))
  response.writeHead(isUp ? 204 : 503).end()
})
let isUp = false

let client: InteractionClient['client']
let app: { id: string; secret: string }
let refreshToken = ''
let ids: { user: string; later: string; keysBefore: string[]; keysAfter: string[] }

const keys = async () => {
  const { keys: currentKeys } = (await (await walk.site.fetch('/oidc/jwks')).json()) as {
    keys: { kid: string }[]
  }
  return currentKeys.map(({ kid }) => kid).toSorted()
}
const refresh = () =>
  walk.token({ grant_type: 'refresh_token', refresh_token: refreshToken }, [app.id, app.secret])
const register = async (name = freshName()) => {
  const interaction = await beginInteraction(walk)
  await interaction.call('PUT', '', {
    event: 'Register',
    profile: { username: name, password: freshPassword() },
  })
  await interaction.enter()
  return { interaction, id: await userId(name) }
}
const userId = async (name: string) => {
  const response = await walk.manage('GET', `/users?search.username=${name}&mode.username=exact`)
  return ((await response.json()) as { id: string }[])[0]?.id ?? ''
}
/** Cookies do not depend on the port, so the browser keeps them across a restart. */
async function isSignedIn(): Promise<boolean> {
  const browser = newCookieClient(walk.site)
  for (const [key, value] of client.cookies) browser.cookies.set(key, value)
  const query = {
    client_id: app.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
  }
  const answer = await browser.get(`/oidc/auth?${new URLSearchParams(query)}`)
  return new URL(answer.headers.get('location') ?? '').searchParams.has('code')
}
/** Delivers the outbox events that are due. */
async function sweep() {
  server.query((database) => database.exec('update outbox set next_attempt_at = 0'))
  await server.runScheduled()
}

beforeAll(async () => {
  deliveredIds = []
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  server = await startRestorableServer()
  walk = await beginRecordedRun(server, collectSecrets())
  app = await walk.make('/applications', {
    name: 'Shop',
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: [CALLBACK], postLogoutRedirectUris: [] },
  })
  await walk.manage('PATCH', '/configs/settings', { allowPrivateTargets: true })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await walk.make('/hooks', { event: 'PostRegister', config: { url, retries: 0 } })

  const name = freshName()
  const interaction = await beginInteraction(walk, {
    client_id: app.id,
    redirect_uri: CALLBACK,
    scope: 'openid offline_access',
    prompt: 'consent',
  })
  client = interaction.client
  await interaction.call('PUT', '', {
    event: 'Register',
    profile: { username: name, password: freshPassword() },
  })
  const tokens = await walk.token(
    {
      grant_type: 'authorization_code',
      code: await interaction.enter(),
      code_verifier: interaction.request.verifier,
      redirect_uri: CALLBACK,
    },
    [app.id, app.secret],
  )
  refreshToken = tokens.refresh_token ?? ''
  const user = await userId(name)
  const keysBefore = await keys()
  expect(await isSignedIn()).toBe(true)
  server.copyDatabase()

  // All changes from here on are made after the copy, so a restore discards them.
  expect(await refresh()).toHaveProperty('access_token')
  const { id: later } = await register()
  isUp = true
  await sweep()
  await walk.manage('POST', '/configs/signing-keys/rotate', { withdraw: true })
  walk = await beginRecordedRun(server, collectSecrets())
  expect((await walk.manage('DELETE', `/users/${user}/sessions`)).ok).toBe(true)
  expect(await isSignedIn()).toBe(false)
  expect(await refresh()).toHaveProperty('error')
  ids = { user, later, keysBefore, keysAfter: await keys() }
  deliveredIds = []

  await server.restoreDatabase()
  walk = await beginRecordedRun(server, collectSecrets())
}, 4 * MINUTE)

afterAll(async () => {
  await server?.stop()
  receiver.close()
})

it('a restore removes users who registered since the copy', { timeout: MINUTE }, async () => {
  expect((await walk.manage('GET', `/users/${ids.later}`)).status).toBe(404)
  expect((await walk.manage('GET', `/users/${ids.user}`)).ok).toBe(true)
})

it('a restore reactivates keys that were withdrawn since the copy, until they are withdrawn again', {
  timeout: MINUTE,
}, async () => {
  expect(ids.keysAfter).not.toEqual(ids.keysBefore)
  expect(await keys()).toEqual(ids.keysBefore)
  const { environment } = newEnvironment({
    env: { VESTIBULE_ORIGIN: server.origin, VESTIBULE_CLIENT_SECRET: server.managementSecret },
    fetch,
  })
  expect(await runScript('keys', ['rotate', '--withdraw', '--json'], environment)).toBe(0)
  expect((await keys()).filter((key) => ids.keysBefore.includes(key))).toEqual([])
  walk = await beginRecordedRun(server, collectSecrets())
})

it('a restore resends deliveries that were sent since the copy, under the same id', {
  timeout: MINUTE,
}, async () => {
  const [pending] = server.query((database) =>
    database.prepare("select id from outbox where status = 'pending'").all(),
  )
  await sweep()
  expect(deliveredIds).toEqual([pending?.id])
})

it('a restore makes revoked sessions and refresh tokens valid again, until all users are signed out', {
  timeout: MINUTE,
}, async () => {
  expect(await isSignedIn()).toBe(true)
  expect(await refresh()).toHaveProperty('access_token')

  const runbook = readFileSync('docs/operations/runbook.md', 'utf8')
  const [, statement = ''] = /"(update users set revoked_at = [^"]+)"/.exec(runbook) ?? []
  const portion = statement.replaceAll('$NOW', `${Math.floor(Date.now() / 1000)}000`)
  const changes = () => server.query((database) => Number(database.prepare(portion).run().changes))
  expect(changes()).toBeGreaterThan(0)
  expect(changes()).toBe(0)
  expect(await isSignedIn()).toBe(false)
  expect(await refresh()).toHaveProperty('error')
})
