import { z } from 'zod'
import { SIGN_IN_TEST_COOKIE } from '../../contract/cookie-names.ts'
import {
  SocialProfileSchema,
  StoredConnectorSession,
} from '../../contract/interactions/interaction.schema.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import type { SignInTest, SignInTestStart } from '../../contract/social/sign-in-tests.schema.ts'
import { callbackAddress, SIGN_IN_TEST, socialState } from '../../domain/social/social-state.ts'
import { commitRepeatable } from '../../storage/commit.ts'
import { getConnector } from '../../storage/connectors/connectors.ts'
import { randomId } from '../../storage/ids.ts'
import type { Label } from '../../storage/seal.ts'
import { insertSignInTest, signInTestQuery } from '../../storage/social/sign-in-tests.ts'
import type { Principal } from '../access/management-token.ts'
import type { AuditEntry } from '../audit-entry.ts'
import { refuseDemo } from '../connectors/demo-descriptions.ts'
import type { CookieChange } from '../cookie-change.ts'
import type { Dependencies } from '../dependencies.ts'
import { asSocial, authorizationOf, type ProviderAccess } from './social-provider.ts'

/**
 * A sign-in at the provider of a connector that signs nobody in: an operator begins it, and is told what came back
 * (spec/connectors#sign-in-test, ADR-0140).
 */

/** Long enough to sign in with two factors elsewhere; what came back is personal data and goes again. Ours. */
const LIFETIME_SECONDS = 10 * 60
/** Letters and digits: 131 bits. */
const ID_LENGTH = 22

type Operator = { type: Principal['type']; id: string }

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
export type StoredSignInTest = z.infer<typeof Stored>

type Place = { tenantId: string; testId: string }

const label = ({ tenantId, testId }: Place): Label => `sign-in-test/${tenantId}/${testId}`
const browserLabel = (tenantId: string): Label => `sign-in-test-browser/${tenantId}`

export const sealSignInTest = (
  { seals }: Pick<Dependencies, 'seals'>,
  place: Place,
  test: StoredSignInTest,
): Promise<string> => seals.seal(label(place), test)

/** Null for one that is unknown, of another tenant or over. */
export async function findSignInTest(
  { db, seals, now }: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  place: Place,
): Promise<{ test: StoredSignInTest; expiresAt: number } | null> {
  const { tenantId, testId: id } = place
  const [row] = await signInTestQuery(db, { tenantId, id, now: now() })
  const opened = row && (await seals.open(label(place), String(row.payload.sealed)))
  const test = Stored.safeParse(opened).data
  return row && test ? { test, expiresAt: row.expiresAt } : null
}

type Beginning = { tenantId: string; connectorId: string; origin: string; by: Principal; audit: AuditEntry }

/**
 * Where the operator signs in, with the configuration that is stored; and the cookie of the browser in which that counts, so that a
 * link to the provider is of no use in another one.
 */
export async function beginSignInTest(
  dependencies: ProviderAccess & Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, connectorId, origin, by, audit }: Beginning,
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
  const test = { status: 'pending', connectorId, operator: operatorOf(by), session } as const
  const sealed = await sealSignInTest(dependencies, { tenantId, testId }, test)
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

type Question = Place & { connectorId: string; by: Principal }

/** For the operator alone who has begun it: it says who signed in. */
export async function readSignInTest(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  { connectorId, by, ...place }: Question,
): Promise<SignInTest> {
  const found = await findSignInTest(dependencies, place)
  if (!found || found.test.connectorId !== connectorId || !isSame(found.test.operator, by))
    return refuseWith('entity.not_found')
  const { test, expiresAt } = found
  switch (test.status) {
    case 'pending':
      return { status: 'pending', expiresAt }
    case 'succeeded':
      return { status: 'succeeded', profile: test.profile, expiresAt }
    case 'refused':
      return { status: 'refused', error: test.error, expiresAt }
  }
}

const operatorOf = ({ type, id }: Principal): Operator => ({ type, id })
const isSame = (one: Operator, { type, id }: Principal) => one.type === type && one.id === id
