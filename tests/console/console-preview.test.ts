import { describe, expect, it } from 'vitest'
import { readPreviewMessage } from '../../client/preview/preview-message.ts'
import { createPreviewMessage, type PreviewState } from '../../console/areas/experience/preview-message.ts'
import type { Connector } from '../../console/areas/experience/settings.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import type { Phrases } from '../../src/contract/interactions/boot.ts'

/** Tests the messages that the console sends to the preview of the sign-in pages (spec/console#experience). */

const view: PreviewState = {
  device: 'phone',
  mode: 'dark',
  language: 'de',
  isNative: false,
  hasFailed: false,
}
const { color } = DEFAULT_EXPERIENCE

const connector = (id: string, target: string, more: Partial<Connector> = {}) =>
  ({
    type: 'Social',
    id,
    target,
    platform: 'Universal',
    name: { en: id },
    logo: '/x.svg',
    ...more,
  }) as Connector

const sent = (
  settings = DEFAULT_EXPERIENCE,
  connectors: readonly Connector[] | null = [],
  phrases: Phrases | null = null,
) => createPreviewMessage({ settings, connectors, phrases }, view, color)

describe('the message that the console sends to the preview', () => {
  it('is accepted by the sign-in pages', () => {
    const message = sent({ ...DEFAULT_EXPERIENCE, socialSignInConnectorTargets: ['a'] }, [
      connector('one', 'a', { logoDark: null }),
    ])
    expect(readPreviewMessage(message)).toMatchObject({
      language: 'de',
      mode: 'dark',
      platform: 'mobile',
      signInExperience: { socialConnectors: [{ id: 'one', target: 'a' }] },
    })
  })

  it('contains the social connectors in the same order as the targets', () => {
    const connectors = [
      connector('one', 'a'),
      connector('two', 'b'),
      connector('mail', 'b', { type: 'Email', platform: null }),
      connector('unused', 'c'),
    ]
    const { socialConnectors } = sent(
      { ...DEFAULT_EXPERIENCE, socialSignInConnectorTargets: ['b', 'a', 'unknown'] },
      connectors,
    ).config.signInExperience
    expect(socialConnectors?.map(({ id }) => id)).toEqual(['two', 'one'])
  })

  it("omits the connectors if they can't be loaded", () => {
    expect(sent(DEFAULT_EXPERIENCE, null).config.signInExperience).not.toHaveProperty('socialConnectors')
  })

  it("contains the operator's texts, unless they can't be loaded", () => {
    const texts = { action: { sign_in: '<b>Enter</b>' } }
    expect(readPreviewMessage(sent(DEFAULT_EXPERIENCE, [], texts))?.phrases).toEqual(texts)
    expect(sent(DEFAULT_EXPERIENCE, [], null).config).not.toHaveProperty('phrases')
  })

  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) })
  it.each([
    { what: 'a list instead of an object', phrases: [] },
    { what: 'a nested list', phrases: { action: ['x'] } },
    { what: 'null', phrases: { action: { sign_in: null } } },
    { what: 'a text instead of an object', phrases: 'x' },
    { what: 'too many levels', phrases: nested(5_000) },
  ])('is rejected if the phrases contain $what', ({ phrases }) => {
    const { config, sender } = sent()
    expect(readPreviewMessage({ sender, config: { ...config, phrases } })).toBeNull()
  })

  it('contains the last valid colour while the user types another one', () => {
    const typing = {
      ...DEFAULT_EXPERIENCE,
      color: { ...color, primaryColor: '#12', darkPrimaryColor: '#abc' },
    }
    const message = sent(typing)
    expect(message.config.signInExperience.color).toEqual({
      ...color,
      primaryColor: color.primaryColor,
      darkPrimaryColor: '#abc',
    })
    expect(readPreviewMessage(message)).not.toBeNull()
  })
})
