import { refuse } from '../../contract/errors.ts'
import type { SocialProfile } from '../../contract/interactions/interaction.ts'
import { RefusalError } from '../../contract/refused.ts'
import { commitRepeatable, notAudited } from '../../storage/commit.ts'
import { signInTestUse, updateSignInTest } from '../../storage/social/sign-in-tests.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { installedConnector } from './installed-connector.ts'
import { findSignInTest, type StoredSignInTest, sealSignInTest } from './sign-in-test.ts'
import { type ProviderAccess, profileOf } from './social-provider.ts'

export { signInTestOfBrowser } from './sign-in-test.ts'

type FinishDependencies = ProviderAccess & Pick<Dependencies, 'db' | 'seals' | 'tenantSettings'>

type Answer = {
  tenantId: string
  testId: string
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
  dependencies: FinishDependencies,
  { tenantId, testId, connectorId, data, beginAudit }: Answer,
): Promise<RefusalError | null> {
  const { db, now } = dependencies
  const { test } = (await findSignInTest(dependencies, { tenantId, testId })) ?? {}
  if (test?.status !== 'pending' || test.connectorId !== connectorId) return null
  const { session, operator } = test
  const use = signInTestUse(db, { tenantId, id: testId, now: now() })
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
  const sealed = await sealSignInTest(
    dependencies,
    { tenantId, testId },
    { ...outcomeOf(answer), connectorId, operator },
  )
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
