import { describe, expect, it } from 'vitest'
import { readBridge } from '../../client/browser/read-bridge.ts'
import type { SocialConnector } from '../../src/contract/experience/experience.ts'
import { bootExperience, testBootData } from './boot-data.ts'
import { renderElement } from './render.tsx'

const nothing = { universal: true, nativeTargets: [] }

describe("a native app's bridge", () => {
  it.each([undefined, null, 'ios', 1, () => {}])('is null if the global value is %s', (bridge) => {
    expect(readBridge(bridge)).toBeNull()
  })

  it.each([
    { title: 'an empty bridge', bridge: {}, platform: null, callbackLink: null, supported: nothing },
    {
      title: 'a complete bridge',
      bridge: {
        platform: 'ios',
        callbackLink: 'com.example.app://callback',
        supportedConnector: { universal: true, nativeTargets: ['apple', 'wechat'] },
      },
      platform: 'ios',
      callbackLink: 'com.example.app://callback',
      supported: { universal: true, nativeTargets: ['apple', 'wechat'] },
    },
    {
      title: 'a bridge that rejects universal connectors',
      bridge: { platform: 'android', supportedConnector: { universal: false } },
      platform: 'android',
      callbackLink: null,
      supported: { universal: false, nativeTargets: [] },
    },
    {
      title: 'a bridge whose values are all of the wrong type',
      bridge: {
        platform: 'windows',
        callbackLink: 7,
        supportedConnector: { universal: 'no', nativeTargets: 'apple' },
        getPostMessage: 'post',
      },
      platform: null,
      callbackLink: null,
      supported: nothing,
    },
    {
      title: 'a bridge whose targets are not all names',
      bridge: { callbackLink: '', supportedConnector: { nativeTargets: ['apple', 1, null] } },
      platform: null,
      callbackLink: null,
      supported: { universal: true, nativeTargets: ['apple'] },
    },
  ])('is parsed correctly from $title', ({ bridge, platform, callbackLink, supported }) => {
    expect(readBridge(bridge)).toEqual({
      platform,
      callbackLink,
      surroundings: { kind: 'native', supported, hasCallbackLink: callbackLink !== null },
      post: null,
    })
  })

  it('receives messages through the function that it returns', () => {
    const messages: unknown[] = []
    const bridge = {
      inbox: messages,
      getPostMessage(this: { inbox: unknown[] }) {
        return (message: unknown) => this.inbox.push(message)
      },
    }
    const message = { callbackUri: 'https://id.example/sign-in/social/1', redirectTo: 'https://github.com' }
    readBridge(bridge)?.post?.(message)
    expect(messages).toEqual([message])
  })

  it('receives no messages if it returns no function', () => {
    const bridge = readBridge({ getPostMessage: () => null })
    expect(() => bridge?.post?.({ callbackUri: '', redirectTo: '' })).not.toThrow()
  })
})

it('the server renders the page for a browser, because it cannot see the bridge', () => {
  const connector = (name: string, platform: SocialConnector['platform']): SocialConnector => ({
    id: `${name}-${platform}`,
    target: name,
    platform,
    name: { en: name },
    logo: '/logo.svg',
  })
  const socialConnectors = [
    connector('google', 'Universal'),
    connector('google', 'Web'),
    connector('wechat', 'Native'),
  ]
  const html = renderElement({ ...testBootData, experience: { ...bootExperience, socialConnectors } })
  const buttons = html.match(/<button[^>]*name="connectorId"[^>]*>/g) ?? []
  const offered = buttons.map((button) => /value="([^"]+)"/.exec(button)?.[1])
  expect(offered).toEqual(['google-Web'])
})
