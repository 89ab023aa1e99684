import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addedSecondFactorPolicies,
  type SecondFactorPolicy,
  secondFactorPolicies,
} from '../../../src/contract/tenants/settings.ts'
import {
  type Demand,
  demandFor,
  demands,
  isLessStrict,
  strictestDemand,
} from '../../../src/domain/factors/second-factor-policy.ts'
import { sweepOfProcess } from '../../kit/sweep.ts'

const { seed, isExhaustive } = sweepOfProcess()
const parameters = { seed, numRuns: isExhaustive ? 20_000 : 1_000 }

/** How much each demand asks. */
const weight = (demand: Demand) => demands.indexOf(demand)
const policy = fc.constantFrom(...secondFactorPolicies)
const policies = fc.array(policy, { maxLength: 6 })

describe('of several policies the strictest counts (spec/accounts#second-factor-policy)', () => {
  it('whatever their order and however they are grouped', () => {
    fc.assert(
      fc.property(policies, policies, (some, others) => {
        const together = strictestDemand([...some, ...others])
        expect(strictestDemand([...others, ...some])).toBe(together)
        expect(weight(together)).toBe(
          Math.max(weight(strictestDemand(some)), weight(strictestDemand(others))),
        )
        expect(strictestDemand([...some, ...some])).toBe(strictestDemand(some))
      }),
      parameters,
    )
  })

  it('so that an application or a role that asks for less never asks for more', () => {
    const asking = fc.record({
      policy: fc.option(fc.constantFrom(...addedSecondFactorPolicies)),
      rememberDays: fc.constantFrom<0 | null>(0, null),
    })
    fc.assert(
      fc.property(asking, asking, (before, after) => {
        const demand = ({ policy }: typeof before) => weight(strictestDemand(policy ? [policy] : []))
        const isLess = isLessStrict(before, after)
        if (demand(after) < demand(before)) expect(isLess).toBe(true)
        if (before.policy === 'adaptive' && after.policy !== 'adaptive') expect(isLess).toBe(true)
        if (before.rememberDays === 0 && after.rememberDays === null) expect(isLess).toBe(true)
        if (before.policy === null && before.rememberDays === null) expect(isLess).toBe(false)
        expect(isLessStrict(before, before)).toBe(false)
      }),
      parameters,
    )
    const optional = { policy: 'optional', rememberDays: null } as const
    expect(isLessStrict(optional, { policy: 'required', rememberDays: 0 })).toBe(false)
  })

  it('so that one more never asks for less, and `off` for nothing more', () => {
    fc.assert(
      fc.property(policies, policy, (some, added) => {
        const before = strictestDemand(some)
        const after = strictestDemand([...some, added])
        expect(weight(after)).toBeGreaterThanOrEqual(weight(before))
        expect(weight(after)).toBeGreaterThanOrEqual(weight(strictestDemand([added])))
        expect(strictestDemand([...some, 'off'])).toBe(before)
      }),
      parameters,
    )
  })

  it('among tenant, application and the roles of the account itself', () => {
    const facts = fc.record({
      common: policies,
      ofRoles: fc.array(fc.record({ userId: fc.constantFrom('ann', 'bob'), policy })),
      asksForTwoFactors: fc.boolean(),
    })
    fc.assert(
      fc.property(facts, (given) => {
        const own: SecondFactorPolicy[] = [...given.common]
        for (const role of given.ofRoles) if (role.userId === 'ann') own.push(role.policy)
        const raised = own.some((one) => one !== 'off') ? 'required' : 'ifEnrolled'
        const demand = given.asksForTwoFactors ? raised : strictestDemand(own)
        expect(demandFor({ id: 'ann' }, given)).toBe(demand)
        // A registration has no roles yet but those of everybody.
        expect(demandFor(null, given)).toBe(demandFor({ id: 'cem' }, given))
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
  ] as const)('%j: %s', (given, demand) => {
    expect(strictestDemand(given)).toBe(demand)
  })
})
