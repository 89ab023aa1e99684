import { z } from 'zod'
import { SIGN_IN_TEST_COOKIE } from '../../contract/cookie-names.ts'
import { refuse } from '../../contract/errors.ts'
import {
  SocialProfileSchema,
  StoredConnectorSession,
} from '../../contract/interactions/interaction.schema.ts'
import type { SocialProfile } from '../../contract/interactions/interaction.ts'
import { orRefuse, RefusalError, refuseWith } from '../../contract/refused.ts'
import type { SignInTest, SignInTestStart } from '../../contract/social/sign-in-tests.schema.ts'
import { callbackAddress, SIGN_IN_TEST, socialState } from '../../domain/social/social-state.ts'
import { commitRepeatable, notAudited } from '../../storage/commit.ts'
import { getConnector } from '../../storage/connectors/connectors.ts'
import { randomId } from '../../storage/ids.ts'
import type { Label } from '../../storage/seal.ts'
import {
  insertSignInTest,
  signInTestConsumption,
  signInTestQuery,
  updateSignInTest,
} from '../../storage/social/sign-in-tests.ts'
import type { Principal } from '../access/management-token.ts'
import type { AuditEntry } from '../audit.ts'
import { refuseDemo } from '../connectors/describe.ts'
import type { Dependencies } from '../dependencies.ts'
import type { CookieChange } from '../request.ts'
import { asSocial, authorizationOf, installedConnector, type ProviderAccess, profileOf } from './provider.ts'

/**
 * A sign-in at the provider of a connector that signs nobody in: an operator begins it, and is told what came back
 * (spec/connectors#sign-in-test, ADR-0140).
 */

/** Long enough to sign in with two factors elsewhere; what came back is personal data and goes again. Ours. */
const LIFETIME_SECONDS = 10 * 60
/** Letters and digits: 131 bits. */
const ID_LENGTH = 22

const whose = {
  connectorId: z.string(),
  operator: z.object({ type: z.enum(['app', 'user']), id: z.string() }),
}

/** Only we write these rows. */
const Stored = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), ...whose, session: StoredConnectorSession }),
  z.object({ status: z.literal('succeeded'), ...whose, profile: SocialProfileSchema }),
  z.object({
    status: z.literal('refused'),
    ...whose,
    error: z.object({ code: z.string(), data: z.unknown().optional() }),
  }),
])
type StoredSignInTest = z.infer<typeof Stored>

type Place = { tenantId: string; testId: string }

const label = ({ tenantId, testId }: Place): Label => `sign-in-test/${tenantId}/${testId}`
const browserLabel = (tenantId: string): Label => `sign-in-test-browser/${tenantId}`

/** Null for one that is unknown, of another tenant or over. */
async function findSignInTest(
  { db, seals, now }: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  place: Place,
): Promise<{ test: StoredSignInTest; expiresAt: number } | null> {
  const { tenantId, testId: id } = place
  const [row] = await signInTestQuery(db, { tenantId, id, now: now() })
  const test = row && Stored.safeParse(await seals.open(label(place), String(row.payload.sealed))).data
  return test ? { test, expiresAt: row.expiresAt } : null
}

type TestRequest = { tenantId: string; connectorId: string; origin: string; by: Principal; audit: AuditEntry }

/**
 * Where the operator signs in, with the configuration that is stored; and the cookie of the browser in which that counts, so that a
 * link to the provider is of no use in another one.
 */
export async function beginSignInTest(
  dependencies: ProviderAccess & Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, connectorId, origin, by, audit }: TestRequest,
): Promise<{ started: SignInTestStart; cookie: CookieChange }> {
  const { db, seals, now } = dependencies
  const connector = await getConnector(dependencies, tenantId, connectorId)
  if (!connector) await refuseDemo(dependencies, tenantId, connectorId)
  const social = orRefuse(asSocial(connector))
  const testId = randomId(ID_LENGTH)
  const way = {
    state: socialState(SIGN_IN_TEST, testId),
    redirectUri: callbackAddress(origin, connectorId),
  }
  const { uri, session } = await authorizationOf(dependencies, social, way)
  const expiresAt = now() + LIFETIME_SECONDS * 1000
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
    cookie: { name: SIGN_IN_TEST_COOKIE, value, maxAgeSeconds: LIFETIME_SECONDS },
  }
}

/** The test that was begun in a browser, by its cookie. The last one: there is one at a time. */
export async function signInTestOfBrowser(
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  cookie: string | undefined,
): Promise<string | null> {
  const opened = cookie === undefined ? null : await seals.open(browserLabel(tenantId), cookie)
  return typeof opened === 'string' ? opened : null
}

/** Only the operator who began the test may read it: it says who signed in. */
export async function readSignInTest(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  { connectorId, by, ...place }: Place & { connectorId: string; by: Principal },
): Promise<SignInTest> {
  const { test, expiresAt = 0 } = (await findSignInTest(dependencies, place)) ?? {}
  const isOwn = test?.operator.type === by.type && test.operator.id === by.id
  if (!isOwn || test.connectorId !== connectorId) return refuseWith('entity.not_found')
  switch (test.status) {
    case 'pending':
      return { status: 'pending', expiresAt }
    case 'succeeded':
      return { status: 'succeeded', profile: test.profile, expiresAt }
    case 'refused':
      return { status: 'refused', error: test.error, expiresAt }
  }
}

type ProviderAnswer = Place & {
  /** At whose callback it arrived. */
  connectorId: string
  data: Record<string, string>
  beginAudit(about: { connectorId: string; actor: StoredSignInTest['operator'] }): AuditEntry
}

/**
 * The answer of a provider to a test: keeps what came back, and looks up, makes or changes no account. The first answer of its own
 * connector counts; any other is left alone. Answers the refusal, whose row of the audit log is the caller's. A failure of our own is kept
 * as one too, and thrown: the operator must not wait for an answer that has come.
 */
export async function finishSignInTest(
  dependencies: ProviderAccess & Pick<Dependencies, 'db' | 'seals' | 'tenantSettings'>,
  { tenantId, testId, connectorId, data, beginAudit }: ProviderAnswer,
): Promise<RefusalError | null> {
  const { db, seals, now } = dependencies
  const { test } = (await findSignInTest(dependencies, { tenantId, testId })) ?? {}
  if (test?.status !== 'pending' || test.connectorId !== connectorId) return null
  const { session, operator } = test
  const use = signInTestConsumption(db, { tenantId, id: testId, now: now() })
  // Before the provider is asked: of two answers at the same time one redeems its code.
  const { used } = await commitRepeatable(db, {
    tenantId,
    condition: use.condition,
    audit: notAudited('the outcome has the row'),
    statements: { used: use.used },
  })
  if (used.length === 0) return null
  const audit = beginAudit({ connectorId, actor: operator })
  const answer = await installedConnector(dependencies, tenantId, connectorId)
    .then((social) => profileOf(dependencies, social, { data, session }))
    .catch((error: unknown) => ({ error }))
  const isRefused = 'error' in answer
  const outcome: StoredSignInTest = { ...outcomeOf(answer), connectorId, operator }
  const sealed = await seals.seal(label({ tenantId, testId }), outcome)
  await commitRepeatable(db, {
    tenantId,
    audit: isRefused ? notAudited('the row of a refusal is the caller’s') : audit.success(),
    statements: { answered: updateSignInTest(db, { tenantId, id: testId, sealed }) },
  })
  if (!isRefused) return null
  if (answer.error instanceof RefusalError) return answer.error
  throw answer.error
}

function outcomeOf(answer: SocialProfile | { error: unknown }) {
  if (!('error' in answer)) return { status: 'succeeded', profile: answer } as const
  const { error } = answer
  const { code, data } = error instanceof RefusalError ? error.refusal : refuse('server.internal')
  return { status: 'refused', error: { code, ...(data !== undefined && { data }) } } as const
}
