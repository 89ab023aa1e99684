import { describe, expect, it } from 'vitest'
import { limitPayload, truncateText } from '../../src/domain/log-bounds.ts'

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const KEY = 'Interaction.Create'

describe('an audit log row', () => {
  it('is stored unchanged if it is small', () => {
    const payload = {
      key: KEY,
      result: 'Success',
      userId: undefined,
      params: { scope: 'openid', list: [1, null] },
    }
    expect(limitPayload(KEY, payload)).toEqual(payload)
  })

  it('limits strings and names to 256 characters', () => {
    const bounded = limitPayload(KEY, {
      userAgent: 'x'.repeat(60_000),
      ['n'.repeat(300)]: ['y'.repeat(257)],
    })
    expect(bounded).toEqual({
      userAgent: `${'x'.repeat(255)}…`,
      [`${'n'.repeat(255)}…`]: [`${'y'.repeat(255)}…`],
    })
  })

  it.each([
    {
      what: 'many values',
      more: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`p${n}`, 'x'.repeat(90)])),
    },
    { what: 'a long list', more: { list: Array.from({ length: 5_000 }, (_, n) => `x${n}`) } },
    { what: 'control characters', more: { a: '\u0001'.repeat(256), b: '\u0001'.repeat(256) } },
    {
      what: 'four bytes a character',
      more: { a: { b: { c: Array.from({ length: 9 }, () => '😀'.repeat(200)) } } },
    },
    { what: 'depth', more: JSON.parse(`${'{"a":['.repeat(500)}1${']}'.repeat(500)}`) },
  ])('keeps its most important fields within 2,048 bytes: $what', ({ more }) => {
    const facts = { key: KEY, result: 'Error', applicationId: 'app', ip: '203.0.113.7', userAgent: 'Test' }
    const bounded = limitPayload(KEY, { more, ...facts })
    expect(bounded).toMatchObject({ ...facts, isTruncated: true })
    expect(sizeOf(bounded)).toBeLessThanOrEqual(2_048)
  })

  it('keeps the first items in a list that is too long', () => {
    const list = Array.from({ length: 5_000 }, (_, n) => `x${n}`)
    const bounded = limitPayload(KEY, { deep: { list } }) as { deep: { list: string[] } }
    const { length } = bounded.deep.list
    expect(length).toBeGreaterThan(200)
    expect(bounded).toEqual({ deep: { list: list.slice(0, length) }, isTruncated: true })
  })

  it('can be longer only if its key begins with the prefix for management calls', () => {
    const body = { text: 'y'.repeat(300) }
    expect(limitPayload('Management.User.Create', body)).toEqual(body)
    expect(limitPayload('Interaction.Management.Create', body)).not.toEqual(body)
  })

  it.each(['Management.User.Create', 'TriggerHook.PostSignIn'])(
    'can be larger for a management call or a webhook: %s',
    (key) => {
      const userIds = Array.from({ length: 200 }, () => 'x'.repeat(12))
      const body = 'y'.repeat(8_192)
      expect(limitPayload(key, { userIds, response: { body } })).toEqual({ userIds, response: { body } })
      expect(sizeOf(limitPayload(key, { list: Array.from({ length: 50 }, () => body) }))).toBeLessThanOrEqual(
        131_072,
      )
    },
  )

  it('is truncated between code points', () => {
    expect(truncateText(`${'x'.repeat(254)}😀😀`)).toBe(`${'x'.repeat(254)}…`)
    expect(truncateText(`${'x'.repeat(253)}😀😀`)).toBe(`${'x'.repeat(253)}😀…`)
    expect(truncateText('x'.repeat(256))).toHaveLength(256)
  })
})
