import { beforeAll, describe, it } from 'vitest'
import type { ProviderAccount } from '../journeys/social/upstream-accounts.ts'
import { answerAt } from '../journeys/social/upstream-sign-in.ts'
import { ORIGIN } from '../kit/clients/cookie-client.ts'
import { freshEmail } from '../kit/clients/interaction-client.ts'
import { comeBack, installUpstream, newProviderAccount } from '../kit/clients/social-client.ts'
import type { Receiver } from '../kit/receiver.ts'
import { type StoredAccount, storeAccount } from '../kit/stored-account.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'
import {
  callsOfSignIn,
  expectAllDelivered,
  hookedReceiver,
  overtakenCodes,
  SETUP_MS,
} from './account-fixtures.ts'
import { accountProblems, rowCount } from './account-invariants.ts'
import { testEveryFault } from './every-fault.ts'
import type { FaultyApp } from './faulty-app.ts'
import { type PatientClient, type ProofSteps, signInFor, withRetries } from './patient-client.ts'

const kinds = ['refused', 'lost', 'killed'] as const
const connectorId = 'oidc'

/** A user whose sign-in is interrupted before or after the redirect to the provider starts again. */
const allowedCodes = [
  ...overtakenCodes,
  'session.connector_session_not_found',
  'connector.social_auth_code_invalid',
  'user.identity_not_exist',
  'user.identity_already_in_use',
]

let receiver: Receiver
beforeAll(async () => {
  receiver = await hookedReceiver(['PostRegister', 'PostSignIn'])
  const app = openTestApp()
  await installUpstream(app, [connectorId])
  await setExperience(app, {
    methods: everyMethod,
    signUp: { identifiers: [], password: false, verify: false },
    signInMode: 'SignInAndRegister',
  })
}, SETUP_MS)

/** Signs in at the provider and sends its response. */
async function show(
  { client }: FaultyApp,
  interaction: PatientClient,
  providerAccount: ProviderAccount,
): Promise<boolean> {
  const state = `${interaction.uid}.${crypto.randomUUID()}`
  const redirectUri = `${ORIGIN}/callback/${connectorId}`
  const authorization = await interaction.call('POST', '/verification/social-authorization-uri', {
    connectorId,
    state,
    redirectUri,
  })
  if (!authorization.ok) return false
  const { redirectTo } = (await authorization.json()) as { redirectTo: string }
  const returnRequest = await answerAt(redirectTo, providerAccount)
  const page = await comeBack(
    { ...client, get: (path) => withRetries(() => client.get(path)) },
    returnRequest,
  )
  const { interaction: _uid, ...connectorData } = Object.fromEntries(page.searchParams)
  return (await interaction.call('PATCH', '/identifiers', { connectorId, connectorData })).ok
}

/**
 * Signs in. If no account has the identity, registers a user or links the identity to the account with the
 * same address.
 */
function withPerson(faulty: FaultyApp, providerAccount: ProviderAccount, links: boolean): ProofSteps {
  return async (interaction) => {
    if (!(await interaction.call('PUT', '', { event: 'SignIn' })).ok) return 'again'
    if (!(await show(faulty, interaction, providerAccount))) return 'again'
    const submitted = await interaction.call('POST', '/submit')
    if (submitted.status !== 422) return submitted
    if (!links && !(await interaction.call('PUT', '/event', { event: 'Register' })).ok) return 'again'
    if (
      links &&
      !(await interaction.call('PATCH', '/identifiers', { connectorId, email: providerAccount.email })).ok
    )
      return 'again'
    if (!(await interaction.call('PATCH', '/profile', { connectorId })).ok) return 'again'
    return interaction.call('POST', '/submit')
  }
}

const identities = async ({ id }: ProviderAccount) =>
  (await rowCount('user_identities where identity_id = ?', id)) === 1 ? [] : ['not one identity']

describe.concurrent('registering through a social provider', () => {
  testEveryFault<ProviderAccount, string>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes,
      expectedCodes: ['user.identity_not_exist'],
      before: () => newProviderAccount({ email: freshEmail(), isVerified: true }),
      make: async (faulty, providerAccount) =>
        (await signInFor(faulty, withPerson(faulty, providerAccount, false))).userId,
      problems: async (userId, providerAccount, faulty) => [
        ...(await identities(providerAccount)),
        ...(await accountProblems(userId, faulty, { registered: true })),
      ],
    },
    kinds,
  )
})

describe.concurrent('linking a social provider to the account with the same address', () => {
  testEveryFault<StoredAccount & { providerAccount: ProviderAccount }, string>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes,
      expectedCodes: ['user.identity_not_exist'],
      async before() {
        const account = await storeAccount()
        return {
          ...account,
          providerAccount: await newProviderAccount({ email: account.email, isVerified: true }),
        }
      },
      make: async (faulty, { providerAccount }) =>
        (await signInFor(faulty, withPerson(faulty, providerAccount, true))).userId,
      problems: async (userId, { id, providerAccount }, faulty) => [
        ...(userId === id ? [] : ['is another user']),
        ...(await identities(providerAccount)),
        ...(await accountProblems(userId, faulty)),
      ],
    },
    kinds,
  )
})

describe('the webhook receiver', () => {
  it('eventually receives every event, each with a single id', () => expectAllDelivered(receiver), SETUP_MS)
})
