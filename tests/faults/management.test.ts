import { env } from 'cloudflare:workers'
import { describe } from 'vitest'
import { type Member, newMember } from '../kit/clients/account-client.ts'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { asOperator, machineToken } from '../kit/clients/management-client.ts'
import { callsOfSignIn, overtakenCodes } from './account-fixtures.ts'
import { rowCount } from './account-invariants.ts'
import { testEveryFault } from './every-fault.ts'
import type { FaultyApp } from './faulty-app.ts'
import { signInFor, signingIn, withRetries } from './patient-client.ts'

/**
 * The kinds of fault. A use case with a single write gets the first kind, because a retry after this fault could
 * repeat the write.
 */
const kinds = ['lost', 'killed', 'refused'] as const

/** Returns a function that makes calls as an operator and retries a call while the response asks for it. */
const operating = (faulty: FaultyApp, token: string) => {
  const operator = asOperator(faulty.app, token)
  return (method: string, path: string, body?: unknown) =>
    withRetries(() => operator.send(method, path, body))
}

const logged = (key: string, id: string) =>
  rowCount(
    "logs where key = ? and json_extract(payload, '$.result') = 'Success' and payload like ?",
    key,
    `%${id}%`,
  )

describe.concurrent('an operator who creates a user', () => {
  testEveryFault<{ token: string; username: string }, string>(
    {
      allowedCodes: ['user.username_already_in_use'],
      before: async (app) => ({ token: await machineToken(app), username: freshName() }),
      async make(faulty, { token, username }) {
        const call = operating(faulty, token)
        const created = await call('POST', '/users', { username })
        if (!created.ok && created.status !== 422) throw new Error(`answered ${created.status}`)
        const response = await call('GET', `/users?search.username=${username}&mode.username=exact`)
        const [user, ...others] = (await response.json()) as { id: string }[]
        return user && others.length === 0 ? user.id : ''
      },
      problems: async (id, { username }) => [
        ...((await rowCount('users where username = ?', username)) === 1 ? [] : ['not one user']),
        ...((await logged('Management.User.Create', id)) === 1 ? [] : ['not logged once']),
      ],
    },
    kinds,
  )
})

describe.concurrent('an operator who creates an application with an id of their choice', () => {
  testEveryFault<{ token: string; id: string }, null>(
    {
      allowedCodes: ['entity.id_in_use'],
      before: async (app) => ({ token: await machineToken(app), id: freshName() }),
      async make(faulty, { token, id }) {
        const created = await operating(faulty, token)('POST', '/applications', {
          id,
          name: 'Shop',
          type: 'SPA',
          oidcClientMetadata: { redirectUris: ['https://shop.example/back'], postLogoutRedirectUris: [] },
        })
        if (!created.ok && created.status !== 422) throw new Error(`answered ${created.status}`)
        return null
      },
      problems: async (_outcome, { id }) => [
        ...((await rowCount('applications where id = ?', id)) === 1 ? [] : ['not one application']),
        ...((await logged('Management.Application.Create', id)) === 1 ? [] : ['not logged once']),
      ],
    },
    kinds,
  )
})

describe.concurrent('a user who changes their password', () => {
  const NEW_PASSWORD = 'another-horse-8'

  testEveryFault<Member, string>(
    {
      elsewhere: callsOfSignIn,
      // A repeated call gets these codes if the first attempt succeeded.
      allowedCodes: [
        ...overtakenCodes,
        'user.same_password',
        'auth.insufficient_user_authentication',
        'auth.unauthorized',
      ],
      before: (app) => newMember(app),
      async make(faulty, { token, username }) {
        const call = (path: string, body: object) =>
          withRetries(() =>
            faulty.app.fetch(`/api/me/password${path}`, {
              method: 'POST',
              headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
          )
        await call('/verify', { password: PASSWORD })
        await call('', { password: NEW_PASSWORD })
        return (await signInFor(faulty, signingIn({ username }, NEW_PASSWORD))).userId
      },
      problems: async (userId, before) => [
        ...(userId === before.userId ? [] : ['is another user']),
        ...((await logged('Account.Password.Update', userId)) === 1 ? [] : ['not logged once']),
        ...((await rowCount('counters where locked_until is not null')) === 0 ? [] : ['a counter is stuck']),
      ],
    },
    kinds,
  )
})

describe('an operator who rotates the signing keys', () => {
  testEveryFault<string, string[]>(
    {
      isAlone: true,
      allowedCodes: [],
      async before(app) {
        await env.DB.prepare("delete from configs where key = 'oidc.privateKeys'").run()
        return machineToken(app)
      },
      async make(faulty, token) {
        const rotated = await operating(faulty, token)('POST', '/configs/signing-keys/rotate', {})
        if (!rotated.ok) throw new Error(`answered ${rotated.status}`)
        return ((await rotated.json()) as { status: string }[]).map(({ status }) => status)
      },
      // A repeated rotation announces one more set of keys, but does not change the signing keys.
      problems: async (statuses, _before, { plannedFault }) => {
        const countOf = (status: string) => statuses.filter((each) => each === status).length
        const keySets = plannedFault ? [3, 6] : [3]
        return countOf('signing') === 3 && keySets.includes(countOf('announced')) ? [] : [statuses.join(' ')]
      },
    },
    kinds,
  )
})
