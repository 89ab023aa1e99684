import { describe, expect, it } from 'vitest'
import {
  checkImport,
  type ImportCandidate,
  type TakenIdentifiers,
} from '../../../src/domain/users/user-import.ts'

const nothingTaken: TakenIdentifiers = {
  users: [],
  usernames: [],
  emails: [],
  phones: [],
  identities: [],
  passkeys: [],
  erasedIds: [],
}
let next = 0
const candidate = (fields: Partial<ImportCandidate> = {}): ImportCandidate => ({
  id: `id${next++}`,
  username: null,
  email: null,
  phone: null,
  identities: {},
  roleNames: [],
  needsHash: false,
  passkeys: [],
  ...fields,
})
const check = (
  candidates: ImportCandidate[],
  taken: Partial<TakenIdentifiers> = {},
  roles: string[] = [],
  withAdministrators = false,
) =>
  checkImport(
    candidates,
    { ...nothingTaken, ...taken },
    { knownRoles: new Set(roles), withAdministrators },
  ).map((result) => (result.kind === 'refusal' ? result.code : result.kind))

describe('an import', () => {
  it('assigns a duplicate identifier to the first record', () => {
    const twice = [
      candidate({ username: 'ann' }),
      candidate({ username: 'ann' }),
      candidate({ username: 'Ann' }),
    ]
    const taken = 'user.username_already_in_use'
    expect(check(twice)).toEqual(['create', taken, taken])
  })

  it('assigns a duplicate passkey to the first record, and accepts an existing user’s passkeys', () => {
    const twice = [candidate({ passkeys: ['a'] }), candidate({ passkeys: ['b', 'a'] })]
    expect(check(twice)).toEqual(['create', 'passkey.already_registered'])
    expect(check(twice, { passkeys: ['b'] })).toEqual(['create', 'passkey.already_registered'])
    const existing = candidate({ passkeys: ['b'] })
    expect(check([existing], { users: [existing], passkeys: ['b'] })).toEqual(['existing'])
  })

  it('reserves no identifiers for a rejected record', () => {
    const [bad, good] = [candidate({ username: 'ann', email: 'a@b.c' }), candidate({ email: 'A@b.c' })]
    expect(check([bad, good], { usernames: ['ann'] })).toEqual(['user.username_already_in_use', 'create'])
  })

  it('treats records with the same id and identifiers as one user', () => {
    const [first] = [candidate()]
    expect(check([first, { ...first }])).toEqual(['create', 'existing'])
    expect(check([first], { users: [first] })).toEqual(['existing'])
  })

  it('rejects a record with the same id but different identifiers', () => {
    const ann = candidate({
      id: '1',
      username: 'ann',
      email: 'a@x.de',
      phone: '491',
      identities: { github: '7' },
    })
    const withSameId = (fields: Partial<ImportCandidate>) => candidate({ id: '1', ...fields })
    const others = [
      withSameId({ email: 'b@x.de' }),
      withSameId({ username: 'anne' }),
      withSameId({ phone: '492' }),
      withSameId({ identities: { github: '8' } }),
      withSameId({ identities: { google: '7' } }),
    ]
    const same = [
      withSameId({ email: 'A@x.de' }),
      withSameId({ username: 'Ann' }),
      withSameId({ identities: { github: '7' } }),
      withSameId({}),
    ]
    const results = [...others.map(() => 'entity.id_in_use'), ...same.map(() => 'existing')]
    expect(check([ann, ...others, ...same])).toEqual(['create', ...results])
    expect(check([...others, ...same], { users: [ann] })).toEqual(results)
  })

  it('creates administrators only on request', () => {
    const roles = ['clerk', '#internal:admin']
    const both = [candidate({ roleNames: ['clerk'] }), candidate({ roleNames: roles })]
    expect(check(both, {}, roles)).toEqual(['create', 'role.internal_role_violation'])
    expect(check(both, {}, roles, true)).toEqual(['create', 'create'])
  })

  it.each<[string, Partial<ImportCandidate>, Partial<TakenIdentifiers>, object]>([
    ['its username', { username: 'ann' }, { usernames: ['Ann'] }, { code: 'user.username_already_in_use' }],
    ['its address', { email: 'a@x.de' }, { emails: ['A@x.de'] }, { code: 'user.email_already_in_use' }],
    ['its phone number', { phone: '491' }, { phones: ['491'] }, { code: 'user.phone_already_in_use' }],
    [
      'the id of an erased user',
      { id: '1' },
      { erasedIds: ['1'] },
      { code: 'entity.id_in_use', data: { id: '1' } },
    ],
    [
      'the id of another user',
      { id: '1', username: 'ann' },
      { users: [candidate({ id: '1' })] },
      { code: 'entity.id_in_use', data: { id: '1' } },
    ],
    [
      'unknown roles',
      { roleNames: ['a', 'b', 'c'] },
      {},
      { code: 'role.unknown_name', data: { names: ['b', 'c'] } },
    ],
  ])('rejects a record because of %s', (_, fields, taken, refusal) => {
    const rules = { knownRoles: new Set(['a']), withAdministrators: false }
    expect(checkImport([candidate(fields)], { ...nothingTaken, ...taken }, rules)).toEqual([
      expect.objectContaining(refusal),
    ])
  })

  it('compares only identifiers of the same type', () => {
    const taken = {
      usernames: ['491'],
      users: [candidate({ id: 'ann' })],
      identities: [{ target: 'a', identityId: 'b"]' }],
    }
    expect(check([candidate({ phone: '491' }), candidate({ username: 'ann' })], taken)).toEqual([
      'create',
      'create',
    ])
    expect(check([candidate({ identities: { a: 'b' } })], taken)).toEqual(['create'])
    expect(check([candidate({ identities: { a: 'b"]' } })], taken)).toEqual(['user.identity_already_in_use'])
  })

  it('rejects unknown roles', () => {
    expect(check([candidate({ roleNames: ['a', 'b'] }), candidate({ roleNames: ['a'] })], {}, ['a'])).toEqual(
      ['role.unknown_name', 'create'],
    )
  })

  it('hashes at most twenty passwords, and only those of newly created users', () => {
    const existing = candidate({ needsHash: true })
    const many = Array.from({ length: 21 }, () => candidate({ needsHash: true }))
    expect(check([existing, ...many, candidate()], { users: [existing] })).toEqual([
      'existing',
      ...Array<string>(20).fill('create'),
      'password.too_many_to_hash',
      'create',
    ])
    const rules = { knownRoles: new Set<string>(), withAdministrators: false }
    expect(checkImport(many, nothingTaken, rules).at(-1)).toMatchObject({ data: { max: 20 } })
  })
})
