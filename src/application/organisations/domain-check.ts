import { parentDomains, proofRecord } from '../../contract/organisations/domains.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { hasTxtRecord } from '../../outbound/organisations/txt-records.ts'
import { commitChange, notAudited } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import { logFailure } from '../../storage/event-log.ts'
import {
  changesProof,
  type DomainKey,
  dueChecksQuery,
  isProvedByNoOther,
  postponeCheck,
  recordCheck,
} from '../../storage/organisations/domains.ts'
import { createAuditTrail } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'

/** Checks whether the record that proves a domain is there, and records the result (spec/organisations#proof). */

/** The time after which a proved domain is checked again. A missing record is checked daily, until it is back. */
const CHECK_INTERVAL = 7 * DAY
const MISSED_INTERVAL = DAY
/** The time after which a check without a result is repeated. */
const RETRY_INTERVAL = HOUR

/** The number of domains in one scheduled run, of which each makes two calls. One run a minute covers 100,000 a week. */
const CHECKS_PER_RUN = 10

type Resolution = Pick<Dependencies, 'settings' | 'network'>

/** The result of a check: the record is there or missing, or the two resolvers disagree or one of them failed. */
type DomainCheck = 'proved' | 'missing' | 'disagreement' | 'unavailable'

/** Asks two resolvers of different operators, neither of which is believed alone (ADR-0194). */
export async function checkDomain(
  { settings, network }: Resolution,
  domain: { domain: string; token: string },
): Promise<DomainCheck> {
  const record = proofRecord(domain)
  const answers = await Promise.all(settings.dnsResolvers.map((url) => hasTxtRecord(url, record, network)))
  if (answers.includes(null)) return 'unavailable'
  if (answers.every((isThere) => isThere === true)) return 'proved'
  return answers.includes(true) ? 'disagreement' : 'missing'
}

/** Returns the statement that records a conclusive check, and the condition under which it proves the domain. */
export function recordStatements(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  key: DomainKey & { token: string },
  isProved: boolean,
  condition: Condition = ALWAYS_TRUE,
) {
  const names = [key.domain, ...parentDomains(key.domain)]
  const mayProve = isProved ? allOf(isProvedByNoOther(key, names), condition) : condition
  const at = now()
  const check = { isProved, now: at, nextCheckAt: at + (isProved ? CHECK_INTERVAL : MISSED_INTERVAL) }
  return { mayProve, recorded: recordCheck(db, key, check, mayProve) }
}

/**
 * Checks proved domains again, for the scheduled maintenance. Only two resolvers that agree change anything: at the
 * first confirmed miss, automatic joining ends, and it resumes when the record is back. Memberships remain.
 */
export async function recheckDomains(
  dependencies: Resolution & Pick<Dependencies, 'db' | 'now'>,
): Promise<{ checked: number; missed: number }> {
  const { db, now } = dependencies
  const due = await dueChecksQuery(db, now(), CHECKS_PER_RUN)
  const results = await Promise.all(
    due.map((domain) =>
      recheckDomain(dependencies, domain).catch((error: unknown) => {
        logFailure(error, { tenantId: domain.tenantId })
        return 'unavailable' as const
      }),
    ),
  )
  return { checked: due.length, missed: results.filter((result) => result === 'missing').length }
}

async function recheckDomain(
  dependencies: Resolution & Pick<Dependencies, 'db' | 'now'>,
  key: DomainKey & { token: string },
): Promise<DomainCheck> {
  const { db, now } = dependencies
  const { tenantId, organizationId, domain } = key
  const result = await checkDomain(dependencies, key)
  if (result !== 'proved' && result !== 'missing') {
    await commitChange(db, {
      tenantId,
      audit: notAudited('a check without a result changes nothing'),
      statements: { postponed: postponeCheck(db, key, now() + RETRY_INTERVAL) },
    })
    return result
  }
  const isProved = result === 'proved'
  const { recorded } = recordStatements(dependencies, key, isProved)
  const trail = createAuditTrail(dependencies, { ip: undefined, userAgent: undefined })
  const audit = trail.begin(`Organization.Domain.${isProved ? 'Resume' : 'Miss'}`, { organizationId, domain })
  await commitChange(db, {
    tenantId,
    // The audit log records only changes, not that everything is as it was.
    condition: changesProof(key, isProved),
    audit: audit.success(),
    statements: { recorded },
  })
  return result
}
