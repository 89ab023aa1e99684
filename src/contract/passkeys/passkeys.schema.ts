import { z } from 'zod'
import { singleLineText } from '../text.schema.ts'
import {
  CREDENTIAL_ID_MAX_LENGTH,
  PASSKEY_NAME_MAX_LENGTH,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeysAfterSubmit,
  passkeyAbilities,
  passkeyPurposes,
} from './passkeys.ts'

const Base64Url = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\w-]+$/, 'is not base64url')

export const CredentialId = Base64Url(CREDENTIAL_ID_MAX_LENGTH)
/** A binary value in base64url. The limit exceeds what any browser or registered algorithm needs. Our choice. */
const Binary = Base64Url(16_384)
/** WebAuthn §5.4.3: 64 bytes. */
const UserHandle = Base64Url(88)

export const Transports = z
  .array(
    z
      .string()
      .max(32)
      .regex(/^[\w-]+$/, 'is not base64url'),
  )
  .max(8)

const credential = { id: CredentialId, rawId: CredentialId, type: z.literal('public-key') }

/** A passkey assertion; unknown keys are dropped. */
export const PasskeyAssertionSchema: z.ZodType<PasskeyAssertion> = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Binary,
    authenticatorData: Binary,
    signature: Binary,
    userHandle: UserHandle.optional(),
  }),
})

export const PasskeyAttestationSchema: z.ZodType<PasskeyAttestation> = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: Binary,
      attestationObject: Binary,
      transports: Transports.optional(),
    }),
  })
  .meta({ id: 'PasskeyAttestation' })

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyRequestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.number(),
    userVerification: z.literal('required'),
  })
  .meta({ id: 'PasskeyRequestOptions' })

/** Options for requesting a security key of the account that the sign-in has identified. */
export const SecurityKeyRequestOptions = PasskeyRequestOptions.extend({
  userVerification: z.literal('discouraged'),
  allowCredentials: z.array(descriptor),
}).meta({ id: 'SecurityKeyRequestOptions' })

/** The purpose of the passkey: signing in, or only a second factor. */
export const PasskeyPurpose = z
  .strictObject({ purpose: z.enum(passkeyPurposes).optional() })
  .meta({ id: 'PasskeyPurpose' })

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
    excludeCredentials: z.array(descriptor),
    timeout: z.number(),
    attestation: z.literal('none'),
    authenticatorSelection: z.object({
      residentKey: z.enum(['required', 'discouraged']),
      requireResidentKey: z.boolean(),
      userVerification: z.enum(['required', 'preferred', 'discouraged']),
    }),
  })
  .meta({ id: 'PasskeyCreationOptions' })

/** The way in which the passkey is created after a sign-in. */
export const PasskeyCreationRequest = z
  .strictObject({
    creation: z.enum(passkeyAbilities).exclude(['signals']),
  })
  .meta({ id: 'PasskeyCreationRequest' })

export const PasskeysAfterSubmitSchema: z.ZodType<PasskeysAfterSubmit> = z.object({
  creations: z.array(z.enum(passkeyAbilities).exclude(['signals'])),
  accepted: z
    .object({
      rpId: z.string(),
      userId: z.string(),
      name: z.string(),
      displayName: z.string(),
      credentialIds: z.array(z.string()),
    })
    .optional(),
})

/** The passkey settings as they are stored and returned. */
export const PasskeySettingsSchema = z.object({
  enabled: z.boolean(),
  rpId: z.string().nullable(),
  manageUrl: z.string().nullable(),
  offer: z.boolean(),
})

export const PasskeySchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  aaguid: z.string(),
  rpId: z.string(),
  transports: z.array(z.string()),
  isBackupEligible: z.boolean(),
  isBackedUp: z.boolean(),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  isSecondFactor: z.boolean(),
})

export const PasskeyPatch = z
  .strictObject({ name: singleLineText(PASSKEY_NAME_MAX_LENGTH) })
  .meta({ id: 'PasskeyPatch' })
