import type { Database } from '../database.ts'
import { enrolledFactorsQuery } from '../factors/factors.ts'
import {
  applicationPolicyQuery,
  hasAddedPolicyQuery,
  rolePoliciesQuery,
} from '../factors/second-factor-policies.ts'
import type { IdExpression } from '../users/users.ts'

/**
 * Selects the data that decides whether a user must have signed in with two factors
 * (spec/accounts#recent-verification).
 */
export function requiredLevelQueries(
  db: Database,
  tenantId: string,
  { userId, clientId }: { userId: IdExpression; clientId: string },
) {
  const lookups = [{ by: 'id' as const, value: userId }]
  return {
    applicationPolicies: applicationPolicyQuery(db, tenantId, clientId),
    rolePolicies: rolePoliciesQuery(db, tenantId, lookups),
    holdings: enrolledFactorsQuery(db, tenantId, lookups),
    asked: hasAddedPolicyQuery(db, tenantId),
  }
}
