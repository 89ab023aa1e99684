import { beforeAll, describe, expect, it } from 'vitest'
import { HOUR } from '../../../src/contract/time.ts'
import type { Member } from '../../kit/clients/account-client.ts'
import { freshName, newCookieClient, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  outcomeOf,
  receivedMessages,
} from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { addPasskey, provePasskey, RP_ID } from '../../kit/clients/passkey-client.ts'
import {
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
  userById,
} from '../../kit/clients/social-client.ts'
import { newApplication } from '../../kit/clients/token-client.ts'
import { newReceiver, type Receiver } from '../../kit/receiver.ts'
import { codeOf, forgetUsedSteps, signInWithBoth } from '../../kit/second-factor.ts'
import { storeMember, storeVisitor } from '../../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests that a password reset removes credentials that an attacker with the password may recently have added
 * (spec/accounts#reset-takes-back, ADR-0154).
 */

let app: TestApp
let operator: Operator
let receiver: Receiver
beforeAll(async () => {
  const first = openTestApp()
  await setExperience(first, { methods: everyMethod })
  await setTenantSettings(first, {
    accountCentre: { enabled: true },
    allowPrivateTargets: true,
    passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: true },
    secondFactor: { policy: 'optional', factors: ['totp'] },
  })
  await installUpstream(first, ['oidc'])
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  receiver = await newReceiver()
  const config = { url: receiver.url, retries: 0 }
  for (const event of ['User.PasskeyRemoved', 'User.FactorRemoved', 'User.Updated'])
    expect((await operator.send('POST', '/hooks', { event, config })).status).toBe(200)
})

/** Returns a phone number that the account centre's form accepts. */
const freshMobile = () => `491701${String(Math.random()).slice(2, 9).padEnd(7, '1')}`

async function newOwner() {
  const [username, email] = [freshName(), freshEmail()]
  const created = await operator.send('POST', '/users', { username, password: PASSWORD, primaryEmail: email })
  const { id } = (await created.json()) as { id: string }
  await age('users', id, 100 * HOUR)
  return { username, email, id }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

async function age(table: string, userId: string, by: number): Promise<void> {
  const key = table === 'users' ? 'id' : 'user_id'
  await app.env.DB.prepare(`update ${table} set created_at = created_at - ? where ${key} = ?`)
    .bind(by, userId)
    .run()
}

/** Adds an identity, a passkey and an authenticator app with only the password. */
async function addCredentials({ username }: Owner) {
  const providerAccount = await newProviderAccount()
  const social = await beginSocialInteraction(app, newCookieClient(app))
  await social.start('SignIn', { identifier: { username, password: PASSWORD } })
  await social.proveBy('oidc', providerAccount)
  await social.call('PUT', '/profile', { connectorId: 'oidc' })
  expect((await social.submit()).status).toBe(200)

  const member = await storeMember(app, { username })
  const passkey = await addPasskey(app, member)
  return { passkey, providerAccount, secret: await setUpApp(member) }
}

async function setUpApp({ call }: Pick<Member, 'call'>): Promise<string> {
  const begun = await call('POST', '/factors/totp')
  const { secret, enrolment } = (await begun.json()) as { secret: string; enrolment: string }
  const added = await call('PUT', '/factors/totp', { enrolment, totpCode: await codeOf(secret) })
  expect(added.status).toBe(200)
  return secret
}

type Address = { email: string } | { phone: string }

async function resetPassword(
  { email }: Pick<Owner, 'email'>,
  by: Address[] = [{ email }],
  profile = {},
): Promise<void> {
  const { start, prove, call, submit } = await beginInteraction(app)
  await start('ForgotPassword')
  for (const address of by) expect((await prove(address)).status).toBe(204)
  await call('PUT', '/profile', { password: 'another-horse-8', ...profile })
  expect((await submit()).status).toBe(204)
}

/** Changes an address in the account centre after a sign-in with only the password. */
async function changeAddress({ username }: Owner, address: Address): Promise<void> {
  const { client } = await storeVisitor(app, { username })
  const [type, value] = 'phone' in address ? ['phone', `+${address.phone}`] : ['email', address.email]
  await client.post(`/account/${type}`, { intent: 'send', identifier: value })
  const code = await codeTo(app, address)
  expect((await client.post(`/account/${type}/code`, { intent: 'prove', code_0: code })).status).toBe(303)
}

const givePhone = ({ id }: Owner, phone: string) =>
  app.env.DB.prepare('update users set primary_phone = ?, phone_verified = true where id = ?')
    .bind(phone, id)
    .run()

/** Replaces the authenticator app on behalf of the owner, who must enter a code from the old one. */
async function replaceApp({ username }: Owner, secret: string) {
  await forgetUsedSteps(app)
  const { call } = await signInWithBoth(app, { username, secret })
  await setUpApp({ call })
}

async function signInBySocial(providerAccount: { id: string }) {
  const social = await beginSocialInteraction(app)
  await social.start('SignIn')
  await social.proveBy('oidc', providerAccount)
  return outcomeOf(await social.submit())
}

const countOf = async (table: string, userId: string) =>
  (
    await app.env.DB.prepare(`select count(*) as held from ${table} where user_id = ?`)
      .bind(userId)
      .first<{ held: number }>()
  )?.held

/** Returns the types of the notices after the reset, newest first. */
async function noticesAfterReset(owner: Owner) {
  const types = (await receivedMessages(app, owner)).map(({ type }) => type)
  return types.slice(0, types.indexOf('ForgotPassword'))
}

describe('a password reset', () => {
  it('[ASVS-6.4.3-4] removes credentials that were added with only the password', async () => {
    const owner = await newOwner()
    const { passkey, providerAccount } = await addCredentials(owner)
    await resetPassword(owner)

    expect(await signInBySocial(providerAccount)).toEqual([422, 'user.identity_not_exist', {}])
    const byPasskey = await provePasskey(await beginInteraction(app), passkey)
    expect(await outcomeOf(byPasskey)).toEqual([422, 'passkey.not_found'])
    expect(await countOf('backup_codes', owner.id)).toBe(0)
    const { start, submit } = await beginInteraction(app)
    await start('SignIn', { identifier: { username: owner.username, password: 'another-horse-8' } })
    expect((await submit()).status).toBe(200)
  })

  it('[ASVS-6.4.3-10] reports the removals to every address, to hooks and in the audit log', async () => {
    const owner = await newOwner()
    const { passkey } = await addCredentials(owner)
    const before = (await receiver.received()).length
    await resetPassword(owner)

    expect((await noticesAfterReset(owner)).toSorted()).toEqual([
      'FactorsChanged',
      'IdentitiesChanged',
      'PasskeyRemoved',
    ])
    const bodies = (await receiver.received()).slice(before).map(({ body }) => JSON.parse(body))
    expect(bodies.map(({ event }) => event).toSorted()).toEqual([
      'User.FactorRemoved',
      'User.PasskeyRemoved',
      'User.Updated',
    ])
    const { results } = await app.env.DB.prepare(
      "select payload from logs where user_id = ? and key = 'Interaction.ForgotPassword.Submit'",
    )
      .bind(owner.id)
      .all<{ payload: string }>()
    expect(results.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { removedPasskeys: [passkey.id], unlinkedIdentities: ['oidc'], removedFactors: ['totp'] },
    ])
  })

  it('[ASVS-6.4.3-5] removes a recently added phone number, which can then no longer reset the password', async () => {
    const owner = await newOwner()
    const phone = freshMobile()
    await changeAddress(owner, { phone })
    await resetPassword(owner)
    expect((await userById(app, owner.id))?.primary_phone).toBeNull()
    expect(await noticesAfterReset(owner)).toEqual(['PhoneChanged'])
    const { start, prove, submit } = await beginInteraction(app)
    await start('SignIn')
    await prove({ phone })
    expect(await outcomeOf(await submit())).toEqual([404, 'user.user_not_exist', { identifier: phone }])
  })

  it('[ASVS-6.4.3-8] removes an address that replaced another, but keeps the undo link valid', async () => {
    const [owner, phone] = [await newOwner(), freshMobile()]
    await givePhone(owner, phone)
    await changeAddress(owner, { email: freshEmail() })
    await resetPassword(owner, [{ phone }])
    expect(await userById(app, owner.id)).toMatchObject({ primary_email: null, primary_phone: phone })
    const messages = await receivedMessages(app, owner)
    expect(messages.map(({ type }) => type)).toEqual(['EmailChanged', 'EmailChanged'])
    const [, link = ''] = /(\/account\/undo\?change=[\w-]+)/.exec(messages[1]?.body ?? '') ?? []
    expect((await newCookieClient(app).get(link)).status).toBe(200)
  })

  it('does not restore an address that the owner has removed', async () => {
    const [owner, stolen] = [await newOwner(), freshMobile()]
    await givePhone(owner, stolen)
    const { client } = await storeVisitor(app, { username: owner.username })
    expect((await client.post('/account/phone', { intent: 'remove' })).status).toBe(303)
    const before = (await receivedMessages(app, owner)).length
    await resetPassword(owner)
    expect((await userById(app, owner.id))?.primary_phone).toBeNull()
    expect(await receivedMessages(app, owner)).toHaveLength(before + 1)
  })

  it('keeps a new address that was verified during the reset', async () => {
    const [owner, phone] = [await newOwner(), freshMobile()]
    await changeAddress(owner, { phone })
    await resetPassword(owner, [{ email: owner.email }, { phone }])
    expect((await userById(app, owner.id))?.primary_phone).toBe(phone)
  })

  it('[ASVS-6.4.3-7] ignores verified addresses that do not belong to the account', async () => {
    const [owner, added, foreign] = [await newOwner(), freshMobile(), freshMobile()]
    await changeAddress(owner, { phone: added })
    await resetPassword(owner, [{ email: owner.email }, { phone: foreign }], { phone: foreign })
    expect((await userById(app, owner.id))?.primary_phone).toBeNull()
  })

  it('[ASVS-6.4.3-9] keeps an authenticator app that replaced an older one, and an older factor’s backup codes', async () => {
    const owner = await newOwner()
    const { secret } = await addCredentials(owner)
    for (const table of ['passkeys', 'totp_factors', 'identity_additions'])
      await age(table, owner.id, 73 * HOUR)
    await replaceApp(owner, secret)
    await resetPassword(owner)
    expect(await countOf('totp_factors', owner.id)).toBe(1)
    expect(await countOf('backup_codes', owner.id)).toBe(10)
  })

  it('[ASVS-6.4.3-6] removes a recent consent, so the application must request it again', async () => {
    const owner = await newOwner()
    const { id: applicationId } = await newApplication(operator)
    const grants = app.env.DB.prepare(
      `insert into consents (tenant_id, user_id, application_id, resource, scope, created_at)
       values ('default', ?1, ?2, '', 'email', ?3), ('default', ?1, ?2, '', 'profile', ?4)`,
    )
    await grants.bind(owner.id, applicationId, Date.now(), Date.now() - 73 * HOUR).run()
    await resetPassword(owner)
    const { results } = await app.env.DB.prepare('select scope from consents where user_id = ?')
      .bind(owner.id)
      .all()
    expect(results).toEqual([{ scope: 'profile' }])
  })

  it('keeps everything that is older than 72 hours', async () => {
    const owner = await newOwner()
    const { providerAccount } = await addCredentials(owner)
    for (const table of ['passkeys', 'totp_factors', 'backup_codes', 'identity_additions'])
      await age(table, owner.id, 73 * HOUR)
    await resetPassword(owner)

    expect((await userById(app, owner.id))?.identities.oidc?.userId).toBe(providerAccount.id)
    expect(await countOf('passkeys', owner.id)).toBe(1)
    expect(await countOf('totp_factors', owner.id)).toBe(1)
    expect(await noticesAfterReset(owner)).toEqual([])
  })

  it('keeps everything that was added in the account’s first hour or by an import', async () => {
    const owner = await newOwner()
    await addCredentials(owner)
    await app.env.DB.prepare('update users set created_at = ? where id = ?')
      .bind(Date.now() - HOUR / 2, owner.id)
      .run()
    await resetPassword(owner)
    expect(await countOf('passkeys', owner.id)).toBe(1)
    expect(await countOf('totp_factors', owner.id)).toBe(1)

    const email = freshEmail()
    const imported = await operator.send('POST', '/users/import', {
      users: [{ primaryEmail: email, createdAt: Date.now() - 100 * HOUR, totpSecret: 'JBSWY3DPEHPK3PXP' }],
    })
    expect(imported.status).toBe(200)
    const row = await app.env.DB.prepare('select id from users where primary_email = ?').bind(email).first<{
      id: string
    }>()
    await resetPassword({ email })
    expect(await countOf('totp_factors', row?.id ?? '')).toBe(1)
  })
})
