import { z } from 'zod'
import { SIGN_IN_TEST_COOKIE, SIGN_IN_TEST_SECONDS } from '../../contract/cookie-names.ts'
import { refuse } from '../../contract/errors.ts'
import {
  SocialProfileSchema,
  StoredConnectorSession,
} from '../../contract/interactions/interaction.schema.ts'
import type { SocialProfile } from '../../contract/interactions/interaction.ts'
import { RefusalError, refuseWith, throwIfRefused } from '../../contract/refused.ts'
import {
  type ProfileRemark,
  profileRemarks,
  type SignInTest,
  type SignInTestStart,
} from '../../contract/social/sign-in-tests.schema.ts'
import { buildCallbackUrl, formatSocialState, SIGN_IN_TEST_STATE } from '../../domain/social/social-state.ts'
import { commitRepeatable, notAudited } from '../../storage/commit.ts'
import { getConnector } from '../../storage/connectors/connectors.ts'
import { randomId } from '../../storage/ids.ts'
import type { SealLabel } from '../../storage/seal.ts'
import {
  consumeSignInTest,
  insertSignInTest,
  signInTestQuery,
  updateSignInTest,
} from '../../storage/social/sign-in-tests.ts'
import type { Principal } from '../access/management-token.ts'
import type { AuditEntry } from '../audit.ts'
import { refuseDemo } from '../connectors/describe.ts'
import type { Dependencies } from '../dependencies.ts'
import type { CookieChange } from '../request.ts'
import {
  beginAuthorization,
  fetchSocialProfile,
  requireSocialConnector,
  type SocialProviderDependencies,
  toSocialConnector,
} from './provider.ts'

/**
 * Lets operators test a connector by signing in at its provider. The test does not sign anyone in to Vestibule; it
 * shows the operator what the provider returned (spec/connectors#sign-in-test, ADR-0140).
 */

/** The number of characters in an id: 22 letters and digits give 131 bits of entropy. */
const ID_LENGTH = 22

const testOwner = {
  connectorId: z.string(),
  operator: z.object({ type: z.enum(['app', 'user']), id: z.string() }),
}

/** The payload of a test row. Only this module writes these rows. */
const Stored = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), ...testOwner, session: StoredConnectorSession }),
  z.object({
    status: z.literal('succeeded'),
    ...testOwner,
    profile: SocialProfileSchema,
    remarks: z.array(z.enum(profileRemarks)).default([]),
  }),
  z.object({
    status: z.literal('refused'),
    ...testOwner,
    error: z.object({ code: z.string(), data: z.unknown().optional() }),
  }),
])
type StoredSignInTest = z.infer<typeof Stored>

type TestKey = { tenantId: string; testId: string }

const label = ({ tenantId, testId }: TestKey): SealLabel => `sign-in-test/${tenantId}/${testId}`
const browserLabel = (tenantId: string): SealLabel => `sign-in-test-browser/${tenantId}`

/** Finds a test. Returns null if it does not exist, has expired or belongs to another tenant. */
async function findSignInTest(
  { db, seals, now }: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  testKey: TestKey,
): Promise<{ test: StoredSignInTest; expiresAt: number } | null> {
  const { tenantId, testId: id } = testKey
  const [row] = await signInTestQuery(db, { tenantId, id, now: now() })
  const test = row && Stored.safeParse(await seals.open(label(testKey), String(row.payload.sealed))).data
  return test ? { test, expiresAt: row.expiresAt } : null
}

type TestRequest = { tenantId: string; connectorId: string; origin: string; by: Principal; audit: AuditEntry }

/**
 * Starts a test with the stored configuration. Returns the URL at which the operator signs in, and a cookie that binds
 * the test to this browser. In any other browser, the URL is useless.
 */
export async function beginSignInTest(
  dependencies: SocialProviderDependencies & Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, connectorId, origin, by, audit }: TestRequest,
): Promise<{ started: SignInTestStart; cookie: CookieChange }> {
  const { db, seals, now } = dependencies
  const connector = await getConnector(dependencies, tenantId, connectorId)
  if (!connector) await refuseDemo(dependencies, tenantId, connectorId)
  const social = throwIfRefused(toSocialConnector(connector))
  const testId = randomId(ID_LENGTH)
  const redirect = {
    state: formatSocialState(SIGN_IN_TEST_STATE, testId),
    redirectUri: buildCallbackUrl(origin, connectorId),
  }
  const { uri, session } = await beginAuthorization(dependencies, social, redirect)
  const expiresAt = now() + SIGN_IN_TEST_SECONDS * 1000
  const test = { status: 'pending', connectorId, operator: { type: by.type, id: by.id }, session } as const
  const sealed = await seals.seal(label({ tenantId, testId }), test satisfies StoredSignInTest)
  await commitRepeatable(db, {
    tenantId,
    audit: audit.success(),
    statements: { begun: insertSignInTest(db, { tenantId, id: testId, sealed, expiresAt }) },
  })
  const value = await seals.seal(browserLabel(tenantId), testId)
  return {
    started: { testId, uri, expiresAt },
    cookie: { name: SIGN_IN_TEST_COOKIE, value, maxAgeSeconds: SIGN_IN_TEST_SECONDS },
  }
}

/**
 * Returns the id of the test that this browser has started, as stored in its cookie. A browser has at most one test at
 * a time.
 */
export async function readSignInTestCookie(
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  cookie: string | undefined,
): Promise<string | null> {
  const opened = cookie === undefined ? null : await seals.open(browserLabel(tenantId), cookie)
  return typeof opened === 'string' ? opened : null
}

/** Reads the result of a test. Only the operator who started the test may read it, because it shows who signed in. */
export async function readSignInTest(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  { connectorId, by, ...testKey }: TestKey & { connectorId: string; by: Principal },
): Promise<SignInTest> {
  const { test, expiresAt = 0 } = (await findSignInTest(dependencies, testKey)) ?? {}
  const isOwn = test?.operator.type === by.type && test.operator.id === by.id
  if (!isOwn || test.connectorId !== connectorId) return refuseWith('entity.not_found')
  switch (test.status) {
    case 'pending':
      return { status: 'pending', expiresAt }
    case 'succeeded':
      return { status: 'succeeded', profile: test.profile, remarks: test.remarks, expiresAt }
    case 'refused':
      return { status: 'refused', error: test.error, expiresAt }
  }
}

type ProviderResponse = TestKey & {
  /** The id of the connector whose callback URL received the response. */
  connectorId: string
  data: Record<string, string>
  beginAudit(facts: { connectorId: string; actor: StoredSignInTest['operator'] }): AuditEntry
}

/**
 * Stores a provider's response to a test, without looking up, creating or changing an account. Accepts only the first
 * response from the test's connector. Returns the error, if any, for the audit log. Internal errors are also stored
 * before they are rethrown, so that the operator does not wait in vain.
 */
export async function finishSignInTest(
  dependencies: SocialProviderDependencies & Pick<Dependencies, 'db' | 'seals' | 'tenantSettings'>,
  { tenantId, testId, connectorId, data, beginAudit }: ProviderResponse,
): Promise<RefusalError | null> {
  const { db, seals, now } = dependencies
  const { test } = (await findSignInTest(dependencies, { tenantId, testId })) ?? {}
  if (test?.status !== 'pending' || test.connectorId !== connectorId) return null
  const { session, operator } = test
  const use = consumeSignInTest(db, { tenantId, id: testId, now: now() })
  // The test is claimed before the provider is called, so that only one of two concurrent responses redeems its code.
  const { used } = await commitRepeatable(db, {
    tenantId,
    condition: use.condition,
    audit: notAudited('the outcome has the row'),
    statements: { used: use.used },
  })
  if (used.length === 0) return null
  const audit = beginAudit({ connectorId, actor: operator })
  const remarks: ProfileRemark[] = []
  const onRemark = (remark: ProfileRemark) => void remarks.push(remark)
  const result = await requireSocialConnector(dependencies, tenantId, connectorId)
    .then((social) => fetchSocialProfile(dependencies, social, { data, session, onRemark }))
    .then((profile) => ({ profile, remarks }))
    .catch((error: unknown) => ({ error }))
  const isRefused = 'error' in result
  const outcome: StoredSignInTest = { ...outcomeOf(result), connectorId, operator }
  const sealed = await seals.seal(label({ tenantId, testId }), outcome)
  await commitRepeatable(db, {
    tenantId,
    audit: isRefused ? notAudited('the row of a refusal is the caller’s') : audit.success(),
    statements: { answered: updateSignInTest(db, { tenantId, id: testId, sealed }) },
  })
  if (!isRefused) return null
  if (result.error instanceof RefusalError) return result.error
  throw result.error
}

type TestResult = { profile: SocialProfile; remarks: ProfileRemark[] } | { error: unknown }

function outcomeOf(result: TestResult) {
  if (!('error' in result)) return { status: 'succeeded', ...result } as const
  const { error } = result
  const { code, data } = error instanceof RefusalError ? error.refusal : refuse('server.internal')
  return { status: 'refused', error: { code, ...(data !== undefined && { data }) } } as const
}
