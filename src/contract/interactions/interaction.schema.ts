import { z } from 'zod'
import { agreeToTermsPolicies } from '../experience/experience.ts'
import { identifierTypes, interactionEvents, SEALED_ACCOUNT_MAX_LENGTH, withoutPlus } from './identifiers.ts'
import {
  addressFactors,
  factorProofKinds,
  flashPhrases,
  type Interaction,
  messageTones,
  type NavigationState,
  unsentReasons,
} from './interaction.ts'

export const SocialProfileSchema = z.object({
  id: z.string(),
  email: z.string().optional(),
  phone: z.string().optional(),
  name: z.string().optional(),
  avatar: z.string().optional(),
})

/**
 * The time of the proof. Records written by an earlier version lack it, so their proofs are treated as older than every
 * revocation.
 */
const provenAt = z.number().default(0)

const Proof = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account'), userId: z.string(), provenAt }),
  z.object({
    kind: z.enum(['email', 'phone']),
    value: z.string(),
    provenAt,
    connectorId: z.string().optional(),
  }),
  z.object({ kind: z.literal('social'), connectorId: z.string(), profile: SocialProfileSchema, provenAt }),
  z.object({
    kind: z.literal('passkey'),
    userId: z.string(),
    provenAt,
    credentialId: z.string(),
    isUserVerified: z.boolean(),
    isBackedUp: z.boolean(),
  }),
  z.object({ kind: z.enum(factorProofKinds), userId: z.string(), provenAt }),
])

/** The state of an authorization at a provider, stored until its response arrives. */
export const StoredConnectorSession = z.object({
  connectorId: z.string(),
  state: z.string(),
  redirectUri: z.string(),
  kept: z.record(z.string(), z.string()),
  /**
   * The start of the session. Records written by an earlier version lack it and are treated as older than every
   * revocation.
   */
  beganAt: z.number().default(0),
})

/** An agreement to the terms, as stored and returned. */
export const StoredTermsAgreement = z.object({
  agreedAt: z.number(),
  policy: z.enum(agreeToTermsPolicies),
  termsOfUseUrl: z.string().nullable(),
  privacyPolicyUrl: z.string().nullable(),
})

/** A stored record. If a record cannot be parsed, it is treated as missing (spec/interaction#lookup). */
export const StoredInteraction: z.ZodType<Interaction> = z.object({
  event: z.enum(interactionEvents),
  proofs: z.array(Proof),
  profile: z
    .object({
      username: z.string().optional(),
      email: z.string().optional(),
      phone: z.string().optional(),
      connectorId: z.string().optional(),
      password: z.string().optional(),
    })
    .optional(),
  accountId: z.string().optional(),
  connectorSession: StoredConnectorSession.optional(),
  enrolment: z
    .object({
      secret: z.string(),
      proven: z.object({ step: z.number(), digests: z.array(z.string()) }).optional(),
    })
    .optional(),
  addressChallenge: z.array(z.enum(addressFactors)).optional(),
  putsOffSecondFactor: z.literal(true).optional(),
  termsAgreement: StoredTermsAgreement.optional(),
  remembersBrowser: z.boolean().optional(),
  afterReset: z.string().optional(),
})

const Address = z.string().max(128)
const PhoneAddress = Address.overwrite(withoutPlus)
/** Drops the plus sign of a phone number, as all other calls do. */
const typedAddress = <Type extends string>(types: readonly [Type, ...Type[]]) =>
  z
    .object({
      type: z.enum(types),
      value: Address,
      account: z.string().max(SEALED_ACCOUNT_MAX_LENGTH).optional(),
    })
    .overwrite((address) =>
      address.type === 'phone' ? { ...address, value: withoutPlus(address.value) } : address,
    )
/** The maximum length of an error message: long enough for a sentence, short enough for a cookie. */
const PROBLEM_MAX_LENGTH = 512

/**
 * The audit entries that an interaction record keeps until the next proof, submit or consent
 * (spec/storage#interaction-rows).
 */
export const StoredLogs = z.object({
  heldLogs: z
    .array(
      z.object({
        id: z.string(),
        key: z.string(),
        createdAt: z.number(),
        payload: z.looseObject({ key: z.string(), result: z.enum(['Success', 'Error']) }),
      }),
    )
    .default([]),
})

/** The part of the navigation state that clients may set (spec/interaction#navigation-state). */
export const NavigationStateBody: z.ZodType<NavigationState> = z
  .object({
    identifier: typedAddress(identifierTypes).optional(),
    registeredSocialIdentity: z
      .object({ email: Address.optional(), phone: PhoneAddress.optional() })
      .optional(),
    relatedUser: typedAddress(['email', 'phone']).optional(),
    event: z.enum(['SignIn', 'Register']).optional(),
    hasAgreed: z.literal(true).optional(),
    codeSentAt: z.int().nonnegative().optional(),
    secondFactor: z
      .object({
        account: typedAddress(identifierTypes).optional(),
        targets: z.object({ email: Address.optional(), phone: Address.optional() }),
        requestedAt: z.int().nonnegative().optional(),
        unsent: z.enum(unsentReasons).optional(),
      })
      .optional(),
    factorCode: z.object({ channel: z.enum(['email', 'phone']), sentTo: Address }).optional(),
    // The `otpauth:` URI, which contains the percent-encoded names of the brand and the account.
    totp: z.object({ secret: z.string().max(64), address: z.string().max(1800) }).optional(),
    backupCodes: z.array(z.string().max(32)).max(20).optional(),
    // Only the URL at which the interaction resumes is accepted.
    onward: z
      .string()
      .max(128)
      .regex(/^\/oidc\/(?:auth|device)\/[\w-]+$/)
      .optional(),
    flash: z.enum(flashPhrases).optional(),
    problem: z.string().max(PROBLEM_MAX_LENGTH).optional(),
    problemTone: z.enum(messageTones).optional(),
  })
  .meta({ id: 'InteractionStep' })
