import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/contract/time.ts'
import { failureScenes, maintenanceScene } from './failure-scenes.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { beginRecordedRun, type RecordedRun } from './recorded-client.ts'
import {
  accountScene,
  applicationScene,
  invalidRequestScene,
  operatorScene,
  type SceneUser,
  settingsScene,
  userScene,
} from './scenes.ts'
import { collectSecrets, leaksIn } from './secrets.ts'
import { social } from './social-scene.ts'

/**
 * Tests that logs contain no secrets (spec/storage#log-lines). After valid and invalid requests and failures of
 * external servers, the server's output is searched for every secret that was sent or received.
 */

let server: OwnServer
let walk: RecordedRun
let user: SceneUser
const secrets = collectSecrets()

beforeAll(async () => {
  server = await startOwnServer()
  secrets.add('root secret', server.rootSecret)
  secrets.add('management secret', server.managementSecret)
  walk = await beginRecordedRun(server, secrets)
  await settingsScene(walk)
  user = await userScene(walk)
  await applicationScene(walk, user)
  await social(walk)
  await accountScene(walk, user)
  await operatorScene(walk)
  await invalidRequestScene(walk)
  await failureScenes(walk)
  await maintenanceScene(walk)
  // Waits for work that continues after responses, and for output that wrangler has not yet forwarded.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const hashes = server.query((database) =>
    database
      .prepare('select password_encrypted as hash from users where password_encrypted is not null')
      .all(),
  )
  for (const { hash } of hashes) secrets.add('password hash', String(hash))
}, 4 * MINUTE)
afterAll(() => server?.stop())

const lines = () =>
  server
    .printed()
    .split('\n')
    .flatMap(
      (line) => /\{"event".*\}/.exec(line)?.map((json) => JSON.parse(json) as Record<string, unknown>) ?? [],
    )

describe('a whole run', () => {
  it('involves many kinds of secrets', () => {
    const kinds = new Set(secrets.all().map(({ what }) => what))
    expect([...kinds].toSorted()).toEqual(
      expect.arrayContaining([
        'Authorization',
        'PKCE verifier',
        'access_token',
        'accessSecretKey',
        'client secret',
        'clientSecret',
        'code',
        'cookie _session',
        'digest',
        'hook secret',
        'id_token',
        'management secret',
        'password',
        'password hash',
        'refresh_token',
        'root secret',
        'secret',
        'unsent code',
        'x-key',
        'xsrf',
      ]),
    )
    expect(secrets.all().length).toBeGreaterThan(100)
  })

  it('causes every kind of failure in the log', () => {
    const events = new Set(lines().map(({ event }) => event))
    expect([...events].toSorted()).toEqual(
      expect.arrayContaining([
        'expired_rows_deleted',
        'failure',
        'message_not_sent',
        'outbox_swept',
        'request',
        'social_failed',
      ]),
    )
    const failures = lines().filter(({ event }) => event === 'failure')
    expect(JSON.stringify(failures)).toContain('forced failure of a statement')
    expect(failures).toContainEqual(expect.objectContaining({ at: 'scheduled' }))
  })

  it('prints no secret', () => {
    expect(leaksIn(server.printed(), secrets.all())).toEqual([])
  })

  it('prints no email addresses or usernames', () => {
    expect(
      leaksIn(server.printed(), [
        { what: 'email', value: user.email },
        { what: 'username', value: user.username },
      ]),
    ).toEqual([])
    expect(server.printed()).not.toContain('@provider-accounts.example')
  })

  it.each(['logs', 'service_logs', 'outbox'])('stores no secret in the table %s', (table) => {
    const rows = server.query((database) => database.prepare(`select * from ${table}`).all())
    expect(rows.length).toBeGreaterThan(0)
    expect(leaksIn(rows.map((row) => JSON.stringify(row)).join('\n'), secrets.all())).toEqual([])
  })

  it('logs every failure with a logged request’s id', () => {
    const requests = new Set(
      lines().flatMap(({ event, requestId }) => (event === 'request' ? [requestId] : [])),
    )
    const named = lines().filter(
      ({ event, at }) => event === 'failure' && at !== 'scheduled' && at !== 'outbox',
    )
    expect(named.filter(({ requestId }) => !requests.has(requestId))).toEqual([])
  })
})

describe('the search for secrets', () => {
  const secret = { what: 'password', value: 'päss +&"word/9?' }

  it.each([
    ['in plain text', secret.value],
    ['in a URL', `?p=${encodeURIComponent(secret.value)}`],
    ['in a form', String(new URLSearchParams({ p: secret.value }))],
    ['in JSON', JSON.stringify({ p: secret.value })],
    ['in Base64', btoa(`a:${String.fromCharCode(...new TextEncoder().encode(secret.value))}`)],
    ['in the middle of Base64', Buffer.from(`ab:${secret.value};`).toString('base64url')],
    ['at the start of Base64', Buffer.from(`${secret.value}and more`).toString('base64')],
  ])('finds a secret %s', (_how, text) => {
    expect(leaksIn(`before ${text} after`, [secret])).toHaveLength(1)
  })

  it('finds a code, but not the same digits within a longer number', () => {
    const code = { what: 'code', value: '482913' }
    expect(leaksIn('{"code":"482913"}', [code])).toHaveLength(1)
    expect(leaksIn('{"time":1482913000,"id":"a482913-0"}', [code])).toEqual([])
  })
})
