import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type InteractionEvent,
  identifierTypes,
  interactionEvents,
  type Profile,
} from '../../../src/contract/interactions/identifiers.ts'
import type { Interaction, Proof, SocialProfile } from '../../../src/contract/interactions/interaction.ts'
import { isRefusal } from '../../../src/contract/refused.ts'
import { accountExistenceModes } from '../../../src/contract/tenants/settings.ts'
import { type Account, matchesLookup } from '../../../src/domain/interactions/accounts.ts'
import {
  addProof,
  createInteraction,
  dropProfile,
  patchProfile,
  provenSocialAddress,
  putProfile,
  switchEvent,
} from '../../../src/domain/interactions/interaction.ts'
import { type Decision, decideSubmit } from '../../../src/domain/interactions/submit.ts'
import type { NewUser } from '../../../src/domain/interactions/submit-columns.ts'
import { listRequiredLookups, type SubmitFacts } from '../../../src/domain/interactions/submit-facts.ts'
import { sweepOfProcess } from '../../kit/sweep.ts'
import {
  buildAccount,
  buildExperience,
  byEmail,
  byPasskey,
  byPassword,
  byPhone,
  bySocial,
  everyWay,
  noSecondFactor,
} from '../given.ts'

const { seed, isExhaustive } = sweepOfProcess()

/**
 * Tests random sequences of calls with few names, addresses and identities, so collisions are frequent. The properties
 * are implemented independently of the product code.
 */
const emails = ['a@x.y', 'A@x.y', 'b@x.y', 'c@x.y', 'd@x.y']
const phones = ['1', '2', '3', '4']
const usernames = ['ann', 'bob', 'cem', 'new']
const ids = ['u1', 'u2', 'u3', 'deleted']
const socialIds = ['s1', 's2', 's3']
const targets = {
  'github-1': { target: 'github', syncProfile: false },
  'github-2': { target: 'github', syncProfile: true },
  'google-1': { target: 'google', syncProfile: true },
}
const connectorIds = [...Object.keys(targets), 'removed']

const among = <const T>(values: readonly T[]) => fc.constantFrom(...values)
const maybe = <T>(values: readonly T[]) => fc.option(among(values))

const draftAccount = fc
  .record({
    username: maybe(usernames),
    email: maybe(emails),
    phone: maybe(phones),
    hasPassword: fc.boolean(),
    isSuspended: fc.nat(4).map((number) => number === 0),
    identities: fc.dictionary(among(['github', 'google']), fc.record({ userId: among(socialIds) }), {
      maxKeys: 2,
    }),
  })
  .map((fields) => buildAccount({ id: '', ...fields }))

/** Generates up to three accounts with unique identifiers, as in the database. A fourth id belongs to no account. */
const accounts = fc.array(draftAccount, { minLength: 1, maxLength: 3 }).map((drafts) => {
  const unique: Account[] = []
  for (const [index, draft] of drafts.entries()) {
    const isTaken = unique.some((other) => lookupsOf(draft).some((lookup) => matchesLookup(other, lookup)))
    if (!isTaken) unique.push({ ...draft, id: `u${index + 1}` })
  }
  return unique
})

function lookupsOf({ username, email, phone, identities }: Account) {
  return [
    ...(username ? [{ by: 'username' as const, value: username }] : []),
    ...(email ? [{ by: 'email' as const, value: email }] : []),
    ...(phone ? [{ by: 'phone' as const, value: phone }] : []),
    ...Object.entries(identities).map(([target, { userId }]) => ({
      by: 'identity' as const,
      target,
      value: userId,
    })),
  ]
}

const facts: fc.Arbitrary<SubmitFacts> = fc
  .record({
    accounts,
    signUp: fc.record({
      identifiers: fc.subarray([...identifierTypes]),
      password: fc.boolean(),
      verify: fc.boolean(),
    }),
    accountExistence: fc.constantFrom(...accountExistenceModes),
    codes: fc.boolean(),
  })
  .map(({ accounts, signUp, accountExistence, codes }) => ({
    accounts,
    passkeys: ['kept'],
    targets,
    accountExistence,
    secondFactor: noSecondFactor,
    experience: buildExperience({ signUp, passkeys: true, signIn: { methods: methodsWith(codes) } }),
  }))

const methodsWith = (verificationCode: boolean) =>
  everyWay.signIn.methods.map((method) => ({ ...method, verificationCode }))

const socialProfile: fc.Arbitrary<SocialProfile> = fc.record(
  { id: among(socialIds), email: among(emails), phone: among(phones), name: among(['', 'Name']) },
  { requiredKeys: ['id'] },
)

const proof: fc.Arbitrary<Proof> = fc.oneof(
  among(ids).map(byPassword),
  fc.tuple(among(ids), fc.constantFrom('kept', 'removed')).map(([id, passkey]) => byPasskey(id, passkey)),
  among(emails).map(byEmail),
  among(phones).map(byPhone),
  fc
    .tuple(among(connectorIds), socialProfile)
    .map(([connectorId, profile]) => bySocial(connectorId, profile)),
)

const profile: fc.Arbitrary<Profile> = fc.record(
  {
    username: among(usernames),
    email: among(emails),
    phone: among(phones),
    connectorId: among(connectorIds),
    password: among(['secret-1']),
  },
  { requiredKeys: [] },
)

type Call =
  | { call: 'switch the event'; event: InteractionEvent }
  | { call: 'prove'; proof: Proof }
  /** A call that adds a proof of an existing account, as a legitimate user would. */
  | { call: 'prove to be'; who: number; by: Proof['kind'] }
  | { call: 'claim a social address'; connectorId: string; email: string }
  | { call: 'put' | 'patch'; profile: Profile }
  /** A call that adds a verified address or identity to the profile, as the pages do. */
  | { call: 'ask for what was proved'; kind: 'email' | 'phone' | 'social' }
  | { call: 'drop the profile' }

const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ call: fc.constant('switch the event'), event: among(interactionEvents) }),
  fc.record({ call: fc.constant('prove'), proof }),
  fc.record({
    call: fc.constant('prove to be'),
    who: fc.nat(2),
    by: among(['account', 'email', 'phone', 'social']),
  }),
  fc.record({
    call: fc.constant('claim a social address'),
    connectorId: among(connectorIds),
    email: among(emails),
  }),
  fc.record({ call: among(['put', 'patch']), profile }),
  fc.record({ call: fc.constant('ask for what was proved'), kind: among(['email', 'phone', 'social']) }),
  fc.record({ call: fc.constant('drop the profile') }),
)

function perform(call: Call, interaction: Interaction, { accounts }: SubmitFacts): Interaction {
  switch (call.call) {
    case 'switch the event': {
      const next = switchEvent(interaction, call.event)
      return isRefusal(next) ? interaction : next
    }
    case 'prove':
      return addProof(interaction, call.proof)
    case 'prove to be': {
      const owner = accounts[call.who]
      const ownProof = owner && proofsOf(owner).find(({ kind }) => kind === call.by)
      return ownProof ? addProof(interaction, ownProof) : interaction
    }
    case 'claim a social address': {
      const claim = provenSocialAddress(interaction, call)
      return claim.kind === 'refusal' ? interaction : addProof(interaction, claim)
    }
    case 'put':
      return putProfile(interaction, call.profile)
    case 'patch':
      return patchProfile(interaction, call.profile)
    case 'ask for what was proved': {
      const proved = interaction.proofs.find(({ kind }) => kind === call.kind)
      return proved ? patchProfile(interaction, asProfile(proved)) : interaction
    }
    case 'drop the profile':
      return dropProfile(interaction)
  }
}

function proofsOf({ id, email, phone, identities }: Account): Proof[] {
  const github = identities.github
  return [
    byPassword(id),
    byPasskey(id),
    ...(email ? [byEmail(email)] : []),
    ...(phone ? [byPhone(phone)] : []),
    ...(github ? [bySocial('github-1', { id: github.userId })] : []),
  ]
}

function asProfile(proof: Proof): Profile {
  switch (proof.kind) {
    case 'account':
    case 'passkey':
    case 'totp':
    case 'backupCode':
    case 'emailFactor':
    case 'phoneFactor':
      return {}
    case 'email':
      return { email: proof.value }
    case 'phone':
      return { phone: proof.value }
    case 'social':
      return { connectorId: proof.connectorId }
  }
}

/**
 * A random flow, which starts with PUT /interaction and then makes any calls, each followed by a submit. It ends with
 * the first successful submit.
 */
const journey = fc.record({
  event: among(interactionEvents),
  calls: fc.array(call, { minLength: 3, maxLength: 12 }),
  facts,
})

type Submitted = { before: Interaction; decision: Decision; facts: SubmitFacts }

/** Runs random flows and checks each submit. */
function everySubmit(
  check: (submitted: Submitted) => void,
  parameters: fc.Parameters<[unknown]> = { seed, numRuns: isExhaustive ? 30_000 : 2_000 },
) {
  fc.assert(
    fc.property(journey, ({ event, calls, facts }) => {
      let interaction = createInteraction(event, {})
      for (const step of calls) {
        const before = perform(step, interaction, facts)
        const decision = decideSubmit(before, facts)
        check({ before, decision, facts })
        if (decision.outcome.kind !== 'refusal') return
        interaction = decision.interaction
      }
    }),
    parameters,
  )
}

/** Returns the account that a proof belongs to. */
function ownerOf(proof: Proof, { accounts }: SubmitFacts): Account | undefined {
  switch (proof.kind) {
    case 'account':
    case 'passkey':
      return accounts.find(({ id }) => id === proof.userId)
    case 'email':
      return accounts.find(({ email }) => email?.toLowerCase() === proof.value.toLowerCase())
    case 'phone':
      return accounts.find(({ phone }) => phone === proof.value)
    case 'social': {
      const target = Object.entries(targets).find(([id]) => id === proof.connectorId)?.[1].target
      return accounts.find(({ identities }) => target && identities[target]?.userId === proof.profile.id)
    }
  }
}

describe('any sequence of calls', () => {
  it('[ASVS-2.3.1] never signs in to an account or resets its password without a proof of that account', () => {
    everySubmit(({ before, decision: { outcome }, facts }) => {
      if (outcome.kind !== 'signIn' && outcome.kind !== 'resetPassword') return
      const owners = before.proofs.map((one) => ownerOf(one, facts)?.id)
      expect(owners).toContain(outcome.userId)
    })
  })

  it('never signs in to an account with a proof that belongs to another account', () => {
    everySubmit(({ before, decision: { outcome }, facts }) => {
      if (outcome.kind !== 'signIn') return
      for (const one of before.proofs) {
        const owner = ownerOf(one, facts)?.id
        if (owner !== undefined) expectSame(owner, outcome.userId)
      }
    })
  })

  it('signs in with a disabled code only to link an identity', () => {
    everySubmit(({ before, decision: { outcome }, facts }) => {
      const { methods } = facts.experience.signIn
      if (outcome.kind !== 'signIn' || methods.some(({ verificationCode }) => verificationCode)) return
      const isByCode = before.proofs.every((one) => {
        const opens = ownerOf(one, facts)?.id === outcome.userId
        return !opens || ((one.kind === 'email' || one.kind === 'phone') && !one.connectorId)
      })
      if (isByCode) expect(outcome.changes).toHaveProperty('identities')
    })
  })

  it('[ASVS-6.3.4] never signs in to a suspended account', () => {
    everySubmit(({ decision: { outcome }, facts }) => {
      if (outcome.kind !== 'signIn' && outcome.kind !== 'resetPassword') return
      expectSame(facts.accounts.find(({ id }) => id === outcome.userId)?.isSuspended, false)
    })
  })

  it('never switches an interaction from one account to another', () => {
    everySubmit(({ before, decision: { interaction, outcome } }) => {
      if (before.accountId) expectSame(interaction.accountId, before.accountId)
      if (outcome.kind === 'signIn' || outcome.kind === 'resetPassword') {
        expectSame(interaction.accountId, outcome.userId)
      }
    })
  })

  it('[ASVS-6.4.3] ends a password reset only with a new password', () => {
    everySubmit(({ before, decision: { outcome } }) => {
      const isReset = before.event === 'ForgotPassword'
      if (outcome.kind !== 'refusal') expectSame(outcome.kind === 'resetPassword', isReset)
    })
  })

  it('[ASVS-7.5.1] never gives an account an unverified address or identity', () => {
    everySubmit(({ before, decision: { outcome } }) => {
      const { email, phone, identities = {} } = writtenColumns(outcome)
      const proved = before.proofs.flatMap((one) =>
        one.kind === 'email' || one.kind === 'phone'
          ? [one.value]
          : one.kind === 'social'
            ? [one.profile.email, one.profile.phone, one.profile.id]
            : [],
      )
      for (const value of [email, phone, ...Object.values(identities).map(({ userId }) => userId)]) {
        if (value) expect(proved).toContain(value)
      }
    })
  })

  it('never gives an account another account’s username, address or identity', () => {
    everySubmit(({ decision: { outcome }, facts }) => {
      const { username = null, email = null, phone = null, identities = {} } = writtenColumns(outcome)
      for (const lookup of lookupsOf(buildAccount({ id: '', username, email, phone, identities }))) {
        expect(facts.accounts.filter((one) => matchesLookup(one, lookup))).toEqual([])
      }
    })
  })

  it('never removes data from an account', () => {
    everySubmit(({ decision: { outcome }, facts }) => {
      if (outcome.kind !== 'signIn') return
      const owner = facts.accounts.find(({ id }) => id === outcome.userId)
      for (const type of identifierTypes) {
        if (owner?.[type]) expect(outcome.changes).not.toHaveProperty(type)
      }
      if (owner?.hasPassword) expect(outcome.changes).not.toHaveProperty('password')
      const targets = Object.keys(outcome.changes.identities ?? {})
      for (const target of targets) expect(owner?.identities).not.toHaveProperty(target)
    })
  })

  it('gives every new account a usable sign-in method', () => {
    everySubmit(({ decision: { outcome } }) => {
      if (outcome.kind !== 'register') return
      const { username, password, email, phone, identities } = outcome.user
      expect(Boolean((username && password) || email || phone || identities)).toBe(true)
    })
  })

  it('ends a sign-in or registration only when the account has everything that sign-up requires', () => {
    everySubmit(({ decision: { outcome }, facts }) => {
      if (outcome.kind !== 'signIn' && outcome.kind !== 'register') return
      const { identifiers, password } = facts.experience.signUp
      const owner = outcome.kind === 'signIn' && facts.accounts.find(({ id }) => id === outcome.userId)
      const has = { ...(owner || buildAccount({ id: '' })), ...writtenColumns(outcome) }

      if (identifiers.includes('username')) expect(has.username).toBeTruthy()
      const addresses = (['email', 'phone'] as const).filter((type) => identifiers.includes(type))
      if (addresses.length > 0) expect(addresses.some((type) => has[type])).toBe(true)
      if (password) {
        expect(has.hasPassword || has.password || Object.keys(has.identities).length > 0).toBeTruthy()
      }
    })
  })

  it('has the same result if only the required accounts are loaded', () => {
    everySubmit(({ before, decision, facts }) => {
      const lookups = listRequiredLookups(before, facts.targets)
      const loaded = facts.accounts.filter((one) => lookups.some((lookup) => matchesLookup(one, lookup)))
      expectSame(decideSubmit(before, { ...facts, accounts: loaded }), decision)
    })
  })

  it('has the same result if it is submitted again', () => {
    everySubmit(({ decision, facts }) => {
      const again = decideSubmit(decision.interaction, facts)
      expectSame(again.outcome, decision.outcome)
      if (again.interaction !== decision.interaction) expect(again.interaction).toBe(decision.interaction)
    })
  })
})

/**
 * Compares two values without `expect`, which is too slow for hundreds of thousands of submits and is called only to
 * explain a difference.
 */
function expectSame<T>(actual: T, expected: T): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

/** The test of the generators makes many runs with a fixed seed. */
const FIXED_PARAMETERS = { numRuns: 20_000, seed: 2 }

it('the generated call sequences reach every outcome', { timeout: 30_000 }, () => {
  const reached = new Set<string>()
  everySubmit(({ decision: { outcome } }) => {
    reached.add(outcome.kind === 'refusal' ? outcome.code : outcome.kind)
  }, FIXED_PARAMETERS)
  expect([...reached]).toEqual(
    expect.arrayContaining([
      'register',
      'signIn',
      'resetPassword',
      'session.identifier_not_found',
      'session.verification_failed',
      'session.verification_session_not_found',
      'session.connector_session_not_found',
      'entity.not_found',
      'user.user_not_exist',
      'user.identity_not_exist',
      'user.suspended',
      'user.missing_profile',
      'user.username_exists_in_profile',
      'user.email_exists_in_profile',
      'user.phone_exists_in_profile',
      'user.username_already_in_use',
      'user.email_already_in_use',
      'user.phone_already_in_use',
      'user.new_password_required_in_profile',
      'user.password_exists_in_profile',
      'user.identity_already_in_use',
    ]),
  )
})

function writtenColumns(outcome: Decision['outcome']): NewUser {
  switch (outcome.kind) {
    case 'register':
      return outcome.user
    case 'signIn':
      return outcome.changes
    case 'resetPassword':
    case 'refusal':
      return {}
  }
}
