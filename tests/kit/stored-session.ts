import { createHmac } from 'node:crypto'
import { sealRememberedBrowser } from '../../src/application/sessions/remembered-accounts.ts'
import { trustBrowser } from '../../src/application/sessions/trusted-browsers.ts'
import { ACCOUNT_APP_ID, DEMO_APP_ID } from '../../src/contract/product.ts'
import { maskRememberedIdentifier } from '../../src/domain/masking.ts'
import { sha256Base64Url } from '../../src/storage/digest.ts'
import { randomId } from '../../src/storage/ids.ts'
import { createSeals, deriveText } from '../../src/storage/seal.ts'
import { type AccountVisitor, userIdOf } from './account-centre.ts'
import { ALL_SCOPES, asBearer, type Member } from './clients/account-client.ts'
import { type CookieClient, freshName, newCookieClient, ORIGIN } from './clients/cookie-client.ts'
import { storeUser } from './stored-account.ts'
import type { TestApp } from './test-app.ts'

/**
 * Stores signed-in users directly in the database, because registering and signing in take six calls. The
 * sessions, grants and tokens are the same as after a sign-in with a password. Other effects of those calls
 * (audit log, counters, activity) are missing, so tests that depend on them use `newMember` or
 * `visitAccount`.
 */

type SessionOptions = { username?: string; scope?: string }

/**
 * Stores a new user of the demo application or, with `username`, another browser of an existing user, like `newMember`.
 */
export async function storeMember(
  app: TestApp,
  { scope = ALL_SCOPES, username }: SessionOptions = {},
): Promise<Member> {
  const { token, ...session } = await storeSession(app, { clientId: DEMO_APP_ID, scope, username })
  return { ...session, token, call: asBearer(app, token) }
}

/** Stores a session in the account centre, like `visitAccount`. */
export async function storeVisitor(
  app: TestApp,
  options: Pick<SessionOptions, 'username'> = {},
): Promise<AccountVisitor & { userId: string }> {
  const { client, username, userId, ...session } = await storeSession(app, {
    clientId: ACCOUNT_APP_ID,
    scope: 'openid',
    username: options.username,
  })
  const { sessionUid, grantId, signedInAt } = session
  const content = { userId, sessionUid, grantId, signedInAt }
  const value = await createSeals(rootSecret(app)).seal('account/default', content)
  client.cookies.set('_account', { value, path: '/' })
  return { client, username, userId }
}

const DAY = 86_400 // s
const LEVEL = 'urn:vestibule:acr:1fa'

async function storeSession(
  app: TestApp,
  { clientId, scope, ...options }: { clientId: string; scope: string; username: string | undefined },
) {
  if (app.origin !== ORIGIN) throw new Error('The cookies have other names there')
  const { username = freshName() } = options
  const userId = options.username
    ? await userIdOf(app, { username })
    : await storeUser({ username, applicationId: clientId })
  const [key, sessionUid, grantId, token] = [randomId(43), randomId(43), randomId(43), randomId(43)]
  const browserId = randomId()
  const now = Date.now()
  const signedInAt = Math.floor(now / 1000)
  const base = { iat: signedInAt, accountId: userId }
  const [long, short] = [signedInAt + 14 * DAY, signedInAt + 3600]

  const session = {
    ...base,
    exp: long,
    kind: 'Session',
    uid: sessionUid,
    loginTs: signedInAt,
    amr: ['pwd'],
    acr: LEVEL,
    authorizations: { [clientId]: { sid: randomId(43), grantId } },
    issuer: `${app.origin}/oidc`,
    isHostCookie: false,
    visit: { seenAt: now, userAgent: null, country: null, city: null },
  }
  const grant = { ...base, exp: long, clientId, kind: 'Grant', openid: { scope }, jti: grantId, sessionUid }
  const accessToken = {
    ...base,
    exp: short,
    expiresWithSession: true,
    grantId,
    gty: 'authorization_code',
    sessionUid,
    kind: 'AccessToken',
    clientId,
    scope,
    extra: { auth_time: signedInAt, acr: LEVEL },
  }
  // The other columns are generated from the payload.
  const insert = (id: string, payload: { kind: string; exp: number }) =>
    app.env.DB.prepare(
      `insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
       values ('default', ?, ?, ?, ?)`,
    ).bind(payload.kind, id, JSON.stringify(payload), payload.exp * 1000)
  await app.env.DB.batch([
    insert(await sha256Base64Url(key), session),
    insert(grantId, grant),
    insert(await sha256Base64Url(token), accessToken),
    app.env.DB.prepare(
      `insert into trusted_browsers (tenant_id, user_id, browser_id, id, created_at, last_seen_at)
       values ('default', ?, ?, ?, ?, ?)`,
    ).bind(userId, browserId, randomId(), now, now),
  ])

  const client = newCookieClient(app)
  await storeCookies(app, client, { userId, key, browserId, username, clientId })
  return { client, username, userId, token, sessionUid, grantId, signedInAt }
}

/**
 * Stores the cookies of the provider's session, signed as the library signs them, and those of the browser in
 * which the user signed in.
 */
async function storeCookies(
  app: TestApp,
  { cookies }: CookieClient,
  {
    userId,
    key,
    browserId,
    username,
    clientId,
  }: Record<'userId' | 'key' | 'browserId' | 'username' | 'clientId', string>,
): Promise<void> {
  const seals = createSeals(rootSecret(app))
  const browser = await trustBrowser({ seals }, 'default', { id: browserId, userIds: [] }, userId)
  const mask = maskRememberedIdentifier({ type: 'username', value: username })
  const remembered = await sealRememberedBrowser({ seals }, 'default', {
    accounts: [
      {
        id: randomId(),
        userId,
        at: Date.now(),
        identifier: { type: 'username', mask },
        method: { kind: 'password' },
      },
    ],
    applications: [clientId],
  })
  const signature = createHmac('sha1', await deriveText(rootSecret(app), 'cookies'))
    .update(`_session=${key}`)
    .digest('base64url')
  cookies.set('_session', { value: key, path: '/' })
  cookies.set('_session.sig', { value: signature, path: '/' })
  for (const { name, value } of [browser, remembered]) cookies.set(name, { value, path: '/' })
}

const rootSecret = (app: TestApp): string => app.env.ROOT_SECRET ?? ''
