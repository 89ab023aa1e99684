import { describe, expect, it } from 'vitest'
import { setupGuides } from '../../src/outbound/guides/index.ts'
import { messageConnectors, socialConnectors } from '../../src/outbound/index.ts'

const factories = [...Object.values(messageConnectors), ...Object.values(socialConnectors)]

describe.each(factories)('the guide for $factoryId', ({ factoryId, formItems }) => {
  const guide = setupGuides[factoryId]

  it('mentions every required field and every secret', () => {
    const fields = formItems.filter(({ required, isSecret }) => required || isSecret)
    expect(fields.filter(({ key }) => !guide.includes(`\`${key}\``))).toEqual([])
  })

  it('refers to fields by their form labels', () => {
    const mentioned = [...guide.matchAll(/\*\*([^*]+)\*\* \(`(\w+)`\)/g)].map(([, label, key]) => ({
      key,
      label,
    }))
    expect(formItems.map(({ key, label }) => ({ key, label }))).toEqual(expect.arrayContaining(mentioned))
  })

  it('links to the provider and, for a social connector, contains the callback URL to register there', () => {
    expect(guide).toMatch(/\]\(https:\/\/[\w.-]+\/[^)\s]*\)/)
    expect(guide.includes('{{callbackUrl}}')).toBe(factoryId in socialConnectors)
  })

  it('is between 8 and 25 lines long', () => {
    expect(guide.split('\n').length).toBeGreaterThanOrEqual(8)
    expect(guide.split('\n').length).toBeLessThanOrEqual(25)
    expect(guide).toBe(guide.trim())
  })
})
