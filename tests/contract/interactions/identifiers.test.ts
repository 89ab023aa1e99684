import { describe, expect, it } from 'vitest'
import {
  IdentifierPayloadSchema,
  NewPhone,
  Phone,
} from '../../../src/contract/interactions/identifiers.schema.ts'
import { NavigationStateBody } from '../../../src/contract/interactions/interaction.schema.ts'

/** The specification: "Phone values are a calling code plus national number, with a '+' prefix." */
describe('a phone number (spec/accounts#phone)', () => {
  const digits = '4917012345678'

  it.each([digits, `+${digits}`])('is reduced to its digits if it is written as %s', (phone) => {
    const verificationCode = '123456'
    expect([Phone.parse(phone), NewPhone.parse(phone)]).toEqual([digits, digits])
    expect(IdentifierPayloadSchema.parse({ phone, verificationCode })).toEqual({
      phone: digits,
      verificationCode,
    })
    expect(IdentifierPayloadSchema.parse({ phone, password: 'x' })).toEqual({ phone: digits, password: 'x' })
    expect(IdentifierPayloadSchema.parse({ connectorId: 'a', phone })).toEqual({
      connectorId: 'a',
      phone: digits,
    })
    const address = { type: 'phone', value: phone }
    const stored = { type: 'phone', value: digits }
    expect(
      NavigationStateBody.parse({
        identifier: address,
        relatedUser: address,
        registeredSocialIdentity: { phone },
      }),
    ).toEqual({ identifier: stored, relatedUser: stored, registeredSocialIdentity: { phone: digits } })
  })

  it('has at most 32 digits, not counting the plus sign', () => {
    const longest = '1'.repeat(32)
    expect([Phone.parse(longest), Phone.parse(`+${longest}`)]).toEqual([longest, longest])
    expect([Phone.safeParse(`${longest}1`).success, Phone.safeParse(`+${longest}1`).success]).toEqual([
      false,
      false,
    ])
  })

  it.each(['', '+', '++491', '+49 170', '491+', ' +491'])('cannot be "%s"', (phone) => {
    expect(Phone.safeParse(phone).success).toBe(false)
  })

  it('is not confused with a username, which keeps its plus sign', () => {
    const identifier = { type: 'username', value: '+1' }
    expect(NavigationStateBody.parse({ identifier })).toEqual({ identifier })
  })
})
