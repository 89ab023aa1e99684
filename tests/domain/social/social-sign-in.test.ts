import { describe, expect, it } from 'vitest'
import type { DemoSocial } from '../../../src/contract/tenants/settings.ts'
import { filterUsedDemos, toDemos } from '../../../src/domain/social/demo-social.ts'
import {
  buildCallbackUrl,
  callbackTemplate,
  formatSocialState,
  parseInteractionState,
  parseSignInTestState,
} from '../../../src/domain/social/social-state.ts'

describe('a social sign-in’s state', () => {
  it('contains the interaction', () => {
    const state = formatSocialState('an-Interaction_1', 'random-1234')
    expect(state).toBe('an-Interaction_1.random-1234')
    expect(parseInteractionState(state)).toBe('an-Interaction_1')
  })

  it.each([
    ['absent', null],
    ['without a random part', 'uid'],
    ['with a short random part', 'uid.0123456789'],
    ['with another part before it', 'a.uid.01234567890'],
    ['with other characters', 'u id.01234567890'],
    ['with other characters at its end', 'uid.01234567890!'],
    ['without an interaction', '.01234567890'],
    ['too long', `${'u'.repeat(65)}.01234567890`],
  ])('is rejected if it is %s', (_what, state) => {
    expect(parseInteractionState(state)).toBeNull()
  })

  it('is returned to a callback URL with an escaped connector id', () => {
    expect(buildCallbackUrl('https://id.example', 'a/b')).toBe('https://id.example/callback/a%2Fb')
    expect(callbackTemplate('https://id.example')).toBe('https://id.example/callback/{id}')
  })

  it.each([
    ['sign-in-test.0123456789a', '0123456789a'],
    ['sign-in-test.0123', null],
    ['sign-in-tests.0123456789a', null],
    ['uid.0123456789a', null],
    [null, null],
  ])('%s names the sign-in test %s', (state, id) => {
    expect(parseSignInTestState(state)).toBe(id)
  })
})

describe('demo buttons', () => {
  const setting = (provider: DemoSocial['provider'], name: string) =>
    ({ provider, name, logo: '/logo.svg' }) as unknown as DemoSocial
  const settings = [
    setting('google', 'A'),
    setting('github', 'B'),
    setting('google', 'C'),
    setting('discord', 'D'),
  ]

  it('are limited to one per provider', () => {
    expect(toDemos(settings).map(({ id, factoryId, target, name }) => [id, factoryId, target, name])).toEqual(
      [
        ['demo-google', 'google-universal', 'google', { en: 'A' }],
        ['demo-github', 'github-universal', 'github', { en: 'B' }],
        ['demo-discord', 'discord-universal', 'discord', { en: 'D' }],
      ],
    )
    expect(toDemos(settings)[0]).toMatchObject({ logo: '/logo.svg', provider: 'google' })
  })

  it('are shown only for the sign-in experience’s social targets', () => {
    expect(filterUsedDemos(settings, ['google', 'apple']).map(({ name }) => name)).toEqual(['A', 'C'])
    expect(filterUsedDemos(settings, [])).toEqual([])
  })
})
