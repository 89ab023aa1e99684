import { describe, expect, it } from 'vitest'
import { cleanPhrases, findUnknownPhrase, mergePhrases } from '../../../src/domain/experience/phrases.ts'

const english = { input: { username: 'Username', password: 'Password' }, action: { go: 'Go' } }

describe("an operator's phrases", () => {
  it.each([
    { phrases: { input: { username: '', password: 'Secret' } }, expected: { input: { password: 'Secret' } } },
    { phrases: { input: { username: '' }, action: {} }, expected: {} },
    { phrases: { input: { deeper: { still: '' } } }, expected: {} },
    {
      phrases: { input: null, action: { go: null }, list: ['', 'a'], count: 7 },
      expected: { list: { 1: 'a' } },
    },
  ])('are stored without empty phrases: $phrases', ({ phrases, expected }) => {
    expect(cleanPhrases(phrases)).toEqual(expected)
  })

  it.each([
    { phrases: {}, unknown: null },
    { phrases: { input: { username: 'Name' } }, unknown: null },
    { phrases: { input: {} }, unknown: null },
    { phrases: { inputs: { username: 'Name' } }, unknown: 'inputs' },
    { phrases: { input: { name: 'Name' } }, unknown: 'input.name' },
    { phrases: { input: 'Name' }, unknown: 'input' },
    { phrases: { input: { username: { short: 'Name' } } }, unknown: 'input.username' },
    { phrases: { action: { go: 'Go' }, toString: 'x' }, unknown: 'toString' },
    { phrases: JSON.parse('{"__proto__": {"polluted": "yes"}}'), unknown: '__proto__' },
  ])('are checked for keys that do not exist in English: $unknown', ({ phrases, unknown }) => {
    expect(findUnknownPhrase(phrases, english)).toBe(unknown)
  })

  it('replace individual built-in phrases', () => {
    expect(mergePhrases(english, { input: { username: 'Your name' } })).toEqual({
      input: { username: 'Your name', password: 'Password' },
      action: { go: 'Go' },
    })
    expect(english.input.username).toBe('Username')
  })

  it('are ignored if their key no longer exists', () => {
    expect(mergePhrases(english, { input: 'Name', action: { go: { on: 'x' } }, old: { key: 'x' } })).toEqual(
      english,
    )
  })
})
