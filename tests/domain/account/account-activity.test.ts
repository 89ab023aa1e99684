import { describe, expect, it } from 'vitest'
import {
  type ActivityKind,
  activityKeys,
  classifyActivity,
  formatCursor,
  isOperatorEvent,
  parseCursor,
} from '../../../src/domain/account/account-activity.ts'

describe('an activity’s kind', () => {
  it.each<[key: string, result: string, kind: ActivityKind]>([
    ['Interaction.SignIn.Submit', 'Success', 'signIn'],
    ['Interaction.Register.Submit', 'Success', 'registration'],
    ['Management.User.Create', 'Success', 'registration'],
    ['Management.User.Update', 'Success', 'operator'],
    // Users do not see whether an operator's request failed.
    ['Management.User.Update', 'Error', 'operator'],
    ['Management.User.Create', 'Error', 'registration'],
    ['Interaction.SignIn.Identifier.Password.Submit', 'Error', 'failedSignIn'],
    ['Interaction.SignIn.Submit', 'Error', 'failedSignIn'],
    ['Device.Allow', 'Success', 'accessGiven'],
    ['Account.Consent.Delete', 'Success', 'accessWithdrawn'],
    ['Account.Data.Export', 'Success', 'download'],
    ['Account.Deletion.Create', 'Success', 'deletion'],
    ['Account.Deletion.Delete', 'Success', 'deletionCancelled'],
    ['Account.Email.Update', 'Success', 'email'],
    ['Account.TrustedBrowser.Delete', 'Success', 'browser'],
    ['Account.CustomData.Update', 'Success', 'profile'],
    ['Account.Unknown.Update', 'Success', 'other'],
    ['Account', 'Success', 'other'],
  ])('is determined by the key and the result: %s and %s mean %s', (key, result, kind) => {
    expect(classifyActivity({ key, result })).toBe(kind)
  })

  it('is known for every event that users see', () => {
    const kinds = activityKeys.completed.map((key) => classifyActivity({ key, result: 'Success' }))
    expect(kinds).not.toContain('other')
    expect(activityKeys.refused).toContain('Interaction.SignIn.Identifier.BackupCode.Submit')
  })
})

it.each([
  ['Management.User.Update', true],
  ['ManagementUser', false],
  ['Account.Management.Update', false],
])('%s is an event that an operator caused: %s', (key, isOperator) => {
  expect(isOperatorEvent({ key })).toBe(isOperator)
})

describe('an activity list cursor', () => {
  it('consists of a row’s time and id', () => {
    const cursor = { createdAt: 1_700_000_000_000, id: '~a-B_9' }
    expect(formatCursor(cursor)).toBe('1700000000000.~a-B_9')
    expect(parseCursor(formatCursor(cursor))).toEqual(cursor)
    expect(parseCursor('0.a')).toEqual({ createdAt: 0, id: 'a' })
  })

  it.each([
    ['9'.repeat(15), true],
    ['9'.repeat(16), false],
    ['-1', false],
    ['', false],
  ])('is valid with the time "%s": %s', (time, isValid) => {
    expect(parseCursor(`${time}.a`) !== null).toBe(isValid)
  })

  it.each([
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['a\n', false],
    ['', false],
  ])('is valid with the id "%s": %s', (id, isValid) => {
    expect(parseCursor(`1.${id}`) !== null).toBe(isValid)
  })

  it.each([null, '', 'a', 'x1.a'])('cannot be parsed from %j', (text) => {
    expect(parseCursor(text)).toBeNull()
  })
})
