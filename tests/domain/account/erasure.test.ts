import { describe, expect, it } from 'vitest'
import {
  type ErasedNames,
  eraseNames,
  excludeNames,
  uniqueNames,
} from '../../../src/domain/account/erasure.ts'

const names: ErasedNames = {
  id: 'abcdefghijkl',
  unique: ['ann', 'Ann@example.com', '4917012345678'],
  former: ['anna@example.com', 'ann'],
  verified: ['Ann@example.com'],
  asked: ['asked@example.com'],
  shared: ['Ann Smith'],
}
const GONE = '******'
const row = { key: 'Management.User.Update', result: 'Success' }

describe('erasing a user from another user’s audit entry', () => {
  it.each<[string, unknown, unknown]>([
    ['the id', 'abcdefghijkl', GONE],
    ['the id within a text', '/users/abcdefghijkl/roles', `/users/${GONE}/roles`],
    ['a username', 'ann', GONE],
    ['a username in another case', 'ANN', GONE],
    ['a former address', 'anna@example.com', GONE],
    [
      'an address within a text, as often as it occurs',
      'To ann@EXAMPLE.com, Ann@example.com',
      `To ${GONE}, ${GONE}`,
    ],
    ['a phone number within a text', '+4917012345678', `+${GONE}`],
    ['a personal name', 'ann smith', GONE],
    ['a list', ['x', 'ann', ['ann']], ['x', GONE, [GONE]]],
    ['an object', { name: 'Ann Smith', deep: { er: 'ann' } }, { name: GONE, deep: { er: GONE } }],
  ])('removes %s', (_, value, erased) => {
    expect(eraseNames({ ...row, value }, names)).toEqual({ ...row, value: erased })
  })

  it.each<[string, unknown]>([
    ['a short name within a text', 'joann is here'],
    ['a personal name within a text', 'Ann Smith and others'],
    ['an address that a dot would match', 'ann@examplescom'],
    ['an address that the user only entered', 'asked@example.com'],
    ['a number', 4917012345678],
    ['nothing', null],
    ['a switch', true],
  ])('keeps %s', (_, value) => {
    expect(eraseNames({ ...row, value }, names)).toEqual({ ...row, value })
  })

  it.each([
    ['12345', false],
    ['123456', true],
    ['a12345678', false],
    ['12345678a', false],
    ['a@b', true],
    ['elevenchars', false],
    ['twelve chars', true],
  ])('removes the name %s within longer texts: %s', (name, isErased) => {
    const erased = eraseNames({ ...row, value: `(${name})` }, { id: 'x', unique: [name], shared: [] })
    expect(erased.value).toBe(isErased ? `(${GONE})` : `(${name})`)
  })

  it('keeps the key and the result, even if they resemble a name', () => {
    const payload = { key: 'ann', result: 'ann', name: 'ann' }
    expect(eraseNames(payload, names)).toEqual({ key: 'ann', result: 'ann', name: GONE })
  })

  it('keeps the ids of others, even if the user chose one as a name', () => {
    const ids = {
      userId: 'ann',
      applicationId: 'ann',
      interactionId: 'ann',
      sessionId: 'ann',
      requestId: 'ann',
    }
    const payload = {
      ...row,
      ...ids,
      actor: { type: 'user', id: 'ann' },
      identities: { x: { userId: 'ann' } },
    }
    const steps = [{}, { ...ids, key: row.key }]
    expect(eraseNames({ ...payload, steps }, names)).toEqual({
      ...payload,
      steps,
      identities: { x: { userId: GONE } },
    })
    const own = { ...row, userId: names.id, actor: { type: 'user', id: names.id } }
    expect(eraseNames(own, names)).toEqual({ ...row, userId: GONE, actor: { type: 'user', id: GONE } })
  })

  it('removes names from the steps of a row, and keeps what the steps are', () => {
    const chosen = { ...names, unique: ['VerificationCode', 'Success'] }
    const key = 'Interaction.SignIn.Identifier.VerificationCode.Submit'
    const step = { key, result: 'Success' }
    const payload = { ...row, keys: `${key} ${row.key}`, steps: [{ ...step, ip: 'Success' }, {}] }
    expect(eraseNames(payload, chosen)).toEqual({ ...payload, steps: [{ ...step, ip: GONE }, {}] })
  })

  it('removes any hook message about the user as a whole', () => {
    const about = { ...row, hookId: 'h', json: { user: { id: names.id, custom: 'secret' } } }
    expect(eraseNames(about, names)).toEqual({ ...row, hookId: 'h', isErased: true })
    // A message about somebody else may contain the name.
    const other = { ...row, json: { user: { id: 'other', note: `of ${names.id}`, invitedBy: 'ann' } } }
    expect(eraseNames(other, names)).toEqual({
      ...row,
      json: { user: { id: 'other', note: `of ${GONE}`, invitedBy: GONE } },
    })
  })
})

describe('an erased user’s names', () => {
  it('are unique, whether they are current or former', () => {
    expect(uniqueNames(names)).toEqual(['ann', 'Ann@example.com', '4917012345678', 'anna@example.com'])
    expect(uniqueNames({ unique: ['ann'] })).toEqual(['ann'])
  })

  it('exclude names that other users have now', () => {
    expect(excludeNames(names, ['ann', 'asked@example.com', 'Ann Smith', names.id])).toEqual({
      id: names.id,
      unique: ['Ann@example.com', '4917012345678'],
      former: ['anna@example.com'],
      verified: ['Ann@example.com'],
      asked: [],
      shared: ['Ann Smith'],
    })
    expect(excludeNames(names, ['Ann@example.com']).verified).toEqual([])
    expect(excludeNames({ id: 'x', unique: [], shared: [] }, [])).toEqual({
      id: 'x',
      unique: [],
      former: [],
      verified: [],
      asked: [],
      shared: [],
    })
  })
})
