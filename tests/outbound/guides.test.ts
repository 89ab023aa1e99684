import { describe, expect, it } from 'vitest'
import { guides } from '../../src/outbound/guides/index.ts'
import { messageConnectors, socialConnectors } from '../../src/outbound/index.ts'

const factories = [...Object.values(messageConnectors), ...Object.values(socialConnectors)]

describe.each(factories)('the guide of $factoryId', ({ factoryId, formItems }) => {
  const guide = guides[factoryId]

  it('names every field that must be given, and every secret', () => {
    const fields = formItems.filter(({ required, isSecret }) => required || isSecret)
    expect(fields.filter(({ key }) => !guide.includes(`\`${key}\``))).toEqual([])
  })

  it('calls each field as the form does', () => {
    const named = [...guide.matchAll(/\*\*([^*]+)\*\* \(`(\w+)`\)/g)].map(([, label, key]) => ({
      key,
      label,
    }))
    expect(formItems.map(({ key, label }) => ({ key, label }))).toEqual(expect.arrayContaining(named))
  })

  it('leads to the provider, and says which address to register there if it is social', () => {
    expect(guide).toMatch(/\]\(https:\/\/[\w.-]+\/[^)\s]*\)/)
    expect(guide.includes('{{callbackUrl}}')).toBe(factoryId in socialConnectors)
  })

  it('can be read at once', () => {
    expect(guide.split('\n').length).toBeGreaterThanOrEqual(8)
    expect(guide.split('\n').length).toBeLessThanOrEqual(25)
    expect(guide).toBe(guide.trim())
  })
})
