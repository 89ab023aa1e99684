import { describe, expect, it } from 'vitest'
import { cleanPhrases, findUnknownPhrase, mergePhrases } from '../../../src/domain/experience/phrases.ts'

const english = { input: { username: 'Username', password: 'Password' }, action: { go: 'Go' } }

describe("an operator's phrases", () => {
  it.each([
    { given: { input: { username: '', password: 'Secret' } }, left: { input: { password: 'Secret' } } },
    { given: { input: { username: '' }, action: {} }, left: {} },
    { given: { input: { deeper: { still: '' } } }, left: {} },
    { given: { input: null, action: { go: null }, list: ['', 'a'], count: 7 }, left: { list: { 1: 'a' } } },
  ])('omit empty texts of $given', ({ given, left }) => {
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
  ])('have a key in English, or not: $stray', ({ phrases, stray }) => {
    expect(findUnknownPhrase(phrases, english)).toBe(stray)
  })

  it('replace ours one by one', () => {
    expect(mergePhrases(english, { input: { username: 'Your name' } })).toEqual({
      input: { username: 'Your name', password: 'Password' },
      action: { go: 'Go' },
    })
    expect(english.input.username).toBe('Username')
  })

  it('are left out where their key no longer exists', () => {
    expect(mergePhrases(english, { input: 'Name', action: { go: { on: 'x' } }, old: { key: 'x' } })).toEqual(
      english,
    )
  })
})
