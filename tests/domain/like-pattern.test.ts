import { describe, expect, it } from 'vitest'
import { planLikeSearch, toGlobPattern, toLikePattern } from '../../src/domain/like-pattern.ts'

describe('a LIKE pattern', () => {
  it.each([
    { text: 'anna', plan: { mode: 'exact', values: ['anna'] } },
    { text: 'a\\%b\\_c', plan: { mode: 'exact', values: ['a%b_c'] } },
    { text: 'a\\\\b\\', plan: { mode: 'exact', values: ['a\\b\\'] } },
    { text: 'an%', plan: { mode: 'prefix', text: 'an' } },
    { text: 'an%%', plan: { mode: 'prefix', text: 'an' } },
    { text: 'a\\%n%', plan: { mode: 'prefix', text: 'a%n' } },
    { text: '%ann%', plan: { mode: 'contains', text: 'ann' } },
    { text: '%%ann%%', plan: { mode: 'contains', text: 'ann' } },
    { text: '%日本語%', plan: { mode: 'contains', text: '日本語' } },
    { text: '%an%', plan: null },
    { text: '%an%na%', plan: null },
    { text: '%', plan: null },
    { text: '___', plan: null },
  ])('is converted from $text to the search plan $plan', ({ text, plan }) => {
    expect(planLikeSearch(text)).toEqual(plan)
  })

  it.each([
    { text: 'an_a', mode: 'prefix', fragment: 'an', like: 'an_a', glob: 'an?a' },
    { text: 'an%a', mode: 'prefix', fragment: 'an', like: 'an%a', glob: 'an*a' },
    { text: '%anna', mode: 'contains', fragment: 'anna', like: '%anna', glob: '*anna' },
    { text: '_anna%', mode: 'contains', fragment: 'anna', like: '_anna%', glob: '?anna*' },
    { text: '%an%nah%', mode: 'contains', fragment: 'nah', like: '%an%nah%', glob: '*an*nah*' },
    { text: '%a\\_b*[?', mode: 'contains', fragment: 'a_b*[?', like: '%a\\_b*[?', glob: '*a_b[*][[][?]' },
  ])('uses an index ($mode $fragment) before the full match if it is $text', (row) => {
    const plan = planLikeSearch(row.text)
    expect(plan).toMatchObject({ mode: row.mode, text: row.fragment })
    const pattern = plan && 'pattern' in plan ? (plan.pattern ?? []) : []
    expect([toLikePattern(pattern), toGlobPattern(pattern)]).toEqual([row.like, row.glob])
  })

  it("is at most fifty bytes long, D1's limit, if it requires a full match", () => {
    expect(planLikeSearch(`${'x'.repeat(48)}_y`)).not.toBeNull()
    expect(planLikeSearch(`${'x'.repeat(49)}_y`)).toBeNull()
    expect(planLikeSearch(`${'é'.repeat(25)}_y`)).toBeNull()
    expect(planLikeSearch(`${'x'.repeat(100)}%`)).not.toBeNull()
  })
})
