import { expect, it } from 'vitest'
import { z } from 'zod'
import { EmailAddress, Phone, Username } from '../../src/contract/interactions/identifiers.schema.ts'
import { invalidInput } from '../../src/contract/invalid-input.ts'
import { clearableValue, WebAddress } from '../../src/contract/text.schema.ts'

/** Tests the sentences in the `details` of an invalid request (spec/errors#invalid-input). */

const Body = z.strictObject({
  username: clearableValue(Username),
  phone: Phone,
  site: WebAddress,
  name: z.string().min(2).max(4),
  count: z.number().int().min(2).max(9),
  list: z.array(z.enum(['a', 'b'])).max(1),
  kind: z.literal('fixed'),
  isOn: z.boolean(),
  labels: z.record(z.string().regex(/^[a-z]+$/, 'must consist of small letters'), z.string()),
  address: z.union([z.strictObject({ email: EmailAddress }), z.strictObject({ phone: Phone })]),
  nested: z.strictObject({ code: z.string().regex(/^x$/) }),
})
const valid = {
  username: 'ada',
  phone: '4915112345678',
  site: 'https://a.example',
  name: 'abc',
  count: 3,
  list: ['a'],
  kind: 'fixed',
  isOn: true,
  labels: { en: 'x' },
  address: { email: 'ada@example.com' },
  nested: { code: 'x' },
}

it.each<[changes: object, details: string]>([
  [{ name: undefined }, '`name` is required.'],
  [{ name: 5 }, '`name` must be text.'],
  [{ name: 'x' }, '`name` must have at least 2 characters.'],
  [{ name: 'abcdef' }, '`name` must have at most 4 characters.'],
  [{ count: 'x' }, '`count` must be a number.'],
  [{ count: 2.5 }, '`count` must be a whole number.'],
  [{ count: 10 }, '`count` must be at most 9.'],
  [{ list: {} }, '`list` must be a list.'],
  [{ list: ['a', 'b'] }, '`list` must have at most 1 entry.'],
  [{ list: ['c'] }, '`list.0` must be `a` or `b`.'],
  [{ kind: 'other' }, '`kind` must be `fixed`.'],
  [{ isOn: 1 }, '`isOn` must be true or false.'],
  [{ site: 'nowhere' }, '`site` must be a complete URL, such as https://example.com/path.'],
  [{ phone: 'no' }, '`phone` must be a phone number with its country code, such as 4915112345678.'],
  [{ username: '7up' }, '`username` must have only letters, digits and _ and must not begin with a digit.'],
  [{ labels: { EN: 'x' } }, '`labels.EN` is not a permitted key: it must consist of small letters.'],
  [{ labels: 'x' }, '`labels` must be an object.'],
  [{ address: {} }, '`address` must have `email`, or `phone`.'],
  [{ address: { email: 'nobody' } }, '`address` is not valid: `email` is not an email address.'],
  [{ address: { email: 'ada@example.com', more: 1 } }, '`address` has an unknown key: `more`.'],
  [{ nested: { code: 'y' } }, '`nested.code` must be in the documented format.'],
  [{ one: 1, two: 2 }, 'The body has unknown keys: `one` and `two`.'],
])('%j is described as "%s"', (changes, details) => {
  const result = Body.safeParse({ ...valid, ...changes })
  if (!result.error) throw new Error('The body is valid')
  expect(invalidInput(result.error).refusal.details).toBe(details)
})

it('describes each problem on a line of its own, and never repeats a value', () => {
  const secret = 'hunter2 !"§'
  const result = Body.safeParse({ ...valid, username: secret, phone: secret, kind: secret, list: [secret] })
  const { details = '' } = result.error ? invalidInput(result.error).refusal : {}
  expect(details.split('\n')).toHaveLength(4)
  for (const line of details.split('\n')) expect(line).toMatch(/^`[\w.]+` [a-z].*\.$/)
  expect(details).not.toContain('hunter2')
})
