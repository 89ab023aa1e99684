import { describe, expect, it } from 'vitest'
import { cleanPhrases, mergePhrases, strayPhrase } from '../../src/domain/phrases.ts'

const english = { input: { username: 'Username', password: 'Password' }, action: { go: 'Go' } }

describe("an operator's phrases", () => {
  it.each([
    { given: { input: { username: '', password: 'Secret' } }, left: { input: { password: 'Secret' } } },
    { given: { input: { username: '' }, action: {} }, left: {} },
    { given: { input: { deeper: { still: '' } } }, left: {} },
    { given: { input: null, action: { go: null }, list: ['', 'a'], count: 7 }, left: { list: { 1: 'a' } } },
  ])('say nothing where $given is empty', ({ given, left }) => {
    expect(cleanPhrases(given)).toEqual(left)
  })

  it.each([
    { phrases: {}, stray: null },
    { phrases: { input: { username: 'Name' } }, stray: null },
    { phrases: { input: {} }, stray: null },
    { phrases: { inputs: { username: 'Name' } }, stray: 'inputs' },
    { phrases: { input: { name: 'Name' } }, stray: 'input.name' },
    { phrases: { input: 'Name' }, stray: 'input' },
    { phrases: { input: { username: { short: 'Name' } } }, stray: 'input.username' },
    { phrases: { action: { go: 'Go' }, toString: 'x' }, stray: 'toString' },
    { phrases: JSON.parse('{"__proto__": {"polluted": "yes"}}'), stray: '__proto__' },
  ])('have a place in English, or not: $stray', ({ phrases, stray }) => {
    expect(strayPhrase(phrases, english)).toBe(stray)
  })

  it('take the place of ours, each by itself', () => {
    expect(mergePhrases(english, { input: { username: 'Your name' } })).toEqual({
      input: { username: 'Your name', password: 'Password' },
      action: { go: 'Go' },
    })
    expect(english.input.username).toBe('Username')
  })

  it('are left out where there is no such place any more', () => {
    expect(mergePhrases(english, { input: 'Name', action: { go: { on: 'x' } }, old: { key: 'x' } })).toEqual(
      english,
    )
  })
})
