import { z } from 'zod'
import { addedSecondFactorPolicies } from '../tenants/settings.ts'

/**
 * The policy that an application or role adds to the tenant's policy, or null to add nothing
 * (spec/accounts#second-factor-policy).
 */
export const addedPolicies = {
  secondFactorPolicy: z.enum(addedSecondFactorPolicies).nullable(),
  /**
   * The number of days for which a browser is remembered. With 0, no browser is remembered
   * (spec/accounts#never-remembered); with null, the tenant's setting applies.
   */
  rememberDays: z.int().min(0).max(0).nullable(),
}
