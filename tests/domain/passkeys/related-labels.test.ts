import { describe, expect, it } from 'vitest'
import { countRelatedLabels } from '../../../src/domain/passkeys/related-labels.ts'

describe('the number of distinct labels in origins that share passkeys', () => {
  it.each([
    { origins: ['https://id.shop.example', 'https://shop.example'], labels: 1 },
    { origins: ['https://shop.com', 'https://id.shop.co.uk', 'https://shop.de'], labels: 1 },
    { origins: ['https://shop.com', 'https://store.com', 'https://a.b.example'], labels: 3 },
    { origins: ['http://localhost:8787', 'http://default.localhost:8787'], labels: 2 },
  ])('is $labels for $origins', ({ origins, labels }) => {
    expect(countRelatedLabels(origins)).toBe(labels)
  })
})
