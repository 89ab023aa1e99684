import { beforeAll, describe, expect, it } from 'vitest'
import {
  freshName,
  newCookieClient,
  PASSWORD,
  registerAccount,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests that usernames that differ only in case are equal, so users cannot impersonate others or evade rate limits. */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const taken = [422, 'user.username_already_in_use']
const upper = (name: string) => name.toUpperCase()

async function registered(username: string): Promise<Response> {
  const { client, uid } = await beginInteraction(app)
  return registerAccount(client, uid, username)
}
async function signedIn(username: string, password = PASSWORD): Promise<Response> {
  const { client, uid } = await beginInteraction(app, newCookieClient(app))
  return signIn(client, uid, username, password)
}
const create = (username: string, password = PASSWORD) =>
  operator.send('POST', '/users', { username, password })

/** Adds a user whose name differs only in case, as if the user had been created before such names were rejected. */
async function addDouble(username: string): Promise<void> {
  const { DB } = app.env
  const trigger = 'users_username_case_insert'
  const definition = await DB.prepare('select sql from sqlite_master where name = ?')
    .bind(trigger)
    .first<string>('sql')
  await DB.batch([
    DB.prepare(`drop trigger ${trigger}`),
    DB.prepare(
      `insert into users (tenant_id, id, username, password_encrypted, password_encryption_method, created_at)
       select tenant_id, ?1, ?2, password_encrypted, password_encryption_method, 0 from users where username = lower(?2)`,
    ).bind(crypto.randomUUID().slice(-12), username),
    DB.prepare(definition ?? ''),
  ])
}

describe('a username with different capitalisation', () => {
  it('cannot be taken at registration, by an operator, in the profile or by an import', async () => {
    const [name, other] = [freshName(), freshName()]
    expect((await registered(name)).status).toBe(200)
    expect(await outcomeOf(await registered(upper(name)))).toEqual(taken)
    expect(await outcomeOf(await create(upper(name)))).toEqual(taken)
    const { id } = (await (await create(other)).json()) as { id: string }
    expect(await outcomeOf(await operator.send('PATCH', `/users/${id}`, { username: upper(name) }))).toEqual(
      taken,
    )
    const member = await storeMember(app)
    await member.call('POST', '/password/verify', { password: PASSWORD })
    expect(await outcomeOf(await member.call('PATCH', '', { username: upper(name) }))).toEqual(taken)
    const users = [{ username: upper(name) }, { username: 'Fresh_1' }, { username: 'fresh_1' }]
    const imported = await operator.send('POST', '/users/import', { users })
    expect(await imported.json()).toMatchObject({
      results: [
        { status: 'rejected', error: { code: taken[1] } },
        { status: 'created' },
        { status: 'rejected', error: { code: taken[1] } },
      ],
    })
    // Users may change the case of their own name.
    expect((await operator.send('PATCH', `/users/${id}`, { username: upper(other) })).status).toBe(200)
  })

  it('can be taken only once by concurrent calls', async () => {
    const name = freshName()
    const answers = await Promise.all([create(name), create(upper(name)), registered(`U${name.slice(1)}`)])
    const outcomes = await Promise.all(answers.map(outcomeOf))
    expect(outcomes.filter(([status]) => status === 200).length).toBe(1)
    expect(outcomes.filter(([status]) => status !== 200)).toEqual([taken, taken])
  })

  it('can be used to sign in to the same account, and shares its password rate limit', async () => {
    const name = freshName()
    await create(name)
    expect((await signedIn(upper(name))).status).toBe(200)
    for (let count = 0; count < 10; count++) await signedIn(count % 2 ? name : upper(name), 'wrong-horse-7')
    expect((await signedIn(name)).status).toBe(429)
  })

  it('identifies only an exact match if two older users share the name', async () => {
    const name = freshName()
    const { id } = (await (await create(name)).json()) as { id: string }
    await addDouble(upper(name))
    expect((await signedIn(name)).status).toBe(200)
    expect((await signedIn(upper(name))).status).toBe(200)
    expect(await outcomeOf(await signedIn(`U${name.slice(1)}`))).toEqual([422, 'session.invalid_credentials'])
    expect((await operator.send('PATCH', `/users/${id}`, { username: name, name: 'Ann' })).status).toBe(200)
    expect(await outcomeOf(await create(`U${name.slice(1)}`))).toEqual(taken)
  })
})
