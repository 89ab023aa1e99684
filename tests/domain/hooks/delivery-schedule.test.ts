import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/time.ts'
import { isLastAttempt, retryDelays } from '../../../src/domain/hooks/delivery-schedule.ts'

describe('delivery attempts', () => {
  it('are repeated with doubling delays for 24 hours', () => {
    const minutes = retryDelays.map((delay) => delay / MINUTE)
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 417])
    expect(minutes.reduce((sum, delay) => sum + delay)).toBe(24 * 60)
  })

  it.each([
    { attempts: 1, isLast: false },
    { attempts: 11, isLast: false },
    { attempts: 12, isLast: true },
    { attempts: 13, isLast: true },
  ])('end with attempt $attempts: $isLast', ({ attempts, isLast }) => {
    expect(isLastAttempt(attempts)).toBe(isLast)
  })
})
