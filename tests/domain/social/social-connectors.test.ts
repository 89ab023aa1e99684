import { describe, expect, it } from 'vitest'
import type { SocialConnector } from '../../../src/contract/experience/experience.ts'
import { availableConnectors, type PageEnvironment } from '../../../src/domain/social/social-connectors.ts'

/** Creates a connector from its id: `github.Web` is the Web connector with the target `github`. */
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
    { title: 'exclude native ones', ids: ['wechat.Native', 'github.Web'], shown: ['github.Web'] },
    { title: 'include universal ones', ids: ['google.Universal'], shown: ['google.Universal'] },
    {
      title: 'are one for each target, preferably the Web one',
      ids: ['google.Universal', 'google.Web'],
      shown: ['google.Web'],
    },
    {
      title: 'keep the Web one if a universal one follows',
      ids: ['google.Web', 'google.Universal'],
      shown: ['google.Web'],
    },
    {
      title: 'keep the order of their targets',
      ids: ['google.Universal', 'github.Web', 'wechat.Native', 'google.Web', 'wechat.Web'],
      shown: ['google.Web', 'github.Web', 'wechat.Web'],
    },
    {
      title: 'are the first of two of the same kind',
      ids: ['github.Web', 'github.Web'],
      shown: ['github.Web'],
    },
    { title: 'may be empty', ids: [], shown: [] },
  ])('are selected by platform: they $title', ({ ids, shown }) => {
    expect(availableConnectors(ids.map(connector), web).map(({ id }) => id)).toEqual(shown)
  })
})

it.each(['Web', 'Universal'])('the first of two connectors of the kind %s is available', (platform) => {
  const [first, second] = [connector(`github.${platform}`), connector(`github.${platform}`)]
  expect(availableConnectors([first, second], web)[0]).toBe(first)
})

describe('the connectors in an app', () => {
  const all = ['google.Universal', 'google.Native', 'github.Web', 'apple.Native', 'apple.Universal']
  it.each([
    {
      title: 'are native for the targets that it supports and universal for the others',
      environment: app(['apple']),
      shown: ['google.Universal', 'apple.Native'],
    },
    {
      title: 'are native if it supports them',
      environment: app(['google', 'apple']),
      shown: ['google.Native', 'apple.Native'],
    },
    {
      title: 'are only native if there is no callback link to the app',
      environment: app(['apple'], { hasCallbackLink: false }),
      shown: ['apple.Native'],
    },
    {
      title: 'are only native if it supports no universal ones',
      environment: app(['google'], { universal: false }),
      shown: ['google.Native'],
    },
    {
      title: 'are universal if it supports no native ones',
      environment: app([]),
      shown: ['google.Universal', 'apple.Universal'],
    },
    { title: 'may be empty', environment: app([], { hasCallbackLink: false }), shown: [] },
  ])('depend on its abilities: they $title', ({ environment, shown }) => {
    expect(availableConnectors(all.map(connector), environment).map(({ id }) => id)).toEqual(shown)
  })
})
