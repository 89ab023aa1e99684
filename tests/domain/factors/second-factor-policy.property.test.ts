import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addedSecondFactorPolicies,
  type SecondFactorPolicy,
  secondFactorPolicies,
} from '../../../src/contract/tenants/settings.ts'
import {
  type Demand,
  demands,
  getDemand,
  isLoosened,
  strictestDemand,
} from '../../../src/domain/factors/second-factor-policy.ts'
import { sweepOfProcess } from '../../kit/sweep.ts'

const { seed, isExhaustive } = sweepOfProcess()
const parameters = { seed, numRuns: isExhaustive ? 20_000 : 1_000 }

/** Returns how strict a demand is. */
const strictness = (demand: Demand) => demands.indexOf(demand)
const policy = fc.constantFrom(...secondFactorPolicies)
const policies = fc.array(policy, { maxLength: 6 })

describe('the strictest of several policies (spec/accounts#second-factor-policy)', () => {
  it('does not depend on the order or grouping of the policies', () => {
    fc.assert(
      fc.property(policies, policies, (some, others) => {
        const together = strictestDemand([...some, ...others])
        expect(strictestDemand([...others, ...some])).toBe(together)
        expect(strictness(together)).toBe(
          Math.max(strictness(strictestDemand(some)), strictness(strictestDemand(others))),
        )
        expect(strictestDemand([...some, ...some])).toBe(strictestDemand(some))
      }),
      parameters,
    )
  })

  it('becomes less strict only through changes that are classified as loosening', () => {
    const addedPolicy = fc.record({
      policy: fc.option(fc.constantFrom(...addedSecondFactorPolicies)),
      rememberDays: fc.constantFrom<0 | null>(0, null),
    })
    fc.assert(
      fc.property(addedPolicy, addedPolicy, (before, after) => {
        const demand = ({ policy }: typeof before) => strictness(strictestDemand(policy ? [policy] : []))
        const isLess = isLoosened(before, after)
        if (demand(after) < demand(before)) expect(isLess).toBe(true)
        if (before.policy === 'adaptive' && after.policy !== 'adaptive') expect(isLess).toBe(true)
        if (before.rememberDays === 0 && after.rememberDays === null) expect(isLess).toBe(true)
        if (before.policy === null && before.rememberDays === null) expect(isLess).toBe(false)
        expect(isLoosened(before, before)).toBe(false)
      }),
      parameters,
    )
    const optional = { policy: 'optional', rememberDays: null } as const
    expect(isLoosened(optional, { policy: 'required', rememberDays: 0 })).toBe(false)
  })

  it('never becomes less strict when a policy is added, and ignores `off`', () => {
    fc.assert(
      fc.property(policies, policy, (some, added) => {
        const before = strictestDemand(some)
        const after = strictestDemand([...some, added])
        expect(strictness(after)).toBeGreaterThanOrEqual(strictness(before))
        expect(strictness(after)).toBeGreaterThanOrEqual(strictness(strictestDemand([added])))
        expect(strictestDemand([...some, 'off'])).toBe(before)
      }),
      parameters,
    )
  })

  it("considers the tenant, the application and only the account's own roles", () => {
    const facts = fc.record({
      common: policies,
      ofAccounts: fc.array(fc.record({ userId: fc.constantFrom('ann', 'bob'), policy })),
      requestsTwoFactors: fc.boolean(),
    })
    fc.assert(
      fc.property(facts, (policyFacts) => {
        const own: SecondFactorPolicy[] = [...policyFacts.common]
        for (const role of policyFacts.ofAccounts) if (role.userId === 'ann') own.push(role.policy)
        const raised = own.some((item) => item !== 'off') ? 'required' : 'ifEnrolled'
        const demand = policyFacts.requestsTwoFactors ? raised : strictestDemand(own)
        expect(getDemand({ id: 'ann' }, policyFacts)).toBe(demand)
        // A new account has only the default roles.
        expect(getDemand(null, policyFacts)).toBe(getDemand({ id: 'cem' }, policyFacts))
      }),
      parameters,
    )
  })

  it.each([
    [[], 'none'],
    [['off'], 'none'],
    [['off', 'adaptive'], 'voluntary'],
    [['adaptive', 'optional'], 'ifEnrolled'],
    [['off', 'optional'], 'ifEnrolled'],
    [['adaptive', 'required'], 'required'],
    [['prompt', 'optional'], 'prompt'],
    [['optional', 'required', 'prompt', 'off'], 'required'],
  ] as const)('is found among %j and results in the demand %s', (list, demand) => {
    expect(strictestDemand(list)).toBe(demand)
  })
})
