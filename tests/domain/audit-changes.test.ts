import { describe, expect, it } from 'vitest'
import { describeChanges, hideChanges, mergePatch } from '../../src/domain/audit-changes.ts'

describe('the changed fields of an audit entry', () => {
  it.each<[string, object, object, object | undefined]>([
    ['a value', { name: 'a', type: 'x' }, { name: 'b', type: 'x' }, { name: { before: 'a', after: 'b' } }],
    ['nothing', { name: 'a' }, { name: 'a' }, undefined],
    ['an empty text, which is stored as null', { name: null }, { name: '' }, undefined],
    ['a first value', {}, { name: 'a' }, { name: { before: null, after: 'a' } }],
    ['a removed value', { name: 'a' }, {}, { name: { before: 'a', after: null } }],
    ['a list', { uris: ['a'] }, { uris: ['a', 'b'] }, { uris: { before: ['a'], after: ['a', 'b'] } }],
    [
      'a nested field',
      { factor: { policy: 'off', days: 3 } },
      { factor: { policy: 'required', days: 3 } },
      { 'factor.policy': { before: 'off', after: 'required' } },
    ],
    ['a first object', { a: null }, { a: { b: { c: 1 } } }, { 'a.b.c': { before: null, after: 1 } }],
    ['a text in place of an object', { a: { b: 1 } }, { a: 'b' }, { a: { before: { b: 1 }, after: 'b' } }],
    [
      'an object that is nested deeply',
      { a: { b: { c: { d: { e: 1 } } } } },
      { a: { b: { c: { d: { e: 2 } } } } },
      { 'a.b.c.d': { before: { e: 1 }, after: { e: 2 } } },
    ],
    [
      'a switch',
      { methods: { password: false } },
      { methods: { password: true } },
      { 'methods.password': { before: false, after: true } },
    ],
  ])('contain %s', (_, before, after, changes) => {
    expect(describeChanges(before, after)).toEqual(changes ? { changes } : {})
  })

  it.each([
    { secret: 'SECRET' },
    { password: 'SECRET' },
    { config: { headers: { authorization: 'SECRET' } } },
    { storageProvider: { provider: 'S3Storage', accessSecretKey: 'SECRET' } },
    { storageProvider: { connectionString: 'SECRET' } },
    { list: [{ deep: [{ token: 'SECRET' }] }] },
    { a: { b: { c: { d: { e: { pass: 'SECRET' } } } } } },
  ])('contain no secret: %j', (state) => {
    expect(JSON.stringify([describeChanges(state, {}), describeChanges({}, state)])).not.toContain('SECRET')
  })

  it('are truncated, with a mark, even if the beginnings are equal', () => {
    const long = (end: string) => 'x'.repeat(300) + end
    const { changes } = describeChanges({ css: long('a') }, { css: long('b') })
    expect(changes?.css?.after).toBe(`${'x'.repeat(255)}…`)
    const list = Array.from({ length: 400 }, (_, index) => `item ${index}`)
    const longer = describeChanges({ list: [] }, { list })
    expect(longer.changes?.list).toEqual({
      before: [],
      after: expect.stringMatching(/^\["item 0".{240,250}…$/),
    })
  })

  it('can be shown without their values, and without the names within objects', () => {
    const hidden = { before: '******', after: '******' }
    expect(hideChanges({ name: { before: 'a', after: null } })).toEqual({ name: hidden })
    const nested = { before: null, after: 'b' }
    expect(hideChanges({ 'customData.a.b': nested, 'customData.c': nested })).toEqual({ customData: hidden })
  })
})

it('a patch is merged as deeply as the API merges it', () => {
  const stored = { a: 1, b: { c: 2, d: 3 } }
  expect(mergePatch(stored, { a: null, b: { c: 4 } })).toEqual({ a: null, b: { c: 4 } })
  expect(mergePatch(stored, { b: { c: 4 } }, 2)).toEqual({ a: 1, b: { c: 4, d: 3 } })
  expect(mergePatch(stored)).toEqual(stored)
})
