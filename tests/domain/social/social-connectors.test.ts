import { describe, expect, it } from 'vitest'
import type { SocialConnector } from '../../../src/contract/experience/experience.ts'
import { availableConnectors, type PageEnvironment } from '../../../src/domain/social/social-connectors.ts'

/** `github.Web` is the connector for the web of the target `github`. */
const connector = (id: string): SocialConnector => {
  const [target = '', platform] = id.split('.')
  if (platform !== 'Web' && platform !== 'Native' && platform !== 'Universal') throw new Error(id)
  return { id, target, platform, name: { en: target }, logo: `/${target}.svg` }
}

const web: PageEnvironment = { kind: 'web' }
const app = (
  nativeTargets: string[],
  { universal = true, hasCallbackLink = true } = {},
): PageEnvironment => ({
  kind: 'native',
  supported: { universal, nativeTargets },
  hasCallbackLink,
})

describe('the connectors in a browser', () => {
  it.each([
    { title: 'are none of an app', given: ['wechat.Native', 'github.Web'], shown: ['github.Web'] },
    { title: 'are those for both, too', given: ['google.Universal'], shown: ['google.Universal'] },
    {
      title: 'are one for each target, the one for the web first',
      given: ['google.Universal', 'google.Web'],
      shown: ['google.Web'],
    },
    {
      title: 'do not give up the one for the web again',
      given: ['google.Web', 'google.Universal'],
      shown: ['google.Web'],
    },
    {
      title: 'keep the order of their targets',
      given: ['google.Universal', 'github.Web', 'wechat.Native', 'google.Web', 'wechat.Web'],
      shown: ['google.Web', 'github.Web', 'wechat.Web'],
    },
    {
      title: 'are the first of two of a kind',
      given: ['github.Web', 'github.Web'],
      shown: ['github.Web'],
    },
    { title: 'may be none', given: [], shown: [] },
  ])('$title', ({ given, shown }) => {
    expect(availableConnectors(given.map(connector), web).map(({ id }) => id)).toEqual(shown)
  })
})

describe('the connectors in an app', () => {
  const all = ['google.Universal', 'google.Native', 'github.Web', 'apple.Native', 'apple.Universal']
  it.each([
    {
      title: 'are those it supports, and the universal ones where it does not',
      where: app(['apple']),
      shown: ['google.Universal', 'apple.Native'],
    },
    {
      title: 'are its own where it supports them',
      where: app(['google', 'apple']),
      shown: ['google.Native', 'apple.Native'],
    },
    {
      title: 'are its own alone where nothing leads back into the app',
      where: app(['apple'], { hasCallbackLink: false }),
      shown: ['apple.Native'],
    },
    {
      title: 'are its own alone where it wants no others',
      where: app(['google'], { universal: false }),
      shown: ['google.Native'],
    },
    {
      title: 'are universal where it supports none',
      where: app([]),
      shown: ['google.Universal', 'apple.Universal'],
    },
    { title: 'may be none', where: app([], { hasCallbackLink: false }), shown: [] },
  ])('$title', ({ where, shown }) => {
    expect(availableConnectors(all.map(connector), where).map(({ id }) => id)).toEqual(shown)
  })
})
