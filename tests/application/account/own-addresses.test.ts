import { beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/time.ts'
import { ageSignIn, locationOf, userIdOf } from '../../kit/account-centre.ts'
import { type CookieClient, newCookieClient, ORIGIN, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  freshPhone,
  receivedMessages,
  wrongCode,
} from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { compressedSize } from '../../kit/compressed-size.ts'
import { openInterruptedApp } from '../../kit/racing-app.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTenant } from '../../kit/tenant-fixture.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests how users change their email address or phone number, and how the owner of the old address can undo the
 * change (spec/account-centre#addresses).
 */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})

type Person = { client: CookieClient; username: string; userId: string }
type Row = Record<'primary_email' | 'primary_phone' | 'password_encrypted', string | null> &
  Record<'email_verified' | 'phone_verified', number>

async function newPerson(columns: Partial<Row> = {}): Promise<Person> {
  const { client, username } = await storeVisitor(app)
  const userId = await userIdOf(app, { username })
  // The account is old, because anything added in an account's first hour is attributed to its owner.
  await app.env.DB.prepare('update users set created_at = created_at - ? where id = ?')
    .bind(60 * DAY, userId)
    .run()
  await write(userId, columns)
  return { client, username, userId }
}

async function write(userId: string, columns: Partial<Row> & { username?: null }): Promise<void> {
  for (const [name, value] of Object.entries(columns))
    await app.env.DB.prepare(`update users set ${name} = ? where id = ?`).bind(value, userId).run()
}

const rowOf = (userId: string) =>
  app.env.DB.prepare('select * from users where id = ?').bind(userId).first<Row>()

const send = ({ client }: Pick<Person, 'client'>, identifier: string, type = 'email') =>
  client.post(`/account/${type}`, { intent: 'send', identifier })
const prove = ({ client }: Pick<Person, 'client'>, code: string, type = 'email') =>
  client.post(`/account/${type}/code`, { intent: 'prove', code_0: code })
const remove = ({ client }: Pick<Person, 'client'>, type = 'email') =>
  client.post(`/account/${type}`, { intent: 'remove' })

async function changeEmail(person: Person, email: string): Promise<void> {
  expect(locationOf(await send(person, email))).toBe('/account/email/code')
  const proved = await prove(person, await codeTo(app, { email }))
  expect([proved.status, locationOf(proved)]).toEqual([303, '/account/email'])
}

/** Returns the link in the newest message to an address. */
async function linkTo(address: { email: string } | { phone: string }): Promise<string> {
  const [message] = await receivedMessages(app, address)
  return /http:\/\/localhost:8787(\/account\/undo\?change=[\w-]+)/.exec(message?.body ?? '')?.[1] ?? ''
}
const age = ({ userId }: Person, by: number) =>
  app.env.DB.prepare('update address_changes set created_at = created_at - ? where user_id = ?')
    .bind(by, userId)
    .run()

async function addPhone(person: Person, phone: string): Promise<void> {
  await send(person, `+${phone}`, 'phone')
  expect((await prove(person, await codeTo(app, { phone }), 'phone')).status).toBe(303)
}

const run = (query: string, ...values: unknown[]) =>
  app.env.DB.prepare(query)
    .bind(...values)
    .run()

const addPasskey = ({ userId }: Person, name: string, at: number) =>
  run(
    `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, name, rp_id,
      is_backup_eligible, is_backed_up, created_at) values ('default', ?, ?, 'k', 0, '[]', '', ?, 'localhost', 1, 1, ?)`,
    crypto.randomUUID(),
    userId,
    name,
    at,
  )

const undo = (link: string, client = newCookieClient(app), headers = {}) =>
  client.post('/account/undo', { intent: 'undo', change: link.split('=')[1] ?? '' }, headers)
const isSignedIn = async ({ client }: Person) => (await client.get('/account')).status === 200
const problemAt = async (answer: Response, field: string) =>
  new RegExp(`aria-describedby="[^"]*\\b${field}-problem"`).test(await answer.text())

describe('a new email address', () => {
  it('is verified by a code, reported to the old address and audited', async () => {
    const [first, second] = [freshEmail(), freshEmail()]
    const person = await newPerson()
    await changeEmail(person, first)
    expect((await receivedMessages(app, { email: first })).map(({ type }) => type)).toEqual(['Generic'])
    await changeEmail(person, second)
    expect(await rowOf(person.userId)).toMatchObject({ primary_email: second, email_verified: 1 })

    const [notice] = await receivedMessages(app, { email: first })
    expect(notice).toMatchObject({ type: 'EmailChanged', language: 'en' })
    expect((await receivedMessages(app, { email: second })).map(({ type }) => type)).toEqual(['Generic'])
    const { results } = await app.env.DB.prepare(
      "select payload from logs where user_id = ? and key = 'Account.Email.Update' order by rowid",
    )
      .bind(person.userId)
      .all<{ payload: string }>()
    expect(results.map(({ payload }) => JSON.parse(payload).result)).toEqual(['Success', 'Success'])
    expect(results.map(({ payload }) => payload).join()).not.toContain(first)
  })

  it('remains pending after a wrong code or a code from another session', async () => {
    const email = freshEmail()
    const person = await newPerson()
    await send(person, email)
    const code = await codeTo(app, { email })
    const wrong = await prove(person, wrongCode(code))
    expect([wrong.status, await problemAt(wrong, 'code')]).toEqual([400, true])

    const other = await storeVisitor(app, { username: person.username })
    expect((await prove(other, code)).status).toBe(400)
    // The cookie works only with a code that was sent in the same session.
    const waiting = person.client.cookies.get('_account_address')
    if (waiting) other.client.cookies.set('_account_address', waiting)
    expect((await prove(other, code)).status).toBe(400)
    // In a shared browser, one user's cookie does not reveal the address to another user.
    const foreign = await newPerson()
    if (waiting) foreign.client.cookies.set('_account_address', waiting)
    expect(await (await foreign.client.get('/account/email/code')).text()).not.toContain(email)
    expect((await foreign.client.post('/account/email/code', { intent: 'resend' })).status).toBe(400)
    expect((await rowOf(person.userId))?.primary_email).toBeNull()
    const again = await person.client.post('/account/email/code', { intent: 'resend' })
    expect(again.status).toBe(303)
    expect((await prove(person, code)).status).toBe(400)
    expect((await prove(person, await codeTo(app, { email }))).status).toBe(303)
  })

  it('is reported as taken only after the user has verified it', async () => {
    const email = freshEmail()
    const [owner, person] = [await newPerson({ primary_email: email }), await newPerson()]
    expect((await send(person, email)).status).toBe(303)
    const refused = await prove(person, await codeTo(app, { email }))
    const html = await refused.text()
    expect([refused.status, html.includes('class="form-problem" role="alert"')]).toEqual([422, true])
    expect((await rowOf(person.userId))?.primary_email).toBeNull()
    expect((await rowOf(owner.userId))?.primary_email).toBe(email)
  })

  it('is rejected with an error next to its field if it is malformed', async () => {
    const person = await newPerson()
    const refused = await send(person, 'nobody')
    const html = await refused.clone().text()
    expect([refused.status, await problemAt(refused, 'identifier')]).toEqual([422, true])
    // The specification says 'The email is invalid'; the example follows.
    expect(html).toContain('The email is invalid. Enter an address like name@example.com.')
  })

  it('requires a recent sign-in for each step, and rejects forms from other sites', async () => {
    const [email, next] = [freshEmail(), freshEmail()]
    const person = await newPerson({ primary_email: email, email_verified: 1 })
    await send(person, next)
    const code = await codeTo(app, { email: next })
    const origin = { origin: 'https://evil.example' }
    for (const [path, intent] of [
      ['/account/email', 'send'],
      ['/account/email', 'remove'],
      ['/account/email/code', 'prove'],
    ] as const) {
      const form = { intent, identifier: next, code }
      expect((await person.client.post(path, form, origin)).status).toBe(403)
    }
    await ageSignIn(app, person.client, 11 * 60)
    const before = (await receivedMessages(app, { email: next })).length
    for (const answer of [await send(person, next), await prove(person, code), await remove(person)]) {
      const { pathname, searchParams } = new URL(locationOf(answer), ORIGIN)
      expect([pathname, searchParams.get('max_age')]).toEqual(['/oidc/auth', '600'])
    }
    expect((await receivedMessages(app, { email: next })).length).toBe(before)
    expect((await rowOf(person.userId))?.primary_email).toBe(email)
  })

  it('replaces an unverified address without sending it an undo link', async () => {
    const email = freshEmail()
    const person = await newPerson({ primary_email: email, email_verified: 0 })
    await changeEmail(person, freshEmail())
    expect((await receivedMessages(app, { email }))[0]?.type).toBe('EmailChanged')
    expect(await linkTo({ email })).toBe('')
  })

  it('is simply marked as verified if the account already has it', async () => {
    const email = freshEmail()
    const person = await newPerson({ primary_email: email, email_verified: 0 })
    await changeEmail(person, email)
    expect((await rowOf(person.userId))?.email_verified).toBe(1)
    expect((await receivedMessages(app, { email })).map(({ type }) => type)).toEqual(['Generic'])
  })
})

describe('the undo link to the old address', () => {
  async function takenOver(): Promise<{ person: Person; old: string; present: string; link: string }> {
    const [old, present] = [freshEmail(), freshEmail()]
    const person = await newPerson({ primary_email: old, email_verified: 1 })
    await changeEmail(person, present)
    return { person, old, present, link: await linkTo({ email: old }) }
  }

  it('shows an explanation first, and undoes the change only once', async () => {
    const { person, old, present, link } = await takenOver()
    const stranger = newCookieClient(app)
    for (const _ of [1, 2]) {
      app.trips()
      const page = await stranger.get(link)
      expect([page.status, app.trips().awaited]).toEqual([200, 1])
      const html = await page.text()
      expect(html).not.toContain(present)
      expect(html).not.toContain('/account/sign-out')
      expect(compressedSize(html)).toBeLessThanOrEqual(14_000)
    }
    expect((await rowOf(person.userId))?.primary_email).toBe(present)

    const undone = await undo(link, stranger, {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    })
    const { pathname, searchParams } = new URL(locationOf(undone), ORIGIN)
    expect([undone.status, pathname]).toEqual([303, '/oidc/auth'])
    expect(Object.fromEntries(searchParams)).toMatchObject({
      interaction_mode: 'resetPassword',
      login_hint: old,
    })
    // An attacker who made the change may know the password.
    expect(await rowOf(person.userId)).toMatchObject({ primary_email: old, password_encrypted: null })
    expect(await isSignedIn(person)).toBe(false)
    expect((await stranger.get('/account')).status).toBe(302)
    const [toIntruder] = await receivedMessages(app, { email: present })
    expect(toIntruder?.type).toBe('EmailChanged')
    // Nobody who took over an account learns where its owner is.
    expect(toIntruder?.body).not.toContain('Firefox')

    expect([(await stranger.get(link)).status, (await undo(link)).status]).toEqual([404, 404])
    const { results } = await app.env.DB.prepare(
      "select payload ->> '$.result' as result from logs where user_id = ? and key = 'Account.Email.Undo'",
    )
      .bind(person.userId)
      .all()
    expect(results).toEqual([{ result: 'Success' }])
  })

  it('is, like every link in a message, safe to open: it changes nothing and signs nobody in', async () => {
    const { person, link } = await takenOver()
    const state = async () => {
      const tables = ['address_changes', 'passkeys', 'trusted_browsers', 'verification_statuses']
      const rows = tables.map((table) => run(`select * from ${table} where user_id = ?`, person.userId))
      return [await rowOf(person.userId), ...(await Promise.all(rows)).map(({ results }) => results)]
    }
    const before = await state()
    // tests/outbound/messages/templates.test.ts proves that messages contain no other links.
    for (const path of [link, '/account/not-me']) {
      const stranger = newCookieClient(app)
      expect((await stranger.get(path)).status).toBe(path === link ? 200 : 302)
      expect((await stranger.get('/account')).status).toBe(302)
      expect((await person.client.get(path)).status).toBe(200)
    }
    expect(await state()).toEqual(before)
    expect(await isSignedIn(person)).toBe(true)
  })

  it('works for only one of two concurrent requests', async () => {
    const { link } = await takenOver()
    const statuses = (await Promise.all([undo(link), undo(link)])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([303, 404])
  })

  it('is not sent to an address that the account has had for less than 30 days', async () => {
    const { person, old, present, link } = await takenOver()
    await changeEmail(person, old)
    expect((await receivedMessages(app, { email: present }))[0]?.type).toBe('EmailChanged')
    expect(await linkTo({ email: present })).toBe('')
    await age(person, 30 * DAY)
    await changeEmail(person, freshEmail())
    expect(await linkTo({ email: old })).not.toBe('')
    expect((await undo(link)).status).toBe(404)
  })

  it('removes a recently added phone number without sending an undo link to that number', async () => {
    const [email, phone] = [freshEmail(), '491701234599']
    const person = await newPerson({ primary_email: email, email_verified: 1 })
    await addPhone(person, phone)
    expect((await remove(person, 'phone')).status).toBe(303)
    expect(await linkTo({ phone })).toBe('')
    await addPhone(person, phone)
    await changeEmail(person, freshEmail())
    expect((await undo(await linkTo({ email }))).status).toBe(303)
    expect(await rowOf(person.userId)).toMatchObject({ primary_email: email, primary_phone: null })
  })

  it('also restores the previous phone number and invalidates the undo link that was sent to it', async () => {
    const [email, phone] = [freshEmail(), freshPhone()]
    const person = await newPerson({
      primary_email: email,
      email_verified: 1,
      primary_phone: phone,
      phone_verified: 1,
    })
    await addPhone(person, '491701234598')
    const other = await linkTo({ phone })
    expect(other).not.toBe('')
    await changeEmail(person, freshEmail())
    expect((await undo(await linkTo({ email }))).status).toBe(303)
    expect(await rowOf(person.userId)).toMatchObject({ primary_email: email, primary_phone: phone })
    expect((await undo(other)).status).toBe(404)
  })

  it('removes everything recently added to the account, and nothing older', async () => {
    const { person, link } = await takenOver()
    const now = Date.now()
    const times = { old: now - 31 * DAY, month: now - 29 * DAY, new: now }
    for (const [name, at] of Object.entries(times)) await addPasskey(person, name, at)
    // Write the column directly. A sign-in would write the same column.
    const identities: Record<string, { userId: string; details: object }> = {}
    for (const [name, at] of Object.entries(times)) {
      identities[name] = { userId: crypto.randomUUID(), details: {} }
      await run('update users set identities = ? where id = ?', JSON.stringify(identities), person.userId)
      const aged = 'update identity_additions set created_at = ? where user_id = ? and target = ?'
      expect((await run(aged, at, person.userId, name)).meta.changes).toBe(1)
    }
    // New details of the same provider account do not count as a new link, but a different account does.
    const written = async (details: object, userId = identities.old?.userId) => {
      const json = JSON.stringify({ ...identities, old: { userId, details } })
      await run('update users set identities = ? where id = ?', json, person.userId)
      const since = "select created_at from identity_additions where user_id = ? and target = 'old'"
      return app.env.DB.prepare(since).bind(person.userId).first('created_at')
    }
    expect(await written({ name: 'Ann' })).toBe(times.old)
    expect(await written({}, 'another')).toBeGreaterThanOrEqual(now)
    await written({})
    await run(
      "update identity_additions set created_at = ? where user_id = ? and target = 'old'",
      times.old,
      person.userId,
    )
    await run(
      "insert into totp_factors (tenant_id, user_id, secret, created_at) values ('default', ?, 'x', ?)",
      person.userId,
      now,
    )
    await run(
      "insert into backup_codes (tenant_id, user_id, digest, created_at) values ('default', ?, 'x', ?)",
      person.userId,
      now,
    )
    expect(
      (await person.client.post('/account/data', { intent: 'delete', confirm: person.username })).status,
    ).toBe(303)

    expect((await undo(link)).status).toBe(303)
    const left = await app.env.DB.prepare(
      `select (select group_concat(name) from passkeys where user_id = users.id) as passkeys,
        (select group_concat(key) from json_each(identities)) as identities,
        (select group_concat(target) from user_identities where user_id = users.id) as linked,
        (select count(*) from totp_factors where user_id = users.id) + (select count(*) from backup_codes where user_id = users.id) as factors,
        (select count(*) from account_deletions where user_id = users.id and canceled_at is null) as deletions
        from users where id = ?`,
    )
      .bind(person.userId)
      .first()
    expect(left).toEqual({ passkeys: 'old', identities: 'old', linked: 'old', factors: 0, deletions: 0 })
  })

  it('also removes a phone number added during a sign-in', async () => {
    const [email, phone] = [freshEmail(), freshPhone()]
    const person = await newPerson({ primary_email: email, email_verified: 1 })
    const { sign_up: before } =
      (await app.env.DB.prepare("select sign_up from sign_in_experiences where tenant_id = 'default'").first<{
        sign_up: string
      }>()) ?? {}
    await setExperience(app, { signUp: { identifiers: ['phone'], password: true, verify: true } })
    const asking = await beginInteraction(openTestApp({}, { hasCalmDatabase: true }))
    await asking.start('SignIn', { identifier: { username: person.username, password: PASSWORD } })
    expect((await asking.submit()).status).toBe(422)
    await asking.prove({ phone })
    await asking.call('PATCH', '/profile', { phone })
    expect((await asking.submit()).status).toBe(200)
    await setExperience(app, { signUp: JSON.parse(before ?? '{}') })
    expect((await rowOf(person.userId))?.primary_phone).toBe(phone)

    await changeEmail(person, freshEmail())
    expect((await undo(await linkTo({ email }))).status).toBe(303)
    expect(await rowOf(person.userId)).toMatchObject({ primary_email: email, primary_phone: null })
  })

  it('prevails over a concurrent change, regardless of which comes first', async () => {
    const { person, old, link } = await takenOver()
    const third = freshEmail()
    await run('update address_changes set created_at = created_at - 1000 where user_id = ?', person.userId)
    // The thief makes another change after the owner has opened the page.
    const interrupted = openInterruptedApp('set "closed_by"', async () => {
      await changeEmail(person, third)
      await addPasskey(person, 'meanwhile', Date.now())
    })
    expect((await undo(link, newCookieClient(interrupted))).status).toBe(303)
    expect((await rowOf(person.userId))?.primary_email).toBe(old)
    const left = 'select count(*) as left from passkeys where user_id = ?'
    expect(await app.env.DB.prepare(left).bind(person.userId).first('left')).toBe(0)
    expect(await isSignedIn(person)).toBe(false)

    // The undo is committed after the thief's change has been accepted, but before that change is written.
    const { person: other, old: owners, link: theirs } = await takenOver()
    const fourth = freshEmail()
    await send(other, fourth)
    const code = await codeTo(app, { email: fourth })
    const late = openInterruptedApp('into "address_changes"', async () => {
      expect((await undo(theirs)).status).toBe(303)
    })
    const client = newCookieClient(late)
    for (const [name, cookie] of other.client.cookies) client.cookies.set(name, cookie)
    const refused = await prove({ client }, code)
    expect([refused.status, locationOf(refused)]).not.toEqual([303, '/account/email'])
    expect(await rowOf(other.userId)).toMatchObject({ primary_email: owners, password_encrypted: null })
  })

  it('changes nothing, not even recent verifications, if the user is suspended meanwhile', async () => {
    const { person, present, link } = await takenOver()
    await run(
      "insert into verification_statuses (tenant_id, id, user_id, created_at) values ('default', ?, ?, ?)",
      person.userId,
      person.userId,
      Date.now(),
    )
    const suspend = (is: number) => run('update users set is_suspended = ? where id = ?', is, person.userId)
    const interrupted = openInterruptedApp('set "closed_by"', () => suspend(1))
    expect((await undo(link, newCookieClient(interrupted))).status).toBe(404)
    await suspend(0)
    const proofs = 'select count(*) as proofs from verification_statuses where user_id = ?'
    expect(await app.env.DB.prepare(proofs).bind(person.userId).first('proofs')).toBe(1)
    expect((await rowOf(person.userId))?.primary_email).toBe(present)
    expect((await undo(link)).status).toBe(303)
  })

  it('stops working after an operator changes the address, and while the account is suspended', async () => {
    const { person, present, link } = await takenOver()
    await app.env.DB.prepare('update users set is_suspended = 1 where id = ?').bind(person.userId).run()
    expect((await undo(link)).status).toBe(404)
    await app.env.DB.prepare('update users set is_suspended = 0 where id = ?').bind(person.userId).run()
    expect((await operator.send('PATCH', `/users/${person.userId}`, { primaryPhone: null })).status).toBe(200)
    const same = { name: 'Ann', primaryEmail: present.toUpperCase() }
    expect((await operator.send('PATCH', `/users/${person.userId}`, same)).status).toBe(200)
    expect((await newCookieClient(app).get(link)).status).toBe(200)
    const set = freshEmail()
    expect((await operator.send('PATCH', `/users/${person.userId}`, { primaryEmail: set })).status).toBe(200)
    expect((await undo(link)).status).toBe(404)
    expect((await rowOf(person.userId))?.primary_email).toBe(set)
  })

  it('delays account deletion until the link expires, and both addresses are notified of the date', async () => {
    const { person, old, present, link } = await takenOver()
    const settings = (deletionGraceDays: number) =>
      operator.send('PATCH', '/configs/settings', { accountCentre: { enabled: true, deletionGraceDays } })
    expect((await settings(0)).status).toBe(200)
    const fresh = openTestApp({}, { hasCalmDatabase: true })
    const client = newCookieClient(fresh)
    for (const [name, cookie] of person.client.cookies) client.cookies.set(name, cookie)
    const until = async () => {
      const row = await app.env.DB.prepare('select created_at from address_changes where user_id = ?')
        .bind(person.userId)
        .first<{ created_at: number }>()
      const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
      return date.format((row?.created_at ?? 0) + 3 * DAY)
    }
    await client.get('/account/data')
    fresh.trips()
    const page = await client.get('/account/data?edit=deletion')
    expect(fresh.trips().awaited).toBe(1)
    expect(await page.text()).toContain(await until())
    expect((await client.post('/account/data', { intent: 'delete', confirm: person.username })).status).toBe(
      303,
    )
    expect((await settings(14)).status).toBe(200)
    // Each address is notified once, including the old address.
    for (const email of [old, present]) {
      const notices = (await receivedMessages(app, { email })).filter(
        ({ type }) => type === 'DeletionRequested',
      )
      expect(notices).toHaveLength(1)
      expect(notices[0]?.body).toContain(await until())
    }
    const { results } = await app.env.DB.prepare(
      'select due_at - c.created_at as after from account_deletions d join address_changes c on c.user_id = d.user_id where d.user_id = ?',
    )
      .bind(person.userId)
      .all()
    expect(results).toEqual([{ after: 3 * DAY }])
    expect((await undo(link)).status).toBe(303)
  })

  it('shows an error while another account has the old address, and works afterwards', async () => {
    const { person, old, present, link } = await takenOver()
    const other = await newPerson({ primary_email: old })
    const refused = await undo(link)
    const html = await refused.text()
    expect([refused.status, html.includes('class="form-problem" role="alert"')]).toEqual([422, true])
    expect((await rowOf(person.userId))?.primary_email).toBe(present)
    expect(await isSignedIn(person)).toBe(true)
    await write(other.userId, { primary_email: null })
    expect((await undo(link)).status).toBe(303)
  })

  it('is rejected if it is expired, malformed, from another tenant or submitted by another site', async () => {
    const { person, present, link } = await takenOver()
    const beta = await openTenant(app, 'undo-beta')
    const elsewhere = newCookieClient(beta.site)
    expect((await elsewhere.get(link)).status).toBe(404)
    expect((await undo(link, elsewhere, { origin: beta.site.origin })).status).toBe(404)
    const damaged = link.slice(0, -2) + (link.endsWith('AA') ? 'BB' : 'AA')
    expect([(await undo(damaged)).status, (await undo('')).status]).toEqual([404, 404])
    const foreign = await undo(link, newCookieClient(app), { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)

    await age(person, 3 * DAY)
    expect([(await newCookieClient(app).get(link)).status, (await undo(link)).status]).toEqual([404, 404])
    expect((await rowOf(person.userId))?.primary_email).toBe(present)
    expect(await isSignedIn(person)).toBe(true)
  })
})

describe('a phone number', () => {
  it('is changed like an email address, and its undo link is sent by text message', async () => {
    const [old, next] = [freshPhone(), `49${'1701234567'}`]
    const person = await newPerson({ primary_phone: old, phone_verified: 1 })
    expect(locationOf(await send(person, '+49 170 1234567', 'phone'))).toBe('/account/phone/code')
    expect((await prove(person, await codeTo(app, { phone: next }), 'phone')).status).toBe(303)
    expect(await rowOf(person.userId)).toMatchObject({ primary_phone: next, phone_verified: 1 })
    expect((await receivedMessages(app, { phone: old }))[0]).toMatchObject({
      type: 'PhoneChanged',
      channel: 'sms',
    })
    expect((await undo(await linkTo({ phone: old }))).status).toBe(303)
    expect((await rowOf(person.userId))?.primary_phone).toBe(old)
  })
})

describe('an address', () => {
  it('can be removed if the account does not need it, and the removal can be undone', async () => {
    const [email, phone] = [freshEmail(), freshPhone()]
    const person = await newPerson({ primary_email: email, email_verified: 1, primary_phone: phone })
    expect((await remove(person)).status).toBe(303)
    expect((await rowOf(person.userId))?.primary_email).toBeNull()
    // From now on, only the phone number can reset the password.
    expect(
      (await person.client.get('/account/phone').then((page) => page.text())).includes('value="remove"'),
    ).toBe(false)
    expect((await remove(person, 'phone')).status).toBe(422)
    expect((await rowOf(person.userId))?.primary_phone).toBe(phone)
    expect((await undo(await linkTo({ email }))).status).toBe(303)
    expect((await rowOf(person.userId))?.primary_email).toBe(email)
  })

  it('cannot be removed by both of two concurrent requests that together would leave no way to sign in', async () => {
    const person = await newPerson({ primary_email: freshEmail(), primary_phone: freshPhone() })
    await write(person.userId, { username: null, password_encrypted: null })
    const statuses = (await Promise.all([remove(person), remove(person, 'phone')])).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted()).toEqual([303, 409])
    const left = await rowOf(person.userId)
    expect([left?.primary_email, left?.primary_phone].filter(Boolean).length).toBe(1)
    const last = left?.primary_email ? 'email' : 'phone'
    expect((await remove(person, last)).status).toBe(422)
  })

  it.each(['/account/email', '/account/phone', '/account/email/code'])(
    'is shown on %s with one database round trip',
    async (path) => {
      const { client } = await storeVisitor(app)
      await client.get(path)
      app.trips()
      const page = await client.get(path)
      expect([page.status, app.trips()]).toEqual([200, { awaited: 1, afterwards: 0 }])
      expect(compressedSize(await page.text())).toBeLessThanOrEqual(14_000)
    },
  )
})

it('a user’s new address is shown to operators', async () => {
  const email = freshEmail()
  const person = await newPerson()
  await changeEmail(person, email)
  const user = (await (await operator.send('GET', `/users/${person.userId}`)).json()) as {
    primaryEmail: string
  }
  expect(user.primaryEmail).toBe(email)
})
