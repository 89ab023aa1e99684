import { describe, expect, it } from 'vitest'
import { interactionEvents } from '../../../src/contract/interactions/identifiers.ts'
import { StoredInteraction } from '../../../src/contract/interactions/interaction.schema.ts'
import type { Interaction, Proof } from '../../../src/contract/interactions/interaction.ts'
import {
  addProof,
  createInteraction,
  dropConnectorSession,
  dropProfile,
  listProvenAccounts,
  openConnectorSession,
  patchProfile,
  provenSocialAddress,
  putEnrolment,
  putProfile,
  setConnectorSession,
  switchEvent,
} from '../../../src/domain/interactions/interaction.ts'
import { isProfileProof } from '../../../src/domain/interactions/proofs.ts'
import { byEmail, byPasskey, byPassword, byPhone, bySocial } from '../given.ts'

const full: Interaction = {
  event: 'SignIn',
  proofs: [byPassword('ann'), byEmail('ann@example.com'), bySocial('github-1', { id: '42' })],
  profile: { username: 'ann', password: 'secret-1' },
  accountId: 'ann',
  connectorSession: {
    connectorId: 'google-1',
    state: 's',
    redirectUri: 'https://id.example.com/callback/google-1',
    kept: { nonce: 'n' },
    beganAt: 1,
  },
  afterReset: 'reset-1',
}

describe('starting an interaction', () => {
  it('creates a record with only the event', () => {
    expect(createInteraction('Register', {})).toEqual({ event: 'Register', proofs: [] })
  })

  it('stores the proof, the profile and the preceding password reset', () => {
    const start = { proof: byPassword('ann'), profile: { username: 'ann' }, afterReset: 'reset-1' }
    expect(createInteraction('SignIn', start)).toEqual({
      event: 'SignIn',
      proofs: [byPassword('ann')],
      profile: { username: 'ann' },
      afterReset: 'reset-1',
    })
  })
})

describe('switching the event', () => {
  it.each([
    { from: 'SignIn', to: 'Register' },
    { from: 'Register', to: 'SignIn' },
  ] as const)('changes $from to $to and keeps everything else', ({ from, to }) => {
    expect(switchEvent({ ...full, event: from }, to)).toEqual({ ...full, event: to })
  })

  it.each([
    { from: 'ForgotPassword', to: 'SignIn' },
    { from: 'ForgotPassword', to: 'Register' },
    { from: 'SignIn', to: 'ForgotPassword' },
    { from: 'Register', to: 'ForgotPassword' },
  ] as const)('cannot change $from to $to', ({ from, to }) => {
    expect(switchEvent({ ...full, event: from }, to)).toMatchObject({
      code: 'session.interaction_not_found',
      status: 404,
    })
  })

  it.each(interactionEvents)('returns the same record if the event is already %s', (event) => {
    const interaction = { ...full, event }
    expect(switchEvent(interaction, event)).toBe(interaction)
  })
})

describe('adding a proof', () => {
  it('replaces any earlier proof of the same kind, and keeps the pinned account', () => {
    const next = addProof(full, byEmail('bob@example.com'))
    expect(next).toEqual({
      ...full,
      proofs: [byPassword('ann'), bySocial('github-1', { id: '42' }), byEmail('bob@example.com')],
    })
  })

  it('keeps only the latest social identity, even across connectors', () => {
    const google = bySocial('google-1', { id: '7' })
    expect(addProof(full, google).proofs).toEqual([byPassword('ann'), byEmail('ann@example.com'), google])
  })

  it('deletes the connector session only if the proof is social', () => {
    expect(addProof(full, bySocial('google-1', { id: '7' }))).not.toHaveProperty('connectorSession')
    expect(addProof(full, byPhone('123'))).toHaveProperty('connectorSession.kept', { nonce: 'n' })
  })
})

describe('setting up an authenticator app', () => {
  it('replaces an earlier attempt and keeps everything else', () => {
    const first = putEnrolment(full, { secret: 'A' })
    expect(first).toEqual({ ...full, enrolment: { secret: 'A' } })
    expect(putEnrolment(first, { secret: 'B' })).toEqual({ ...full, enrolment: { secret: 'B' } })
  })
})

describe('the accounts that proofs belong to', () => {
  it('are found by id or by address, each once', () => {
    const factor = { kind: 'totp', userId: 'ann', provenAt: 2 } as const
    const proofs = [
      byPassword('ann'),
      factor,
      byEmail('a@b.c'),
      byPhone('1'),
      byPasskey('bob'),
      byEmail('a@b.c'),
    ]
    expect(listProvenAccounts({ event: 'SignIn', proofs })).toEqual([
      { by: 'id', value: 'ann' },
      { by: 'email', value: 'a@b.c' },
      { by: 'phone', value: '1' },
      { by: 'id', value: 'bob' },
    ])
  })

  it('are unknown for a social identity by itself', () => {
    expect(listProvenAccounts({ event: 'SignIn', proofs: [bySocial('github-1', { id: '42' })] })).toEqual([])
  })
})

describe('a proof that belongs to the profile', () => {
  const profile = { email: 'a@b.c', phone: '1', connectorId: 'github-1' }
  const factors = (['totp', 'backupCode', 'emailFactor', 'phoneFactor'] as const).map((kind) => ({
    kind,
    userId: 'ann',
    provenAt: 1,
  }))
  it.each<[Proof, boolean]>([
    [byEmail('a@b.c'), true],
    [byEmail('A@b.c'), false],
    [byPhone('1'), true],
    [byPhone('2'), false],
    [bySocial('github-1', { id: '42' }), true],
    [bySocial('google-1', { id: '42' }), false],
    ...[byPassword('ann'), byPasskey('ann'), ...factors].map((proof): [Proof, boolean] => [proof, false]),
  ])('can be %j: %s', (proof, isForProfile) => {
    expect(isProfileProof(proof, profile)).toBe(isForProfile)
  })
})

describe('the profile', () => {
  it('is replaced by PUT', () => {
    expect(putProfile(full, { email: 'a@b.c' })).toEqual({ ...full, profile: { email: 'a@b.c' } })
  })

  it('is merged by PATCH', () => {
    expect(patchProfile(full, { username: 'bob', email: 'a@b.c' }).profile).toEqual({
      username: 'bob',
      email: 'a@b.c',
      password: 'secret-1',
    })
  })

  it('is created by PATCH if it does not exist', () => {
    expect(patchProfile(createInteraction('SignIn', {}), { phone: '1' }).profile).toEqual({ phone: '1' })
  })

  it('is deleted together with the connector session', () => {
    const { event, proofs, accountId, afterReset } = full
    expect(dropProfile(full)).toEqual({ event, proofs, accountId, afterReset })
  })
})

describe('claiming an address that a social account has verified', () => {
  const interaction = createInteraction('SignIn', {
    proof: bySocial('github-1', { id: '42', email: 'Ann@example.com', phone: '123' }),
  })

  it.each([
    { claim: { connectorId: 'github-1', email: 'Ann@example.com' }, proof: byEmail('Ann@example.com') },
    { claim: { connectorId: 'github-1', phone: '123' }, proof: byPhone('123') },
  ])('adds a proof for $claim', ({ claim, proof }) => {
    expect(provenSocialAddress(interaction, claim)).toEqual({ ...proof, connectorId: 'github-1' })
  })

  it.each([
    {
      mismatch: 'another spelling of the address',
      claim: { connectorId: 'github-1', email: 'ann@example.com' },
    },
    { mismatch: 'another phone number', claim: { connectorId: 'github-1', phone: '1234' } },
    { mismatch: 'another connector', claim: { connectorId: 'google-1', email: 'Ann@example.com' } },
  ])('rejects $mismatch', ({ claim }) => {
    expect(provenSocialAddress(interaction, claim)).toMatchObject({
      code: 'session.connector_session_not_found',
      status: 400,
    })
  })

  it('fails without a social proof', () => {
    const claim = { connectorId: 'github-1', email: 'Ann@example.com' }
    expect(provenSocialAddress(createInteraction('SignIn', {}), claim)).toHaveProperty('kind', 'refusal')
  })
})

describe('a connector session', () => {
  const session = {
    connectorId: 'apple-1',
    state: 't',
    redirectUri: 'https://id.example.com/c',
    kept: {},
    beganAt: 2,
  }
  const open = (connectorId: string, connectorData: Record<string, unknown>) =>
    openConnectorSession(full, { connectorId, connectorData })
  const missing = expect.objectContaining({ code: 'session.connector_validation_session_not_found' })

  it('replaces the previous connector session, and is deleted after use', () => {
    expect(setConnectorSession(full, session)).toEqual({ ...full, connectorSession: session })
    const { connectorSession, ...rest } = full
    expect(dropConnectorSession(full)).toEqual(rest)
  })

  it('is returned only for its connector and its state', () => {
    expect(open('google-1', { state: 's', code: 'c' })).toBe(full.connectorSession)
    expect(open('google-1', { code: 'c' })).toBe(full.connectorSession)
    expect(open('google-1', { state: 't' })).toEqual(missing)
    expect(open('google-1', { state: '' })).toEqual(missing)
    expect(open('apple-1', { state: 's' })).toEqual(missing)
    expect(openConnectorSession(null, { connectorId: 'google-1', connectorData: {} })).toEqual(missing)
    expect(
      openConnectorSession(dropConnectorSession(full), { connectorId: 'google-1', connectorData: {} }),
    ).toEqual(missing)
  })
})

it('proofs without a date, from an earlier version, are treated as older than every revocation', () => {
  const proofs = [
    { kind: 'email', value: 'a@b.c' },
    { kind: 'phone', value: '1' },
    { kind: 'social', connectorId: 'github', profile: { id: '1' } },
  ]
  const connectorSession = {
    connectorId: 'github',
    state: 's',
    redirectUri: 'https://id.example.com/c',
    kept: {},
  }
  const record = StoredInteraction.parse({ event: 'SignIn', proofs, connectorSession })
  expect(record.connectorSession).toEqual({ ...connectorSession, beganAt: 0 })
  expect(record.proofs).toEqual(proofs.map((proof) => ({ ...proof, provenAt: 0 })))
})
