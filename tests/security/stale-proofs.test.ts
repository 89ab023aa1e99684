import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { locationOf } from '../kit/account-centre.ts'
import { newMember } from '../kit/clients/account-client.ts'
import { newCookieClient, PASSWORD } from '../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  freshPhone,
  type InteractionClient,
  outcomeOf,
  receivedMessages,
} from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { addPasskey, provePasskey, RP_ID } from '../kit/clients/passkey-client.ts'
import { beginSocialInteraction, installUpstream, newProviderAccount } from '../kit/clients/social-client.ts'
import { openInterruptedApp } from '../kit/racing-app.ts'
import { storeVisitor } from '../kit/stored-session.ts'
import { pairsOf } from '../kit/sweep.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * A verification from before a revocation cannot be used afterwards, regardless of the kinds of verification and
 * revocation (ADR-0143).
 */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  const first = openTestApp()
  await setExperience(first, { methods: everyMethod })
  await setTenantSettings(first, {
    accountCentre: { enabled: true, deletionGraceDays: 14 },
    passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: false },
  })
  await installUpstream(first, ['oidc'])
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})

const NEW_PASSWORD = 'another-horse-8'
const failed = [400, 'session.verification_failed']

async function newPerson() {
  const { client, username } = await storeVisitor(app)
  const member = await newMember(app, { client, username })
  const { id: social } = await newProviderAccount()
  const [email, phone] = [freshEmail(), freshPhone()]
  const passkey = await addPasskey(app, member)
  await app.env.DB.prepare(
    'update users set primary_email = ?, primary_phone = ?, identities = ?, created_at = 1 where id = ?',
  )
    .bind(email, phone, JSON.stringify({ oidc: { userId: social } }), member.userId)
    .run()
  // The undo of an address change removes everything that is newer than the change.
  for (const table of ['passkeys', 'identity_additions']) {
    await app.env.DB.prepare(`update ${table} set created_at = 1 where user_id = ?`).bind(member.userId).run()
  }
  return { client, username, email, phone, social, passkey, userId: member.userId }
}
type Person = Awaited<ReturnType<typeof newPerson>>

/** Prepares an interaction in which the user has authenticated, so that it can be submitted. */
type Prepare = (person: Person, through?: TestApp) => Promise<InteractionClient>

const byCode =
  (
    event: 'SignIn' | 'ForgotPassword',
    address: (person: Person) => { email: string } | { phone: string },
  ): Prepare =>
  async (person, through = app) => {
    const interaction = await beginInteraction(through)
    await interaction.start(event)
    expect((await interaction.prove(address(person))).status).toBe(204)
    if (event === 'ForgotPassword')
      await interaction.call('PUT', '/profile', { password: 'attackers-horse-9' })
    return interaction
  }

const proofs: Record<string, Prepare> = {
  async password({ username }) {
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn', { identifier: { username, password: PASSWORD } })
    return interaction
  },
  async passkey({ passkey }) {
    const interaction = await beginInteraction(app)
    expect((await provePasskey(interaction, passkey)).status).toBe(204)
    return interaction
  },
  async social({ social }) {
    const interaction = await beginSocialInteraction(app)
    await interaction.start('SignIn')
    expect((await interaction.proveBy('oidc', { id: social })).status).toBe(204)
    return interaction
  },
  email: byCode('SignIn', ({ email }) => ({ email })),
  phone: byCode('SignIn', ({ phone }) => ({ phone })),
  'email, for a reset': byCode('ForgotPassword', ({ email }) => ({ email })),
  'phone, for a reset': byCode('ForgotPassword', ({ phone }) => ({ phone })),
}

async function expectStatus(answer: Promise<Response>, status: number): Promise<void> {
  expect((await answer).status).toBe(status)
}
const byOperator = (method: string, path: (id: string) => string, body?: unknown) => (person: Person) =>
  expectStatus(operator.send(method, `/users/${path(person.userId)}`, body), method === 'DELETE' ? 204 : 200)
const inAccountCentre = (path: string, form: Record<string, string>) => (person: Person) =>
  expectStatus(person.client.post(`/account/${path}`, form), 303)

async function reset({ email }: Pick<Person, 'email'>): Promise<InteractionClient> {
  const interaction = await beginInteraction(app)
  await interaction.start('ForgotPassword')
  await interaction.prove({ email })
  expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.new_password_required_in_profile'])
  await interaction.call('PATCH', '/profile', { password: NEW_PASSWORD })
  await expectStatus(interaction.submit(), 204)
  return interaction
}

/** Changes the address of the account, and undoes the change as the owner of the old address. */
async function undoAddress({ client, email }: Person): Promise<void> {
  const other = freshEmail()
  const send = await client.post('/account/email', { intent: 'send', identifier: other })
  expect(locationOf(send)).toBe('/account/email/code')
  const code = await codeTo(app, { email: other })
  await expectStatus(client.post('/account/email/code', { intent: 'prove', code_0: code }), 303)
  const [message] = await receivedMessages(app, { email })
  const change = /undo\?change=([\w-]+)/.exec(message?.body ?? '')?.[1] ?? ''
  await expectStatus(newCookieClient(app).post('/account/undo', { intent: 'undo', change }), 303)
}

const revocations: Record<string, (person: Person) => Promise<unknown>> = {
  'an operator ends all sessions': byOperator('DELETE', (id) => `${id}/sessions`),
  'an operator sets a password': byOperator('PATCH', (id) => `${id}/password`, { password: NEW_PASSWORD }),
  'an operator briefly suspends the user': async (person) => {
    await byOperator('PATCH', (id) => `${id}/is-suspended`, { isSuspended: true })(person)
    await byOperator('PATCH', (id) => `${id}/is-suspended`, { isSuspended: false })(person)
  },
  'an operator resets the second factors': byOperator('DELETE', (id) => `${id}/factors`),
  'the owner resets the password': reset,
  'the owner changes the password': inAccountCentre('password', {
    intent: 'change',
    newPassword: NEW_PASSWORD,
    confirmPassword: NEW_PASSWORD,
  }),
  'the owner ends all other sessions': inAccountCentre('sessions', { intent: 'endOthers' }),
  'the owner requests the deletion of the account': (person: Person) =>
    inAccountCentre('data', { intent: 'delete', confirm: person.username })(person),
  'the owner undoes an address change': undoAddress,
}

/** The verifications to test after each revocation. An exhaustive run tests all pairs. */
const proofsAfter = Map.groupBy(
  pairsOf(env.TEST_SWEEP, Object.keys(revocations), Object.entries(proofs)),
  ([revocation]) => revocation,
)

describe.each(Object.entries(revocations))('after the revocation "%s"', (revocation, revoke) => {
  const chosen = (proofsAfter.get(revocation) ?? []).map(([, proof]) => proof)
  let person: Person
  let prepared: [string, InteractionClient][]
  beforeAll(async () => {
    person = await newPerson()
    prepared = []
    for (const [name, prepare] of chosen) prepared.push([name, await prepare(person)])
    await revoke(person)
  })

  it('[ASVS-7.4.2] no earlier verification can be used to sign in or to set a password', async () => {
    const outcomes: unknown[] = []
    for (const [name, { submit }] of prepared) outcomes.push([name, await outcomeOf(await submit())])
    expect(outcomes).toEqual(chosen.map(([name]) => [name, failed]))
  })

  it('the owner can sign in with a new code', async () => {
    const { submit } = await byCode('SignIn', ({ phone }) => ({ phone }))(person)
    await expectStatus(submit(), 200)
  })
})

it('[ASVS-7.4.2-4] the code of a password reset is rejected for the next sign-in', async () => {
  const person = await newPerson()
  const { username, email } = person
  const interaction = await reset(person)
  const code = await codeTo(app, { email })
  expect(await outcomeOf(await interaction.submit())).toEqual([404, 'session.verification_session_not_found'])
  await interaction.start('SignIn')
  const again = await interaction.call('PATCH', '/identifiers', { email, verificationCode: code })
  expect(await outcomeOf(again)).toEqual([400, 'verification_code.not_found'])
  expect((await interaction.prove({ email })).status).toBe(204)
  await interaction.start('SignIn', { identifier: { username, password: NEW_PASSWORD } })
  await expectStatus(interaction.submit(), 200)
})

it('[ASVS-7.4.2-2] a code that was sent before a revocation is rejected', async () => {
  const person = await newPerson()
  const { email } = person
  const interaction = await beginInteraction(app)
  await interaction.start('SignIn')
  await interaction.sendCode({ email })
  const code = await codeTo(app, { email })
  await revocations['an operator ends all sessions']?.(person)
  const entered = await interaction.call('PATCH', '/identifiers', { email, verificationCode: code })
  expect(entered.status).toBe(204)
  expect(await outcomeOf(await interaction.submit())).toEqual(failed)
})

it('[ASVS-7.4.2-3] a social sign-in that began before a revocation is rejected', async () => {
  const person = await newPerson()
  const interaction = await beginSocialInteraction(app)
  await interaction.start('SignIn')
  const answer = await interaction.signInAtProvider('oidc', { id: person.social })
  await revocations['an operator ends all sessions']?.(person)
  expect((await interaction.show('oidc', answer)).status).toBe(204)
  expect(await outcomeOf(await interaction.submit())).toEqual(failed)
})

describe('a revocation while an interaction is submitted', () => {
  /** SQL fragments that only the submit's batch contains. */
  it.each([
    ['SignIn', '"consumed_at" = ?'],
    ['ForgotPassword', '$.concludedBy'],
  ] as const)('[ASVS-7.4.2-5] makes the event "%s" fail without any writes', async (event, mark) => {
    const person = await newPerson()
    const { email } = person
    const interrupted = openInterruptedApp(mark, () =>
      byOperator('PATCH', (id) => `${id}/password`, { password: NEW_PASSWORD })(person),
    )
    const { submit } = await byCode(event, () => ({ email }))(person, interrupted)
    expect(await outcomeOf(await submit())).toEqual(failed)
    const owner = await beginInteraction(app)
    await owner.start('SignIn', { identifier: { email, password: NEW_PASSWORD } })
    await expectStatus(owner.submit(), 200)
  })
})
