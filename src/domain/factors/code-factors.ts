import type { AddressFactor } from '../../contract/interactions/interaction.ts'

/**
 * The second factors for which a code is sent to a verified address (spec/accounts#sent-factor-codes). Each has the
 * type of the address, the field of `PATCH …/identifiers` that contains the code, the kind of proof, the names of its
 * rate limits, and the name in its audit keys.
 */
export const codeFactors = {
  email: {
    address: 'email',
    field: 'emailCode',
    proof: 'emailFactor',
    sends: 'emailFactorSends',
    tries: 'emailFactorTries',
    auditName: 'EmailFactor',
  },
  phone: {
    address: 'phone',
    field: 'phoneCode',
    proof: 'phoneFactor',
    sends: 'phoneFactorSends',
    tries: 'phoneFactorTries',
    auditName: 'PhoneFactor',
  },
} as const satisfies Record<AddressFactor, Record<string, string>>
