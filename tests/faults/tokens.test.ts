import { describe } from 'vitest'
import { DEMO_APP_ID } from '../../src/contract/product.ts'
import { newMember } from '../account.ts'
import type { House } from '../house.ts'
import { newOperator } from '../operator.ts'
import { newReceiver } from '../receiver.ts'
import { ORIGIN, PASSWORD, type Visitor } from '../visitor.ts'
import { type Account, newAccount, overtaken } from './household.ts'
import { accountProblems, count } from './ledger.ts'
import { patiently, signInFor, signingIn, type Tokens, tokensIn, untilDone } from './person.ts'
import { tryEvery } from './trial.ts'
import type { World } from './world.ts'

const kinds = ['refused', 'lost', 'killed'] as const

/** Somebody who has signed in already, before anything went wrong. */
type SignedIn = { id: string; cookies: Visitor['cookies'] }

async function signedIn(
  house: House,
  application: { clientId?: string; redirectUri?: string } = {},
): Promise<SignedIn> {
  const { userId, visitor } = await newMember(house, { scope: 'openid', ...application })
  return { id: userId, cookies: visitor.cookies }
}

const inTheirBrowser = ({ visitor }: World, { cookies }: SignedIn) => {
  for (const [name, cookie] of cookies) visitor.cookies.set(name, cookie)
}

describe('consenting to lasting access, and refreshing', () => {
  const refresh = (house: House, { refresh_token: token = '' }: Tokens) =>
    house.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: DEMO_APP_ID,
        refresh_token: token,
      }),
    })

  tryEvery<Account, Tokens>(
    {
      mayHear: overtaken,
      before: () => newAccount(),
      make: (world, { username }) =>
        untilDone(async () => {
          const tokens = await signInFor(world, signingIn({ username }, PASSWORD), {
            scope: 'openid offline_access',
            prompt: 'consent',
          })
          const refreshed = await patiently(() => refresh(world.house, tokens))
          return refreshed.ok ? tokensIn(refreshed) : 'again'
        }),
      async problems({ userId, refresh_token: last = '' }, _before, world) {
        // The one that is held is alive; no other of its grant is.
        const alive = await count(
          "oidc_model_instances where model_name = 'RefreshToken' and account_id = ? and consumed_at is null",
          userId,
        )
        const isUnheard = world.strike?.fault === 'killed'
        return [
          ...(last ? [] : ['no refresh token']),
          ...(alive === 1 || (isUnheard && alive === 2) ? [] : [`${alive} refresh tokens`]),
          ...(await accountProblems(userId, world, { isHooked: false })),
        ]
      },
    },
    kinds,
  )
})

describe('coming back without a question', () => {
  tryEvery<SignedIn, Tokens>(
    {
      mayHear: overtaken,
      before: (house) => signedIn(house),
      make(world, before) {
        inTheirBrowser(world, before)
        return signInFor(world, async () => 'again', { prompt: 'none', scope: 'openid' })
      },
      problems: async ({ userId }, { id }, world) => [
        ...(userId === id ? [] : ['is somebody else']),
        ...(await accountProblems(userId, world, { isHooked: false, registered: true })),
      ],
    },
    kinds,
  )
})

describe('signing out', () => {
  const sessionsOf = (id: string) =>
    count("oidc_model_instances where model_name = 'Session' and account_id = ?", id)

  tryEvery<SignedIn, null>(
    {
      mayHear: ['invalid_request', 'session.not_found', 'oidc.provider_error'],
      async before(house) {
        const { url } = await newReceiver()
        const redirectUri = `${ORIGIN}/demo-app`
        const made = await (await newOperator(house)).send('POST', '/applications', {
          name: 'Shop',
          type: 'SPA',
          oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [] },
          customClientMetadata: { backchannelLogoutUri: url },
        })
        const { id: clientId } = (await made.json()) as { id: string }
        return signedIn(house, { clientId, redirectUri })
      },
      make(world, before) {
        inTheirBrowser(world, before)
        const { visitor } = world
        return untilDone(async () => {
          const asked = await patiently(() => visitor.get('/oidc/session/end'))
          const xsrf = /name="xsrf" value="(\w+)"/.exec(await asked.text())?.[1] ?? ''
          const answer = { xsrf, logout: 'yes' }
          const ended = await patiently(() =>
            visitor.post('/oidc/session/end/confirm', answer, { origin: ORIGIN }),
          )
          return ended.status === 303 || (await sessionsOf(before.id)) === 0 ? null : 'again'
        })
      },
      async problems(_outcome, { id }) {
        const told = await count(
          "outbox where event = 'BackChannelLogout' and json_extract(payload, '$.sub') = ?",
          id,
        )
        const sessions = await sessionsOf(id)
        return [
          ...(sessions === 0 ? [] : [`${sessions} sessions`]),
          ...(told === 1 ? [] : [`${told} logouts to tell`]),
        ]
      },
    },
    kinds,
  )
})
