import { describe, expect, it } from 'vitest'
import type { SocialConnector } from '../../../src/contract/experience/experience.ts'
import {
  type PageEnvironment,
  selectAvailableConnectors,
} from '../../../src/domain/social/social-connectors.ts'

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

describe('the social connectors in a browser', () => {
  it.each([
    { title: 'exclude native connectors', ids: ['wechat.Native', 'github.Web'], expected: ['github.Web'] },
    { title: 'include universal connectors', ids: ['google.Universal'], expected: ['google.Universal'] },
    {
      title: 'include one connector per target, preferably for the platform Web',
      ids: ['google.Universal', 'google.Web'],
      expected: ['google.Web'],
    },
    {
      title: 'prefer a Web connector to a later universal connector',
      ids: ['google.Web', 'google.Universal'],
      expected: ['google.Web'],
    },
    {
      title: 'keep the order of the targets',
      ids: ['google.Universal', 'github.Web', 'wechat.Native', 'google.Web', 'wechat.Web'],
      expected: ['google.Web', 'github.Web', 'wechat.Web'],
    },
    {
      title: 'include only the first of two connectors for the same target and platform',
      ids: ['github.Web', 'github.Web'],
      expected: ['github.Web'],
    },
    { title: 'can be empty', ids: [], expected: [] },
  ])('$title', ({ ids, expected }) => {
    expect(selectAvailableConnectors(ids.map(connector), web).map(({ id }) => id)).toEqual(expected)
  })
})

it.each(['Web', 'Universal'])('the first of two connectors of the kind %s is available', (platform) => {
  const [first, second] = [connector(`github.${platform}`), connector(`github.${platform}`)]
  expect(selectAvailableConnectors([first, second], web)[0]).toBe(first)
})

describe('the social connectors in a native app', () => {
  const all = ['google.Universal', 'google.Native', 'github.Web', 'apple.Native', 'apple.Universal']
  it.each([
    {
      title: 'are native for the targets that the app supports, and universal for the others',
      environment: app(['apple']),
      expected: ['google.Universal', 'apple.Native'],
    },
    {
      title: 'are native if the app supports all targets',
      environment: app(['google', 'apple']),
      expected: ['google.Native', 'apple.Native'],
    },
    {
      title: 'are only native if the app has no callback link',
      environment: app(['apple'], { hasCallbackLink: false }),
      expected: ['apple.Native'],
    },
    {
      title: 'are only native if the app does not support universal connectors',
      environment: app(['google'], { universal: false }),
      expected: ['google.Native'],
    },
    {
      title: 'are universal if the app supports no native connectors',
      environment: app([]),
      expected: ['google.Universal', 'apple.Universal'],
    },
    { title: 'can be empty', environment: app([], { hasCallbackLink: false }), expected: [] },
  ])('$title', ({ environment, expected }) => {
    expect(selectAvailableConnectors(all.map(connector), environment).map(({ id }) => id)).toEqual(expected)
  })
})
