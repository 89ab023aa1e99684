import { describe, expect, it } from 'vitest'
import type { AgreeToTermsPolicy } from '../../../src/contract/experience/experience.ts'
import { type InteractionEvent, interactionEvents } from '../../../src/contract/interactions/identifiers.ts'
import type { Interaction } from '../../../src/contract/interactions/interaction.ts'
import {
  agreementToRecord,
  agreeToTerms,
  checkTerms,
  hasTerms,
  isAgreementImplied,
  requiresExplicitAgreement,
} from '../../../src/domain/interactions/terms.ts'

const documents = { termsOfUseUrl: 'https://a.example/1', privacyPolicyUrl: null }
const settingsWith = (agreeToTermsPolicy: AgreeToTermsPolicy) => ({ ...documents, agreeToTermsPolicy })
const manual = settingsWith('Manual')
const start = (event: InteractionEvent): Interaction => ({ event, proofs: [] })
const stated = { isStated: true, now: 5 }

describe('the terms', () => {
  it.each([
    { termsOfUseUrl: null, privacyPolicyUrl: null, needed: false },
    { termsOfUseUrl: 'https://a.example', privacyPolicyUrl: null, needed: true },
    { termsOfUseUrl: null, privacyPolicyUrl: 'https://b.example', needed: true },
  ])(
    'require agreement if the URLs are $termsOfUseUrl and $privacyPolicyUrl: $needed',
    ({ needed, ...urls }) => {
      expect(hasTerms(urls)).toBe(needed)
      expect(requiresExplicitAgreement({ ...urls, agreeToTermsPolicy: 'Manual' }, 'Register')).toBe(needed)
      expect(isAgreementImplied({ ...urls, agreeToTermsPolicy: 'Automatic' })).toBe(needed)
    },
  )

  it.each([
    ['Automatic', []],
    ['ManualRegistrationOnly', ['Register']],
    ['Manual', ['SignIn', 'Register']],
  ] as const)('require explicit agreement under the policy %s for the events %j', (policy, events) => {
    const settings = settingsWith(policy)
    expect(interactionEvents.filter((event) => requiresExplicitAgreement(settings, event))).toEqual(events)
    const refused = interactionEvents.filter((event) => checkTerms(start(event), settings))
    expect(refused).toEqual(events)
  })
})

describe('an agreement to the terms', () => {
  it('records the documents and the time, and does not change later', () => {
    const agreed = agreeToTerms(start('Register'), manual, stated)
    const termsAgreement = { ...documents, agreedAt: 5, policy: 'Manual' }
    expect(agreed).toEqual({ ...start('Register'), termsAgreement })
    expect(checkTerms(agreed, manual)).toBeNull()
    expect(agreeToTerms(agreed, manual, { isStated: true, now: 6 })).toBe(agreed)
  })

  it('is implied under the policy `Automatic` when the user continues', () => {
    const agreed = agreeToTerms(start('SignIn'), settingsWith('Automatic'), { isStated: false, now: 5 })
    expect(agreed.termsAgreement?.policy).toBe('Automatic')
    const before = start('SignIn')
    expect(agreeToTerms(before, manual, { isStated: false, now: 5 })).toBe(before)
  })

  it('is no longer valid once the documents have been replaced', () => {
    const agreed = agreeToTerms(start('Register'), manual, stated)
    const replaced = { ...manual, privacyPolicyUrl: 'https://a.example/privacy' }
    expect(checkTerms(agreed, replaced)).toMatchObject({
      code: 'user.terms_not_agreed',
      data: { termsOfUseUrl: documents.termsOfUseUrl, privacyPolicyUrl: replaced.privacyPolicyUrl },
    })
    expect(agreementToRecord(agreed, replaced)(null)).toBeUndefined()
  })

  it('is recorded once for the same documents and policy', () => {
    const agreed = agreeToTerms(start('SignIn'), manual, stated)
    const recorded = { ...documents, agreedAt: 1, policy: 'Manual' } as const
    const toRecord = agreementToRecord(agreed, manual)
    expect(toRecord(null)).toEqual(agreed.termsAgreement)
    expect(toRecord(recorded)).toBeUndefined()
    expect(toRecord({ ...recorded, policy: 'Automatic' })).toEqual(agreed.termsAgreement)
    expect(toRecord({ ...recorded, termsOfUseUrl: 'https://a.example/0' })).toEqual(agreed.termsAgreement)
  })
})
