import { describe, expect, it } from 'vitest'
import { type Candidate, judgeImport, type Taken } from '../../src/domain/user-import.ts'

const nobody: Taken = { ids: [], usernames: [], emails: [], phones: [], identities: [] }
let next = 0
const candidate = (given: Partial<Candidate> = {}): Candidate => ({
  id: `id${next++}`,
  username: null,
  email: null,
  phone: null,
  identities: {},
  roleNames: [],
  needsHash: false,
  ...given,
})
const judge = (candidates: Candidate[], taken: Partial<Taken> = {}, roles: string[] = []) =>
  judgeImport(candidates, { ...nobody, ...taken }, new Set(roles)).map((verdict) =>
    verdict.kind === 'refusal' ? verdict.code : verdict.kind,
  )

describe('an import', () => {
  it('gives a name to who comes first', () => {
    const twice = [
      candidate({ username: 'ann' }),
      candidate({ username: 'ann' }),
      candidate({ username: 'Ann' }),
    ]
    expect(judge(twice)).toEqual(['create', 'user.username_already_in_use', 'create'])
  })

  it('gives nothing to who is refused', () => {
    const [bad, good] = [candidate({ username: 'ann', email: 'a@b.c' }), candidate({ email: 'A@b.c' })]
    expect(judge([bad, good], { usernames: ['ann'] })).toEqual(['user.username_already_in_use', 'create'])
  })

  it('knows one id as one user', () => {
    const [first] = [candidate()]
    expect(judge([first, { ...first }])).toEqual(['create', 'existing'])
    expect(judge([first], { ids: [first.id] })).toEqual(['existing'])
  })

  it('does not mistake one kind of name for another', () => {
    const taken = { usernames: ['491'], ids: ['ann'], identities: [{ target: 'a', identityId: 'b"]' }] }
    expect(judge([candidate({ phone: '491' }), candidate({ username: 'ann' })], taken)).toEqual([
      'create',
      'create',
    ])
    expect(judge([candidate({ identities: { a: 'b' } })], taken)).toEqual(['create'])
    expect(judge([candidate({ identities: { a: 'b"]' } })], taken)).toEqual(['user.identity_already_in_use'])
  })

  it('asks for roles that exist', () => {
    expect(judge([candidate({ roleNames: ['a', 'b'] }), candidate({ roleNames: ['a'] })], {}, ['a'])).toEqual(
      ['role.unknown_name', 'create'],
    )
  })

  it('hashes twenty passwords, of those alone who will be made', () => {
    const existing = candidate({ needsHash: true })
    const many = Array.from({ length: 21 }, () => candidate({ needsHash: true }))
    expect(judge([existing, ...many, candidate()], { ids: [existing.id] })).toEqual([
      'existing',
      ...Array<string>(20).fill('create'),
      'password.too_many_to_hash',
      'create',
    ])
  })
})
