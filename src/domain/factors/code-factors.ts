import type { AddressFactor } from '../../contract/interactions/interaction.ts'

/**
 * The second factors that are a code sent to a verified address (spec/accounts#sent-factor-codes): which address gets
 * the code, which field of `PATCH …/identifiers` contains it, and what the proof, its limits and its audit keys are
 * called.
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
