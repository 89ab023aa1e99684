import { beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/time.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import { locationOf } from '../../kit/account-centre.ts'
import type { CookieClient } from '../../kit/clients/cookie-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests which of the steps after unknown activity are done (spec/account-centre#this-wasnt-me). */

let app: TestApp
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
})

const PAGE = '/account/not-me'
const NEW_PASSWORD = 'another-horse-8'

/** Returns the names of the steps that the page ticks off, or “all”. */
async function doneSteps(client: CookieClient): Promise<string> {
  const html = await (await client.get(PAGE)).text()
  if (!html.includes('<ol class="account-stepper"')) return 'all'
  const items = html.split('<li').filter((item) => item.startsWith(' class="account-step-done"'))
  return items.map((item) => /<h2 id="(\w+)"/.exec(item)?.[1]).join()
}

const changePassword = (client: CookieClient) =>
  client.post('/account/password', {
    intent: 'change',
    newPassword: NEW_PASSWORD,
    confirmPassword: NEW_PASSWORD,
  })
const mark = (client: CookieClient, step: string) => client.post(PAGE, { intent: 'check', step })

async function addPasskey(userId: string, createdAt = Date.now()): Promise<void> {
  await app.env.DB.prepare(
    `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, rp_id,
      is_backup_eligible, is_backed_up, is_second_factor, created_at)
     values ('default', ?, ?, 'x', 0, '[]', '', 'localhost', 1, 1, 0, ?)`,
  )
    .bind(crypto.randomUUID(), userId, createdAt)
    .run()
}

async function logReset(userId: string, createdAt: number): Promise<void> {
  const payload = JSON.stringify({ key: 'Interaction.ForgotPassword.Submit', result: 'Success', userId })
  await app.env.DB.prepare(
    `insert into logs (tenant_id, id, key, payload, created_at) values ('default', ?, 'Interaction.ForgotPassword.Submit', ?, ?)`,
  )
    .bind(randomId(), payload, createdAt)
    .run()
}

describe('the steps after unknown activity', () => {
  it('are ticked off by what happened, and the form that completes a step leads back to them', async () => {
    const { client, username, userId } = await storeVisitor(app)
    await addPasskey(userId)
    const other = await storeVisitor(app, { username })
    expect(await doneSteps(client)).toBe('applications')
    expect(await (await client.get('/account/password')).text()).toContain(`href="${PAGE}"`)

    const changed = await changePassword(client)
    expect([changed.status, locationOf(changed)]).toEqual([303, PAGE])
    expect((await other.client.get('/account')).status).toBe(302)
    expect(await doneSteps(client)).toBe('password,sessions,applications')
    await mark(client, 'ways')
    expect(await doneSteps(client)).toBe('all')
    // The pages on which steps are taken lead back only until all steps are done.
    expect(await (await client.get('/account/sessions')).text()).not.toContain(`href="${PAGE}"`)

    await client.post(PAGE, { intent: 'restart' })
    expect(await doneSteps(client)).toBe('sessions,applications')
  })

  it('are not done any longer if something new appears after the user has marked them', async () => {
    const { client, username, userId } = await storeVisitor(app)
    await addPasskey(userId, Date.now() - DAY)
    await storeVisitor(app, { username })
    await doneSteps(client)
    for (const step of ['ways', 'sessions']) expect((await mark(client, step)).status).toBe(303)
    expect(await doneSteps(client)).toBe('ways,sessions,applications')
    await addPasskey(userId, Date.now() + 1000)
    expect(await doneSteps(client)).toBe('sessions,applications')
    const ended = await client.post('/account/sessions', { intent: 'endOthers' })
    expect(locationOf(ended)).toBe(PAGE)
  })

  it('that only facts can complete cannot be marked', async () => {
    const { client } = await storeVisitor(app)
    for (const step of ['password', 'unknown', '']) expect((await mark(client, step)).status).toBe(400)
    expect(await doneSteps(client)).toBe('ways,sessions,applications')
  })

  it('include a password reset, if the user has since signed in with the new password', async () => {
    const [before, after] = [await storeVisitor(app), await storeVisitor(app)]
    await logReset(before.userId, Date.now() - 60_000)
    await logReset(after.userId, Date.now() + 60_000)
    expect(await doneSteps(before.client)).toBe('all')
    expect(await doneSteps(after.client)).toBe('ways,sessions,applications')
  })

  it('are those of one user for a day, and a damaged cookie counts as none', async () => {
    const owner = await storeVisitor(app)
    await addPasskey(owner.userId)
    await doneSteps(owner.client)
    await changePassword(owner.client)
    await mark(owner.client, 'ways')
    const finished = owner.client.cookies.get('_account_steps')?.value ?? ''
    const seals = createSeals(app.env.ROOT_SECRET ?? '')
    const progress = (await seals.open('account-steps/default', finished)) as { startedAt: number }
    const old = { ...progress, startedAt: progress.startedAt - DAY }
    const other = await storeVisitor(app)
    await addPasskey(other.userId)
    for (const { client, value } of [
      { client: other.client, value: finished },
      { client: owner.client, value: await seals.seal('account-steps/default', old) },
      { client: owner.client, value: await seals.seal('account-steps/other', progress) },
      { client: owner.client, value: `${finished}x` },
    ]) {
      client.cookies.set('_account_steps', { value, path: '/' })
      expect(await doneSteps(client)).toBe('sessions,applications')
    }
    // A form completes no step for a user who takes none in this browser.
    other.client.cookies.set('_account_steps', { value: finished, path: '/' })
    expect(locationOf(await changePassword(other.client))).toBe('/account/password')
  })
})
