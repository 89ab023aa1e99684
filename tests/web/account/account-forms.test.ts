import { beforeAll, expect, it } from 'vitest'
import { accountPages } from '../../../src/web/account/pages.ts'
import type { CookieClient } from '../../kit/clients/cookie-client.ts'
import { codeTo, freshEmail } from '../../kit/clients/interaction-client.ts'
import { fieldsOf, formWith } from '../../kit/page-forms.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests that every task of the account centre works without JavaScript: submits each form with the values
 * from its page and the text typed into its fields (spec/account-centre#forms). Other files test permissions.
 */

let app: TestApp
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  await setTenantSettings(app, { accountCentre: { enabled: true } })
})

type Task = { path: string; intent: string; typed?: Record<string, string> }

const CREDENTIALS = 'tests/journeys/account/account-credentials.test.ts'
const PICTURE = 'tests/application/account/own-profile.test.ts'
const ORGANIZATIONS = 'tests/web/organisations'
const SCRIPT_ONLY = 'browsers create passkeys only for scripts'

/** The forms that this file does not submit, each with the reason or the file that tests it. */
const testedElsewhere: Record<string, string> = {
  '/account/passkeys/new create': SCRIPT_ONLY,
  '/account/factors/key create': SCRIPT_ONLY,
  '/account/picture upload': PICTURE,
  '/account/picture remove': PICTURE,
  '/account/factors/app enrol': CREDENTIALS,
  '/account/factors remove': CREDENTIALS,
  '/account/factors renew': CREDENTIALS,
  '/account/identities link': CREDENTIALS,
  '/account/identities unlink': CREDENTIALS,
  '/account/organizations create': ORGANIZATIONS,
  '/account/organizations join': ORGANIZATIONS,
  '/account/organizations/:organizationId/domains add': ORGANIZATIONS,
  '/account/organizations/:organizationId/domains check': ORGANIZATIONS,
  '/account/organizations/:organizationId/domains change': ORGANIZATIONS,
  '/account/organizations/:organizationId/domains remove': ORGANIZATIONS,
  '/account/organizations/:organizationId/members changeRoles': ORGANIZATIONS,
  '/account/organizations/:organizationId/members remove': ORGANIZATIONS,
  '/account/organizations accept': ORGANIZATIONS,
  '/account/organizations decline': ORGANIZATIONS,
  '/account/organizations/:organizationId/invitations invite': ORGANIZATIONS,
  '/account/organizations/:organizationId/invitations resend': ORGANIZATIONS,
  '/account/organizations/:organizationId/invitations revoke': ORGANIZATIONS,
  '/account/organizations/:organizationId leave': ORGANIZATIONS,
  '/account/organizations/:organizationId delete': ORGANIZATIONS,
  '/account/organizations/:organizationId/settings save': ORGANIZATIONS,
  '/account/organizations/:organizationId/settings savePolicy': ORGANIZATIONS,
  '/account/not-me restart': 'tests/web/account/recovery.test.ts',
  '/account/applications withdraw': 'tests/journeys/account/account.test.ts',
}

const email = freshEmail()
const phone = `4366012${Math.floor(Math.random() * 90_000 + 10_000)}`
const newPassword = 'other-horse-battery-8'
/** Stands for the user’s own username. */
const USERNAME = '{username}'

/**
 * The tasks, ordered so that each has the data that it needs. A `code` is replaced with the code that was
 * sent to that address.
 */
const tasks: Task[] = [
  {
    path: '/account/profile?edit=name',
    intent: 'save',
    typed: { name: 'Grace' },
  },
  {
    path: '/account/profile?edit=about',
    intent: 'save',
    typed: { 'birthdate.day': '9', 'birthdate.month': '12', 'birthdate.year': '1906' },
  },
  { path: '/account/profile?edit=address', intent: 'save', typed: { 'address.country': 'US' } },
  { path: '/account/profile?edit=language', intent: 'save', typed: { locale: 'de' } },
  { path: '/account/email', intent: 'send', typed: { identifier: email } },
  { path: '/account/email/code', intent: 'resend' },
  { path: '/account/email/code', intent: 'prove', typed: { code: 'email' } },
  { path: '/account/email', intent: 'remove' },
  { path: '/account/phone', intent: 'send', typed: { identifier: `+${phone}` } },
  { path: '/account/phone/code', intent: 'resend' },
  { path: '/account/phone/code', intent: 'prove', typed: { code: 'phone' } },
  { path: '/account/phone', intent: 'remove' },
  { path: '/account/passkeys', intent: 'rename', typed: { 'name-form-key': 'Blue phone' } },
  { path: '/account/not-me', intent: 'check' },
  { path: '/account/passkeys', intent: 'remove' },
  { path: '/account/factors', intent: 'removeKey' },
  { path: '/account/browsers', intent: 'forget' },
  { path: '/account/browsers', intent: 'forgetAll' },
  { path: '/account/sessions', intent: 'end' },
  { path: '/account/sessions', intent: 'endOthers' },
  { path: '/account/password', intent: 'change', typed: { newPassword, confirmPassword: newPassword } },
  { path: '/account/data', intent: 'download' },
  { path: '/account/data?edit=deletion', intent: 'delete', typed: { confirm: USERNAME } },
]

it('the tasks cover every form on every page of the account centre', () => {
  const all = Object.entries(accountPages).flatMap(([path, page]) =>
    Object.keys(page?.actions ?? {}).map((intent) => `${path} ${intent}`),
  )
  const covered = tasks.map(({ path, intent }) => `${path.replace(/\?.*/, '')} ${intent}`)
  const known = [...new Set([...covered, ...Object.keys(testedElsewhere)])]
  expect(all.toSorted()).toEqual(known.toSorted())
})

it('every task of the account centre can be completed with the form on its page', async () => {
  const { client, username } = await storeVisitor(app)
  for (let other = 0; other < 2; other++) await storeVisitor(app, { username })
  await addKeys(username)
  const statuses: Record<string, number> = {}
  for (const task of tasks)
    statuses[`${task.path} ${task.intent}`] = (await perform(client, task, username)).status
  expect(statuses).toEqual(
    Object.fromEntries(
      tasks.map(({ path, intent }) => [`${path} ${intent}`, intent === 'download' ? 200 : 303]),
    ),
  )
  const row = await app.env.DB.prepare(
    `select name, profile, primary_email, primary_phone, (select count(*) from passkeys p where p.user_id = u.id) keys,
      (select count(*) from account_deletions d where d.user_id = u.id) deletions from users u where username = ?`,
  )
    .bind(username)
    .first()
  expect(row).toEqual({
    name: 'Grace',
    primary_email: null,
    primary_phone: null,
    keys: 0,
    deletions: 1,
    profile: JSON.stringify({ birthdate: '1906-12-09', address: { country: 'US' }, locale: 'de' }),
  })
})

async function addKeys(username: string): Promise<void> {
  for (const [id, isSecondFactor] of [
    ['form-key', 0],
    ['form-second', 1],
  ])
    await app.env.DB.prepare(
      `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, name, rp_id,
        is_backup_eligible, is_backed_up, is_second_factor, created_at)
       select tenant_id, ?, id, 'public-bytes', 0, '[]', '', 'Laptop', 'localhost', 1, 1, ?, 1 from users where username = ?`,
    )
      .bind(id, isSecondFactor, username)
      .run()
}

/** Submits the first form on the page that contains the button. */
async function perform(
  client: CookieClient,
  { path, intent, typed = {} }: Task,
  username: string,
): Promise<Response> {
  const form = formWith(intent, await (await client.get(path)).text())
  if (form === undefined) throw new Error(`${path} has no form to ${intent}`)
  const unknown = Object.keys(typed).filter((name) => !form.includes(`name="${name}"`))
  if (unknown.length > 0) throw new Error(`${path} has no field ${unknown.join()}`)
  const own = typed.confirm === USERNAME ? { confirm: username } : await withReceivedCode(typed)
  return client.post(path, { ...fieldsOf(form), ...own, intent })
}

/** Replaces the name of a channel with the code that was sent through the channel. */
async function withReceivedCode(typed: Record<string, string>): Promise<Record<string, string>> {
  if (typed.code === 'email') return { code_0: await codeTo(app, { email }) }
  if (typed.code === 'phone') return { code_0: await codeTo(app, { phone }) }
  return typed
}
