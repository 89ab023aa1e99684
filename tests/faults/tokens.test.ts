import { describe } from 'vitest'
import { DEMO_APP_ID } from '../../src/contract/product.ts'
import { newMember } from '../kit/clients/account-client.ts'
import { type CookieClient, ORIGIN, PASSWORD } from '../kit/clients/cookie-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { newReceiver } from '../kit/receiver.ts'
import { type StoredAccount, storeAccount } from '../kit/stored-account.ts'
import type { TestApp } from '../kit/test-app.ts'
import { callsOfSignIn, overtakenCodes } from './account-fixtures.ts'
import { accountProblems, rowCount } from './account-invariants.ts'
import { testEveryFault } from './every-fault.ts'
import type { FaultyApp } from './faulty-app.ts'
import {
  type RedeemedTokens,
  signInFor,
  signingIn,
  tokensIn,
  untilDone,
  withRetries,
} from './patient-client.ts'

const kinds = ['refused', 'lost', 'killed'] as const

/** A user who signed in before the fault. */
type SignedIn = { id: string; cookies: CookieClient['cookies'] }

async function signedIn(
  app: TestApp,
  application: { clientId?: string; redirectUri?: string } = {},
): Promise<SignedIn> {
  const { userId, client } = await newMember(app, { scope: 'openid', ...application })
  return { id: userId, cookies: client.cookies }
}

const inTheirBrowser = ({ client }: FaultyApp, { cookies }: SignedIn) => {
  for (const [name, cookie] of cookies) client.cookies.set(name, cookie)
}

describe.concurrent('consenting to lasting access and refreshing', () => {
  const refresh = (app: TestApp, { refresh_token: token = '' }: RedeemedTokens) =>
    app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: DEMO_APP_ID,
        refresh_token: token,
      }),
    })

  testEveryFault<StoredAccount, RedeemedTokens>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes: overtakenCodes,
      before: () => storeAccount(),
      make: (faulty, { username }) =>
        untilDone(async () => {
          const tokens = await signInFor(faulty, signingIn({ username }, PASSWORD), {
            scope: 'openid offline_access',
            prompt: 'consent',
          })
          const refreshed = await withRetries(() => refresh(faulty.app, tokens))
          return refreshed.ok ? tokensIn(refreshed) : 'again'
        }),
      async problems({ userId, refresh_token: last = '' }, _before, faulty) {
        // The client's token is the only valid one of its grant.
        const valid = await rowCount(
          "oidc_model_instances where model_name = 'RefreshToken' and account_id = ? and consumed_at is null",
          userId,
        )
        const isLostWithIsolate = faulty.plannedFault?.fault === 'killed'
        return [
          ...(last ? [] : ['no refresh token']),
          ...(valid === 1 || (isLostWithIsolate && valid === 2) ? [] : [`${valid} refresh tokens`]),
          ...(await accountProblems(userId, faulty, { isHooked: false })),
        ]
      },
    },
    kinds,
  )
})

describe.concurrent('a silent sign-in', () => {
  testEveryFault<SignedIn, RedeemedTokens>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes: overtakenCodes,
      before: (app) => signedIn(app),
      make(faulty, before) {
        inTheirBrowser(faulty, before)
        return signInFor(faulty, async () => 'again', { prompt: 'none', scope: 'openid' })
      },
      problems: async ({ userId }, { id }, faulty) => [
        ...(userId === id ? [] : ['is another user']),
        ...(await accountProblems(userId, faulty, { isHooked: false, registered: true })),
      ],
    },
    kinds,
  )
})

describe.concurrent('signing out', () => {
  const sessionsOf = (id: string) =>
    rowCount("oidc_model_instances where model_name = 'Session' and account_id = ?", id)

  testEveryFault<SignedIn, null>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes: ['invalid_request', 'session.not_found', 'oidc.provider_error'],
      async before(app) {
        const { url } = await newReceiver()
        const redirectUri = `${ORIGIN}/demo-app`
        const created = await (await newOperator(app)).send('POST', '/applications', {
          name: 'Shop',
          type: 'SPA',
          oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [] },
          customClientMetadata: { backchannelLogoutUri: url },
        })
        const { id: clientId } = (await created.json()) as { id: string }
        return signedIn(app, { clientId, redirectUri })
      },
      make(faulty, before) {
        inTheirBrowser(faulty, before)
        const { client } = faulty
        return untilDone(async () => {
          const form = await withRetries(() => client.get('/oidc/session/end'))
          const xsrf = /name="xsrf" value="(\w+)"/.exec(await form.text())?.[1] ?? ''
          const answer = { xsrf, logout: 'yes' }
          const ended = await withRetries(() =>
            client.post('/oidc/session/end/confirm', answer, { origin: ORIGIN }),
          )
          return ended.status === 303 || (await sessionsOf(before.id)) === 0 ? null : 'again'
        })
      },
      async problems(_outcome, { id }) {
        const logouts = await rowCount(
          "outbox where event = 'BackChannelLogout' and json_extract(payload, '$.sub') = ?",
          id,
        )
        const sessions = await sessionsOf(id)
        return [
          ...(sessions === 0 ? [] : [`${sessions} sessions`]),
          ...(logouts === 1 ? [] : [`${logouts} logouts in the outbox`]),
        ]
      },
    },
    kinds,
  )
})
