import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/time.ts'
import {
  type AccountVisitor,
  ageSignIn,
  locationOf,
  userIdOf,
  visitAccount,
} from '../../kit/account-centre.ts'
import { freshName, newCookieClient, ORIGIN } from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openInterruptedApp } from '../../kit/racing-app.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests how users delete their own accounts and how the data of deleted users is erased (spec/accounts#deletion,
 * spec/storage#erasure).
 */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run()
const rows = async <Row>(query: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(query)
      .bind(...values)
      .all<Row>()
  ).results

type Person = AccountVisitor & { userId: string; email: string }

/** Creates a user. `storeVisitor` only writes the rows, and `visitAccount` performs a whole registration. */
async function newPerson(visit: (app: TestApp) => Promise<AccountVisitor> = storeVisitor): Promise<Person> {
  const visitor = await visit(app)
  const userId = await userIdOf(app, visitor)
  const email = `${visitor.username}@deletion.example`
  await run('update users set primary_email = ? where id = ?', email, userId)
  return { ...visitor, userId, email }
}

const ask = (
  { client, username }: AccountVisitor,
  form: Record<string, string> = { confirm: username },
  headers = {},
) => client.post('/account/data', { intent: 'delete', ...form }, headers)
const deletionOf = async (userId: string) => {
  const answer = await operator.get(`/users/${userId}`)
  return answer.status === 200 ? ((await answer.json()) as { deletion?: { dueAt: number } }).deletion : null
}
const letPass = (userId: string) => run('update account_deletions set due_at = 1 where user_id = ?', userId)
const keysOf = (userId: string) =>
  rows<{ key: string }>('select key from logs where user_id = ? order by created_at', userId).then(
    (entries) => entries.map(({ key }) => key),
  )
const messagesTo = (email: string) =>
  rows<{ type: string; body: string }>('select type, body from dev_messages where "to" = ?', email)

describe('a self-service account deletion', () => {
  it('requires confirmation, signs the user out everywhere and is cancelled by a sign-in', async () => {
    const person = await newPerson()
    const other = await storeVisitor(app, { username: person.username })
    for (const form of [{}, { confirm: 'yes' }]) {
      const refused = await ask(person, form as Record<string, string>)
      const html = await refused.text()
      expect(refused.status).toBe(422)
      expect(html).toMatch(/id="confirm"[^>]*aria-invalid="true"/)
      expect(html).toContain(`Type ${person.username} to delete your account.`)
    }

    const response = await ask(person)
    expect([response.status, locationOf(response)]).toEqual([303, '/account/deleted'])
    const page = await (await person.client.get('/account/deleted')).text()
    expect(page).toContain('Your account will be deleted')
    expect(page).not.toContain('href="/account/')
    expect(locationOf(await person.client.get('/account/deleted'))).toBe('/account')
    for (const { client } of [person, other]) expect((await client.get('/account')).status).toBe(302)
    const planned = await deletionOf(person.userId)
    expect(planned?.dueAt).toBeGreaterThan(Date.now() + 13 * DAY)
    expect(await keysOf(person.userId)).toContain('Account.Deletion.Create')
    const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
    expect(page).toContain(date.format(planned?.dueAt))
    const [message, ...more] = await messagesTo(person.email)
    expect([message?.type, more]).toEqual(['DeletionRequested', []])
    expect(message?.body).toContain(`on ${date.format(planned?.dueAt)}`)

    const back = await visitAccount(app, { username: person.username })
    expect(await (await back.client.get('/account')).text()).toContain('your account won’t be deleted')
    expect(await deletionOf(person.userId)).toBeUndefined()
    await letPass(person.userId)
    await app.sweep()
    expect(await deletionOf(person.userId)).toBeUndefined()
    expect(await keysOf(person.userId)).toContain('Account.Deletion.Delete')
    await app.sweep()
    const types = (await messagesTo(person.email)).map(({ type }) => type)
    expect(types.sort()).toEqual(['DeletionCanceled', 'DeletionRequested'])
    await app.sweep()
    const entries = (await keysOf(person.userId)).filter((key) => key === 'Account.Deletion.Delete')
    expect(entries).toHaveLength(1)
  })

  it('is shown to operators, who can cancel it', async () => {
    const person = await newPerson()
    expect((await operator.send('DELETE', `/users/${person.userId}/deletion`)).status).toBe(404)
    await ask(person)
    expect(await deletionOf(person.userId)).toBeDefined()
    expect((await operator.send('DELETE', `/users/${person.userId}/deletion`)).status).toBe(204)
    expect(await deletionOf(person.userId)).toBeUndefined()
    expect((await operator.send('DELETE', `/users/${person.userId}/deletion`)).status).toBe(404)
    await letPass(person.userId)
    await app.sweep()
    expect(await deletionOf(person.userId)).toBeUndefined()
  })

  it('is immediate without a grace period, and is rejected if the tenant does not allow it', async () => {
    const withSettings = async (accountCentre: Parameters<typeof setTenantSettings>[1]['accountCentre']) => {
      const other = openTestApp({}, { hasCalmDatabase: true })
      await setTenantSettings(other, { accountCentre })
      return other
    }
    const person = await newPerson()
    const inApp = async (other: TestApp) => {
      const client = newCookieClient(other)
      for (const [name, cookie] of person.client.cookies) client.cookies.set(name, cookie)
      return client.post('/account/data', { intent: 'delete', confirm: person.username })
    }
    const rejected = await inApp(await withSettings({ enabled: true, fields: { deletion: 'readOnly' } }))
    expect(rejected.status).toBe(403)
    const gone = await inApp(await withSettings({ enabled: true, deletionGraceDays: 0 }))
    expect([gone.status, locationOf(gone)]).toEqual([303, '/account/deleted'])
    expect(await deletionOf(person.userId)).toBeNull()
    await setTenantSettings(app, { accountCentre: { enabled: true } })
  })

  it('is rejected if it would leave the tenant without an owner', async () => {
    const [first, second] = [await newPerson(), await newPerson()]
    const own = ({ userId }: Person) =>
      operator.send('PUT', `/users/${userId}/roles`, { roleIds: ['admin-role'] })
    await own(first)
    const refused = await ask(first)
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('At least one administrator has to stay')
    expect(await deletionOf(first.userId)).toBeUndefined()
    expect((await first.client.get('/account')).status).toBe(200)

    await own(second)
    expect((await ask(first)).status).toBe(303)
    expect((await ask(second)).status).toBe(422)
    // The first owner cancelled the deletion of the account, so the second owner may delete theirs.
    await operator.send('DELETE', `/users/${first.userId}/deletion`)
    expect((await ask(second)).status).toBe(303)
  })

  it('requires a recent sign-in and a form from our own page', async () => {
    const person = await newPerson()
    expect((await ask(person, { confirm: person.username }, { origin: 'https://evil.example' })).status).toBe(
      403,
    )
    const stranger = await newCookieClient(app).post('/account/data', {
      intent: 'delete',
      confirm: person.username,
    })
    expect(new URL(locationOf(stranger), ORIGIN).pathname).toBe('/oidc/auth')
    await ageSignIn(app, person.client, 11 * 60)
    const old = await ask(person)
    expect(new URL(locationOf(old), ORIGIN).searchParams.get('max_age')).toBe('600')
    expect(await deletionOf(person.userId)).toBeUndefined()
  })
})

describe('a deletion with a concurrent sign-in', () => {
  it('keeps the account if the sign-in comes first', async () => {
    const person = await newPerson()
    await ask(person)
    await letPass(person.userId)
    // The sign-in is written after the job has listed the account, but before the job deletes it.
    const racing = openInterruptedApp('erasures', () =>
      run('update users set last_sign_in_at = ? where id = ?', Date.now(), person.userId),
    )
    await racing.sweep()
    expect(await deletionOf(person.userId)).toBeUndefined()
    expect((await operator.get(`/users/${person.userId}`)).status).toBe(200)
  })

  it('deletes the account if the deletion comes first', async () => {
    const person = await newPerson()
    await ask(person)
    await letPass(person.userId)
    await app.sweep()
    await run('update users set last_sign_in_at = ? where id = ?', Date.now(), person.userId)
    expect(await deletionOf(person.userId)).toBeNull()
  })
})

/** Maps each table that keeps data about a deleted user to the reason. */
const exemptTables: Record<string, string> = {
  oidc_model_instances: 'Interactions name the user of a sign-in for an hour',
}

describe('the erasure of a deleted user', () => {
  it.each(['after the grace period', 'by an operator'])(
    '[OIDC-5.7-2] leaves no identifying data if the user was deleted %s',
    async (how) => {
      const person = await newPerson(visitAccount)
      const { userId, username, email } = person
      const tag = freshName()
      const nickname = `nick-${tag}`
      const [name, phone, identity] = [
        `Zebulon ${tag}`,
        `49151${Math.floor(1e7 + Math.random() * 9e7)}`,
        `gh-${tag}-4711`,
      ]
      const t = 'default'
      // These are the account's previous identifiers. One more address has been requested but not yet verified.
      const former = {
        username: `before${tag}`,
        email: `Before-${tag}@deletion.example`,
        phone: `49152${Math.floor(1e7 + Math.random() * 9e7)}`,
        identity: `gl-${tag}-0815`,
        identityEmail: `at-gitlab-${tag}@deletion.example`,
      }
      const gitlab = {
        gitlab: {
          userId: former.identity,
          details: { id: former.identity, email: former.identityEmail, name },
        },
      }
      await run(
        'update users set username = ?, primary_email = ?, primary_phone = ?, identities = ? where id = ?',
        former.username,
        former.email,
        former.phone,
        JSON.stringify(gitlab),
        userId,
      )
      await run('update users set username = ?, primary_email = ? where id = ?', username, email, userId)
      const waiting = `wanted-${tag}@deletion.example`
      const sent = await person.client.post('/account/email', { intent: 'send', identifier: waiting })
      expect(locationOf(sent)).toBe('/account/email/code')
      expect(await messagesTo(waiting)).toHaveLength(1)
      // Another address replaces the unverified address, which remains recorded as a requested address.
      await person.client.post('/account/email', { intent: 'send', identifier: `other-${waiting}` })
      const details = JSON.stringify({ github: { userId: identity, details: { id: identity, email, name } } })
      await run(
        'update users set name = ?, primary_phone = ?, identities = ? where id = ?',
        name,
        phone,
        details,
        userId,
      )
      const role = (await (
        await operator.send('POST', '/roles', { name: freshName(), description: '' })
      ).json()) as {
        id: string
      }
      await operator.send('POST', `/roles/${role.id}/users`, { userIds: [userId] })
      const hook = (await (
        await operator.send('POST', '/hooks', {
          event: 'PostSignIn',
          config: { url: 'https://hooks.example.com/x', retries: 0 },
        })
      ).json()) as { id: string }
      const shop = (await (
        await operator.send('POST', '/applications', {
          name: 'Shop',
          description: '',
          type: 'MachineToMachine',
        })
      ).json()) as { id: string }
      const payload = JSON.stringify({
        event: 'PostSignIn',
        userId,
        user: { id: userId, name, primaryEmail: email },
      })
      const now = Date.now()
      const inserted: [query: string, ...values: unknown[]][] = [
        [
          "insert into address_changes (tenant_id, id, user_id, type, previous, created_at) values (?, ?, ?, 'email', 'old@deletion.example', 1)",
          t,
          tag,
          userId,
        ],
        [
          "insert into sign_in_places (tenant_id, user_id, country, signed_in_at) values (?, ?, 'CH', 1)",
          t,
          userId,
        ],
        [
          'insert into totp_factors (tenant_id, user_id, secret, created_at) values (?, ?, ?, 1)',
          t,
          userId,
          's',
        ],
        [
          'insert into backup_codes (tenant_id, user_id, digest, created_at) values (?, ?, ?, 1)',
          t,
          userId,
          'd',
        ],
        [
          'insert into second_factor_put_offs (tenant_id, user_id, interaction_id, created_at) values (?, ?, ?, 1)',
          t,
          userId,
          'i',
        ],
        [
          'insert into passkey_offers (tenant_id, user_id, put_off_times, put_off_at) values (?, ?, 1, 1)',
          t,
          userId,
        ],
        [
          `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, name, rp_id,
          is_backup_eligible, is_backed_up, created_at) values (?, ?, ?, 'k', 0, '[]', '', 'Laptop', 'localhost', 1, 1, 1)`,
          t,
          `key-${tag}`,
          userId,
        ],
        [
          "insert into consents (tenant_id, user_id, application_id, resource, scope, created_at) values (?, ?, ?, '', 'email', 1)",
          t,
          userId,
          shop.id,
        ],
        [
          'insert into verification_statuses (tenant_id, id, user_id, created_at) values (?, ?, ?, ?)',
          t,
          tag,
          userId,
          now,
        ],
        [
          "insert into notices (tenant_id, user_id, id, recipient, type, host, request_id, next_attempt_at, created_at) values (?, ?, 'n', ?, 'PasswordReset', 'h', 'r', ?, 1)",
          t,
          userId,
          email,
          now + DAY,
        ],
        [
          "insert into passcodes (tenant_id, id, email, type, created_at) values (?, ?, ?, 'Generic', ?)",
          t,
          `${tag}1`,
          email.toUpperCase(),
          now,
        ],
        ['insert into password_changes (tenant_id, user_id, changed_at) values (?, ?, ?)', t, userId, now],
        [
          "insert into passcodes (tenant_id, id, phone, type, created_at) values (?, ?, ?, 'Generic', ?)",
          t,
          `${tag}2`,
          phone,
          now,
        ],
        [
          "insert into dev_messages (tenant_id, id, \"to\", channel, type, code, language, body, created_at) values (?, ?, ?, 'email', 'SignIn', '1', 'en', ?, ?)",
          t,
          tag,
          email.toUpperCase(),
          email,
          now,
        ],
        ['insert or ignore into tenants (id, created_at) values (?, 1)', `own-${tag}`],
        [
          "insert into tenant_owners (tenant_id, owner_type, owner_id, place) values (?, 'user', ?, 0)",
          `own-${tag}`,
          userId,
        ],
        [
          "insert into outbox (tenant_id, id, hook_id, event, payload, next_attempt_at, status, created_at) values (?, ?, ?, 'PostSignIn', ?, 1, 'failed', 1)",
          t,
          `msg_${tag}1`,
          hook.id,
          payload,
        ],
        [
          "insert into outbox (tenant_id, id, hook_id, event, payload, next_attempt_at, status, created_at) values (?, ?, ?, 'PostSignIn', ?, ?, 'pending', 1)",
          t,
          `msg_${tag}2`,
          hook.id,
          payload,
          now + DAY,
        ],
        [
          "insert into logs (tenant_id, id, key, payload, created_at) values (?, ?, 'TriggerHook.PostSignIn', ?, ?)",
          t,
          tag,
          JSON.stringify({ key: 'TriggerHook.PostSignIn', result: 'Success', json: JSON.parse(payload) }),
          now,
        ],
        [
          "insert into logs (tenant_id, id, key, payload, created_at) values (?, ?, 'Interaction.SignIn.Identifier.VerificationCode.Create', ?, ?)",
          t,
          `${tag}x`,
          JSON.stringify({
            key: 'Interaction.SignIn.Identifier.VerificationCode.Create',
            result: 'Success',
            params: { login_hint: `${email}?` },
            identifier: { email, username },
            proofs: [{ kind: 'social', profile: { id: identity, name, email } }],
          }),
          now,
        ],
        [
          "insert into passcodes (tenant_id, id, email, type, created_at) values (?, ?, ?, 'Generic', ?)",
          t,
          `${tag}3`,
          former.email.toLowerCase(),
          now,
        ],
        [
          "insert into passcodes (tenant_id, id, phone, type, created_at) values (?, ?, ?, 'Generic', ?)",
          t,
          `${tag}4`,
          former.phone,
          now,
        ],
        [
          "insert into dev_messages (tenant_id, id, \"to\", channel, type, code, language, body, created_at) values (?, ?, ?, 'email', 'SignIn', '1', 'en', '', ?)",
          t,
          `${tag}5`,
          former.email,
          now,
        ],
        [
          "insert into logs (tenant_id, id, key, payload, created_at) values (?, ?, 'Management.User.Update', ?, ?)",
          t,
          `${tag}u`,
          JSON.stringify({
            key: 'Management.User.Update',
            result: 'Success',
            userId,
            actor: { type: 'user', id: 'boss' },
            changed: ['profile.nickname'],
            changes: { 'profile.nickname': { before: nickname, after: name } },
          }),
          now,
        ],
        [
          "insert into logs (tenant_id, id, key, payload, created_at) values (?, ?, 'Management.User.Update', ?, ?)",
          t,
          `${tag}v`,
          JSON.stringify({
            key: 'Management.User.Update',
            result: 'Success',
            userId: 'else',
            actor: { type: 'user', id: userId },
            changes: {
              primaryEmail: { before: email, after: null },
              username: { before: null, after: username },
            },
          }),
          now,
        ],
        [
          "insert into logs (tenant_id, id, key, payload, created_at) values (?, ?, 'Interaction.SignIn.Update', ?, ?)",
          t,
          `${tag}y`,
          JSON.stringify({
            key: 'Interaction.SignIn.Update',
            result: 'Error',
            params: { login_hint: former.email.toUpperCase() },
            identifier: { username: former.username, phone: former.phone },
            proofs: [{ kind: 'social', profile: { id: former.identity, email: former.identityEmail } }],
          }),
          now,
        ],
        ...[
          `send/email/${former.email.toLowerCase()}`,
          `code/phone/${former.phone}`,
          `password-in-a-row/username/${former.username}/b`,
          `own-password/account/${userId}`,
          `password/account/${userId}/browser`,
          `send/email/${email}`,
          `send/phone/${phone}/b`,
          `submit/username/${username}`,
        ].map(
          (key) =>
            [
              'insert or replace into counters (tenant_id, key, window_start, expires_at) values (?, ?, ?, ?)',
              t,
              key,
              now,
              now + DAY,
            ] as [string, ...unknown[]],
        ),
      ]
      for (const [query, ...values] of [...inserted, ...organizationRows(tag, { userId, email })])
        await run(query, ...values)
      await env.ASSET_BUCKET?.put(`default/${userId}/2026/01/01/abcdefgh/me.png`, 'a picture')
      await env.ASSET_BUCKET?.put('default/somebody/2026/01/01/abcdefgh/other.png', 'a picture')
      await run(
        "insert or replace into counters (tenant_id, key, window_start, expires_at) values ('default', ?, 1, ?)",
        `submit/username/${username}-2`,
        now + DAY,
      )

      const isKept = async (value: string) =>
        (await rows('select 1 from former_identifiers where user_id = ? and value = ?', userId, value)).length
      for (const identifier of [...Object.values(former), waiting, `other-${waiting}`])
        expect([identifier, await isKept(identifier)]).toEqual([identifier, 1])
      if (how === 'by an operator') {
        expect((await operator.send('DELETE', `/users/${userId}`)).status).toBe(204)
      } else {
        await ask(person)
        await letPass(userId)
      }
      const before = await placesOf([userId])
      if (how !== 'by an operator') {
        // Every table with a user column must have a row here or a reason in `kept`, including new tables.
        const owned = await ownedTables()
        expect(
          owned.filter((table) => !before.includes(`${userId} in ${table}`) && !exemptTables[table]),
        ).toEqual([])
      }
      await app.sweep()
      expect(await deletionOf(userId)).toBeNull()
      // Pending deliveries are kept until they are sent.
      expect(await rows('select id from outbox where id = ?', `msg_${tag}1`)).toEqual([])
      expect(await rows('select id from outbox where id = ?', `msg_${tag}2`)).toHaveLength(1)
      await run("update outbox set status = 'delivered' where status = 'pending'")
      await run('update erasures set next_at = 1')
      // These rows are erased when they expire (see `kept`).
      await run("update oidc_model_instances set expires_at = 1 where model_name = 'Interaction'")
      for (let sweep = 0; sweep < 3; sweep++) await app.sweep()
      // Counters limit code attempts per address, regardless of its owner, so they are kept until their window ends.
      expect(await placesOf([waiting])).toEqual([`${waiting} in counters`])
      await run('update counters set expires_at = 1 where key like ?', `%${waiting}`)
      await app.sweep()

      expect(await rows('select id from erasures')).toEqual([])
      const gone = [
        userId,
        username,
        email,
        phone,
        name,
        nickname,
        identity,
        waiting,
        ...Object.values(former),
      ]
      expect(await placesOf(gone, `submit/username/${username}-2`)).toEqual([])
      const uploads =
        (await env.ASSET_BUCKET?.list({ prefix: 'default/' }))?.objects.map(({ key }) => key) ?? []
      expect(uploads).toContain('default/somebody/2026/01/01/abcdefgh/other.png')
      expect(uploads.filter((key) => key.includes(userId))).toEqual([])
      const inKv = await entriesOfKv()
      for (const value of [userId, username, email, waiting, former.email])
        expect(inKv.filter((entry) => entry.includes(value))).toEqual([])
      // The log keeps the event, but not the user.
      const anonymous = await rows<{ key: string }>(
        "select key from logs where json_extract(payload, '$.isErased') and key like 'Interaction.%.Submit'",
      )
      expect(anonymous.length).toBeGreaterThan(0)
      expect(
        await rows('select payload, actor_id from logs where id in (?, ?) order by id', `${tag}u`, `${tag}v`),
      ).toEqual([
        { payload: expect.not.stringContaining('changes'), actor_id: 'boss' },
        { payload: expect.stringContaining('"before":"******"'), actor_id: '******' },
      ])
      // The user id is never assigned again, and the counter of a different username is unchanged.
      const again = await operator.send('POST', '/users/import', {
        users: [{ id: userId, username: freshName() }],
      })
      expect(await again.json()).toMatchObject({
        results: [{ status: 'rejected', error: { code: 'entity.id_in_use' } }],
      })
      expect(
        await rows('select key from counters where key = ?', `submit/username/${username}-2`),
      ).toHaveLength(1)
    },
  )
})

/** An organisation that the user has created, a membership, and invitations by, for and of the user. */
function organizationRows(
  id: string,
  { userId, email }: { userId: string; email: string },
): [string, ...unknown[]][] {
  const invitation = (number: number, columns: Record<string, string>): [string, ...unknown[]] => [
    `insert into organization_invitations (tenant_id, id, organization_id, digest, role_ids, created_at, expires_at,
      email, inviter_type, inviter_id, accepted_by) values ('default', ?1, ?2, ?1, '[]', 1, 2, ?3, 'member', ?4, ?5)`,
    `${id}${number}`,
    id,
    columns.email ?? `other${number}@deletion.example`,
    columns.inviter ?? 'somebody',
    columns.acceptedBy ?? null,
  ]
  return [
    [
      "insert into organizations (tenant_id, id, name, created_at, created_by) values ('default', ?, 'Acme', 1, ?)",
      id,
      userId,
    ],
    [
      "insert into organization_users (tenant_id, organization_id, user_id, created_at) values ('default', ?, ?, 1)",
      id,
      userId,
    ],
    [
      "insert into organization_user_sources (tenant_id, organization_id, user_id, source, created_at) values ('default', ?, ?, 'manual', 1)",
      id,
      userId,
    ],
    [
      "insert into organization_user_roles (tenant_id, organization_id, user_id, role_id, source) values ('default', ?, ?, 'owner', 'manual')",
      id,
      userId,
    ],
    [
      "insert into organization_former_users (tenant_id, organization_id, user_id) values ('default', ?, ?)",
      id,
      userId,
    ],
    invitation(1, { inviter: userId }),
    invitation(2, { acceptedBy: userId }),
    invitation(3, { email: email.toLowerCase() }),
  ]
}

describe('the erasure of a user whose address now belongs to another user', () => {
  it('keeps the rows for that address, regardless of how the deleted user was linked to it', async () => {
    const [person, heir, stranger] = [await newPerson(), await newPerson(), await newPerson()]
    const [formerEmail, othersEmail] = [`given-${freshName()}@deletion.example`, stranger.email]
    const { email: socialEmail } = await newPerson()
    const identities = { google: { userId: freshName(), details: { id: freshName(), email: socialEmail } } }
    await run('update users set identities = ? where id = ?', JSON.stringify(identities), person.userId)
    const { userId: next } = await newPerson()
    const currentEmail = `held-${freshName()}@deletion.example`
    const all = [formerEmail, othersEmail, socialEmail, currentEmail]
    await run('update users set primary_email = ? where id = ?', formerEmail, person.userId)
    await run('update users set primary_email = ? where id = ?', currentEmail, person.userId)
    await run('update users set primary_email = ? where id = ?', formerEmail, heir.userId)
    await person.client.post('/account/email', { intent: 'send', identifier: othersEmail })
    const traces = async () => {
      const traces: unknown[] = []
      for (const email of all)
        traces.push(
          await rows('select key from counters where key = ?', `code/email/${email}`),
          await rows('select id from passcodes where email = ? and interaction_jti is null', email),
          await rows('select payload from logs where id = ?', email.slice(0, 20)),
        )
      return traces
    }
    for (const email of all) {
      const now = Date.now()
      const payload = { key: 'Interaction.SignIn.Update', result: 'Error', identifier: { email } }
      await run(
        "insert into counters (tenant_id, key, window_start, expires_at) values ('default', ?, ?, ?)",
        `code/email/${email}`,
        now,
        now + DAY,
      )
      await run(
        "insert into passcodes (tenant_id, id, email, type, created_at) values ('default', ?, ?, 'Generic', ?)",
        email.slice(0, 20),
        email,
        now,
      )
      await run(
        "insert into logs (tenant_id, id, key, payload, created_at) values ('default', ?, ?, ?, ?)",
        email.slice(0, 20),
        payload.key,
        JSON.stringify(payload),
        now,
      )
    }
    const before = await traces()
    expect(before.flat()).toHaveLength(12)
    expect((await operator.send('DELETE', `/users/${person.userId}`)).status).toBe(204)
    await run('update users set primary_email = ? where id = ?', currentEmail, next)
    await run("update outbox set status = 'delivered' where status = 'pending'")
    for (let sweep = 0; sweep < 2; sweep++) await app.sweep()
    expect(await rows('select id from erasures')).toEqual([])
    expect(await traces()).toEqual(before)
  })
})

describe('previous identifiers', () => {
  it('are stored until the account uses them again', async () => {
    const { userId, username, email } = await newPerson()
    const formerIdentifiers = async () =>
      (await rows<{ value: string }>('select value from former_identifiers where user_id = ?', userId)).map(
        ({ value }) => value,
      )
    const next = freshName()
    await run('update users set username = ?, name = ? where id = ?', next, 'Other', userId)
    expect(await formerIdentifiers()).toEqual([username])
    await run('update users set username = ?, primary_email = null where id = ?', username, userId)
    expect((await formerIdentifiers()).sort()).toEqual([next, email].sort())
    await run('update users set name = ?, last_sign_in_at = 1 where id = ?', 'Same', userId)
    expect((await formerIdentifiers()).sort()).toEqual([next, email].sort())
  })
})

describe('the browser in which a user deletes their account', () => {
  it('keeps no cookies about the account', async () => {
    const person = await newPerson(visitAccount)
    const newEmail = `wanted-${freshName()}@deletion.example`
    await person.client.post('/account/email', { intent: 'send', identifier: newEmail })
    await person.client.post('/account/profile', { intent: 'save', nickname: 'Zed the Stranger' })
    const names = () => [...person.client.cookies.keys()].filter((name) => name.startsWith('_account')).sort()
    expect(names()).toEqual(['_account', '_account_address', '_account_flash', '_account_hint'])
    await ask(person)
    expect(names()).toEqual(['_account_flash'])
    // The remaining cookie contains only the date of the deletion, which is shown once.
    expect(await (await person.client.get('/account/deleted')).text()).not.toContain('Zed the Stranger')
    expect(names()).toEqual([])
  })
})

/** Returns all tables with their columns in one round trip, because there are many. */
async function everyTable(): Promise<{ name: string; columns: string[] }[]> {
  const tables = await rows<{ name: string; columns: string }>(
    `select t.name, (select json_group_array(c.name) from pragma_table_xinfo(t.name) as c) as columns from sqlite_master as t
     where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like '_cf%'`,
  )
  return tables.map(({ name, columns }) => ({ name, columns: JSON.parse(columns) }))
}

/** Returns the tables with a column that contains the id of a user. */
const ownedTables = async () =>
  (await everyTable())
    .filter(({ columns }) => columns.some((column) => ['user_id', 'account_id', 'owner_id'].includes(column)))
    .map(({ name }) => name)

/** Returns the tables in which any column contains one of these strings, as `{text} in {table}`. */
async function placesOf(texts: readonly string[], but = ''): Promise<string[]> {
  const statements = (await everyTable()).map(({ name, columns }) => {
    const holds = columns
      .map((column) => `instr(lower(replace(cast("${column}" as text), ?2, '')), lower(said.value)) > 0`)
      .join(' or ')
    const query = `select said.value || ' in ${name}' as place from json_each(?1) as said
      where exists (select 1 from "${name}" where ${holds})`
    return env.DB.prepare(query).bind(JSON.stringify(texts), but)
  })
  const answers = await env.DB.batch<{ place: string }>(statements)
  return answers.flatMap(({ results }) => results.map(({ place }) => place))
}

/** Returns all names and values in KV, including those from earlier test files. */
async function entriesOfKv(cursor?: string): Promise<string[]> {
  const list = await env.INTERACTIONS.list(cursor === undefined ? {} : { cursor })
  const entries = await Promise.all(
    list.keys.map(async ({ name }) => `${name} ${await env.INTERACTIONS.get(name)}`),
  )
  return list.list_complete ? entries : [...entries, ...(await entriesOfKv(list.cursor))]
}
