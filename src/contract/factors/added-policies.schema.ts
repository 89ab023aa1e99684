import { z } from 'zod'
import { addedSecondFactorPolicies } from '../tenants/settings.ts'

/**
 * What an application or a role requires in addition to the tenant (spec/accounts#second-factor-policy). Null adds
 * nothing.
 */
export const addedPolicies = {
  secondFactorPolicy: z.enum(addedSecondFactorPolicies).nullable(),
  /** 0 remembers no browser (spec/accounts#never-remembered); null leaves the decision to the tenant. */
  rememberDays: z.int().min(0).max(0).nullable(),
}
