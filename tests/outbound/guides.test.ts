import { describe, expect, it } from 'vitest'
import { germanFieldWords, germanGuides } from '../../src/outbound/guides/german.ts'
import { setupGuides } from '../../src/outbound/guides/index.ts'
import { messageConnectors, socialConnectors } from '../../src/outbound/index.ts'

const factories = [...Object.values(messageConnectors), ...Object.values(socialConnectors)]
const asWritten = (text: string) => text
const languages = [
  { language: 'English', guides: setupGuides, translate: asWritten },
  { language: 'German', guides: germanGuides, translate: (text: string) => germanFieldWords[text] ?? text },
]
const everyGuide = languages.flatMap((row) => factories.map((factory) => ({ ...row, ...factory })))

describe.each(everyGuide)(
  'the $language guide for $factoryId',
  ({ guides, translate, factoryId, formItems }) => {
    const guide = guides[factoryId]

    it('mentions every required field and every secret', () => {
      const fields = formItems.filter(({ required, isSecret }) => required || isSecret)
      expect(fields.filter(({ key }) => !guide.includes(`\`${key}\``))).toEqual([])
    })

    it('refers to fields by their form labels', () => {
      const mentioned = [...guide.matchAll(/\*\*([^*]+)\*\* \(`([\w.]+)`\)/g)].map(([, label, key]) => ({
        key,
        label,
      }))
      expect(formItems.map(({ key, label }) => ({ key, label: translate(label) }))).toEqual(
        expect.arrayContaining(mentioned),
      )
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
  },
)

describe('the German guides', () => {
  const linksOf = (guide: string) => [...guide.matchAll(/\]\((https:[^)\s]+)\)/g)].map(([, link]) => link)
  const fieldsOf = (guide: string) => [...guide.matchAll(/\(`([\w.]+)`\)/g)].map(([, key]) => key)

  it.each(factories)('for $factoryId has the links and the steps of the English one', ({ factoryId }) => {
    const [english, german] = [setupGuides[factoryId], germanGuides[factoryId]]
    expect(linksOf(german)).toEqual(linksOf(english))
    expect(fieldsOf(german)).toEqual(expect.arrayContaining(fieldsOf(english)))
    expect(german.match(/^(?:\d\.|-) /gm)).toEqual(english.match(/^(?:\d\.|-) /gm))
    expect(german).not.toMatch(/Common mistakes|The fields/)
  })

  it('name all fields, descriptions and options of the forms in German, and nothing else', () => {
    const texts = factories.flatMap(({ formItems }) =>
      formItems.flatMap(({ label, description, tooltip, selectItems = [] }) => [
        label,
        ...[description, tooltip].flatMap((text) => text ?? []),
        ...selectItems.map(({ title }) => title),
      ]),
    )
    expect(Object.keys(germanFieldWords).toSorted()).toEqual([...new Set(texts)].toSorted())
  })
})
