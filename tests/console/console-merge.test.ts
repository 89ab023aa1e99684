import { describe, expect, it } from 'vitest'
import { isDeepEqual } from '../../console/api/changes.ts'
import { findConflicts, rebaseChanges, resolveConflicts } from '../../console/api/merge.ts'

/** Tests how changes that two administrators make to the same entity are merged (spec/console#conflicts). */

const base = { name: 'Shop', branding: { name: 'Shop', logoUrl: '/a.svg' }, list: ['x'] }

describe.each([
  {
    what: 'changes of different fields',
    mine: { name: 'Store' },
    theirs: { ...base, list: ['x', 'y'] },
    conflicts: [],
    rebased: { name: 'Store' },
  },
  {
    what: 'changes of different keys of a field that is sent whole',
    mine: { branding: { name: 'Store', logoUrl: '/a.svg' } },
    theirs: { ...base, branding: { name: 'Shop', logoUrl: '/b.svg' } },
    conflicts: [],
    rebased: { branding: { name: 'Store', logoUrl: '/b.svg' } },
  },
  {
    what: 'the removal of a key and a new key',
    mine: { branding: { name: 'Shop' } },
    theirs: { ...base, branding: { ...base.branding, favicon: '/f.ico' } },
    conflicts: [],
    rebased: { branding: { name: 'Shop', favicon: '/f.ico' } },
  },
  {
    what: 'the same change',
    mine: { name: 'Store' },
    theirs: { ...base, name: 'Store' },
    conflicts: [],
    rebased: {},
  },
  {
    what: 'changes of the same key',
    mine: { branding: { name: 'Store', logoUrl: '/a.svg' } },
    theirs: { ...base, branding: { name: 'Market', logoUrl: '/b.svg' } },
    conflicts: [{ keys: ['branding', 'name'], mine: 'Store', theirs: 'Market' }],
    rebased: { branding: { name: 'Store', logoUrl: '/b.svg' } },
  },
  {
    what: 'changes of the same list',
    mine: { list: ['x', 'y'] },
    theirs: { ...base, list: ['x', 'z'] },
    conflicts: [{ keys: ['list'], mine: ['x', 'y'], theirs: ['x', 'z'] }],
    rebased: { list: ['x', 'y'] },
  },
])('$what', ({ mine, theirs, conflicts, rebased }) => {
  it('conflict only where both sides differ, and are rebased onto the current entity', () => {
    expect(findConflicts(mine, { base, theirs })).toEqual(conflicts)
    expect(rebaseChanges(mine, { base, theirs }, []).changes).toEqual(rebased)
  })
})

describe('changes to merged fields', () => {
  // For merged fields, the base and the changes only include changed keys.
  const before = { metadata: { a: 1 } }
  const rebaseMetadata = (mine: object, theirs: object) =>
    rebaseChanges({ metadata: mine }, { base: before, theirs: { metadata: theirs } }, ['metadata'])

  it('contain only the changed keys, even if others have changed the field', () => {
    expect(rebaseMetadata({ a: 2 }, { a: 1, list: ['z'] })).toEqual({
      changes: { metadata: { a: 2 } },
      base: { metadata: { a: 1 } },
    })
    expect(rebaseMetadata({ a: null }, { a: 1, b: true })).toEqual({
      changes: { metadata: { a: null } },
      base: { metadata: { a: 1 } },
    })
    expect(rebaseMetadata({ a: 2 }, { a: 2 })).toEqual({ changes: {}, base: {} })
  })

  it("don't conflict if the field had no value before", () => {
    const nothing = { base: { storage: { provider: null, bucket: null } }, theirs: { storage: null } }
    const mine = { storage: { provider: 'S3Storage', bucket: 'b' } }
    expect(findConflicts(mine, nothing, ['storage'])).toEqual([])
    expect(rebaseChanges(mine, nothing, ['storage']).changes).toEqual(mine)
    // If the field is not merged, its removal by someone else is a conflict.
    expect(findConflicts(mine, nothing)).toEqual([{ keys: ['storage'], mine: mine.storage, theirs: null }])
    // Someone else's removal of a changed key is also a conflict.
    const removed = { base: { storage: { bucket: 'a' } }, theirs: { storage: null } }
    expect(findConflicts({ storage: { bucket: 'b' } }, removed, ['storage'])).toEqual([
      { keys: ['storage', 'bucket'], mine: 'b', theirs: undefined },
    ])
  })

  it('conflict only where both sides change the same key', () => {
    const both = (theirs: object) =>
      findConflicts({ metadata: { a: 2 } }, { base: before, theirs: { metadata: theirs } }).map(
        ({ keys }) => keys,
      )
    expect(both({ a: 3, list: ['x'] })).toEqual([['metadata', 'a']])
    expect(both({ a: 1, list: ['z'] })).toEqual([])
  })
})

it('resolving one conflict leaves the others unresolved', () => {
  const mine = { name: 'Store', branding: { name: 'Store', logoUrl: '/a.svg' } }
  const theirs = { ...base, name: 'Market', branding: { name: 'Market', logoUrl: '/b.svg' } }
  const [ofName, ofBrand] = findConflicts(mine, { base, theirs })
  if (!ofName || !ofBrand) throw new Error('expected two conflicts')
  const first = resolveConflicts(mine, base, { conflicts: [ofName], whose: 'mine' })
  expect(findConflicts(first.changes, { base: first.base, theirs })).toEqual([ofBrand])
  const both = resolveConflicts(first.changes, first.base, { conflicts: [ofBrand], whose: 'theirs' })
  expect(findConflicts(both.changes, { base: both.base, theirs })).toEqual([])
  expect(rebaseChanges(both.changes, { base: both.base, theirs }, []).changes).toEqual({ name: 'Store' })
})

it.each([
  { one: { a: 1, b: [1, { c: 2 }] }, other: { b: [1, { c: 2 }], a: 1, d: undefined }, isEqual: true },
  { one: null, other: undefined, isEqual: true },
  { one: { a: null }, other: {}, isEqual: false },
  { one: [1, 2], other: [2, 1], isEqual: false },
  { one: { a: 1 }, other: [1], isEqual: false },
])('$one and $other are deeply equal: $isEqual', ({ one, other, isEqual }) => {
  expect([isDeepEqual(one, other), isDeepEqual(other, one)]).toEqual([isEqual, isEqual])
})
