import { z } from 'zod'
import { PasskeyAssertionSchema } from '../passkeys/passkeys.schema.ts'
import { storableText } from '../text.schema.ts'
import { EMAIL_MAX_LENGTH, parseEmailAddress } from './email-address.ts'
import {
  IDENTIFIER_MAX_LENGTH,
  interactionEvents,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  SEALED_ACCOUNT_MAX_LENGTH,
  USERNAME_PATTERN,
  withoutPlus,
} from './identifiers.ts'
import { isPhoneNumber } from './phone-numbers.ts'

const Name = storableText(IDENTIFIER_MAX_LENGTH)
const IdentifierInput = Name.min(1)
/**
 * An email address at sign-in. It is converted to the stored form for looking up the account, but not validated
 * (spec/accounts#identifiers).
 */
const EmailInput = IdentifierInput.transform((value) => parseEmailAddress(value) ?? value)
const PhoneInput = IdentifierInput.overwrite(withoutPlus)
const PasswordInput = storableText(PASSWORD_MAX_LENGTH).min(1)
const CodeInput = storableText(16).min(1)
const ConnectorId = Name

export const Username = Name.regex(
  USERNAME_PATTERN,
  'must have only letters, digits and _ and must not begin with a digit',
)

/** An email address in its stored form, with an internationalized domain in ASCII (spec/accounts#email). */
export const EmailAddress = storableText(EMAIL_MAX_LENGTH)
  .meta({ format: 'idn-email', description: 'Rejected if it is not an email address.' })
  .transform((value, context) => {
    const address = parseEmailAddress(value)
    if (address !== null) return address
    context.addIssue({ code: 'custom', message: 'is not an email address' })
    return z.NEVER
  })

/** An email address that is short enough for the column in which accounts store it. */
export const Email = EmailAddress.pipe(Name).meta({ maxLength: IDENTIFIER_MAX_LENGTH })
/** A phone number in its stored form of at most 32 digits. A request may write it with a plus sign. */
export const Phone = storableText(33)
  .regex(/^\+?\d{1,32}$/, 'must be a phone number with its country code, such as 4915112345678')
  .overwrite(withoutPlus)
/** A phone number that is new to an account. Numbers that accounts already have are looked up without this check. */
export const NewPhone = Phone.refine(isPhoneNumber, 'is not an international phone number (E.164)')

/** A new password, before the tenant's rules are checked (spec/accounts#password-policy). */
export const NewPassword = storableText(PASSWORD_MAX_LENGTH).min(PASSWORD_MIN_LENGTH)

export const InteractionEventSchema = z.enum(interactionEvents)

/**
 * The payload that identifies a user. The order of the alternatives matters: the first one that matches is used, and
 * all other keys are dropped (spec/interaction#identifier-payload).
 */
export const IdentifierPayloadSchema = z.union([
  z.object({ username: IdentifierInput, password: PasswordInput }),
  z.object({ email: EmailInput, password: PasswordInput }),
  z.object({ phone: PhoneInput, password: PasswordInput }),
  z.object({ email: Email, verificationCode: CodeInput }),
  z.object({ phone: Phone, verificationCode: CodeInput }),
  z.object({ connectorId: ConnectorId, connectorData: z.record(z.string(), z.unknown()) }),
  z.object({ connectorId: ConnectorId, email: Name }),
  z.object({ connectorId: ConnectorId, phone: Name.overwrite(withoutPlus) }),
  z.object({ passkey: PasskeyAssertionSchema }),
])

/**
 * The sealed identifier of a remembered account, which takes the place of the identifier
 * (spec/interaction#remembered-account).
 */
const SealedAccount = z.string().max(SEALED_ACCOUNT_MAX_LENGTH)

/** The payload that identifies a user, whose identifier may be sealed. */
export const FirstIdentifierSchema = z.union([
  IdentifierPayloadSchema,
  z.object({ account: SealedAccount, password: PasswordInput }),
  z.object({ account: SealedAccount, verificationCode: CodeInput }),
])

/** A code as typed, which may contain spaces and hyphens (spec/accounts#second-factors). */
const FactorCodeInput = storableText(32).min(1)
export const TotpCode = z.object({ totpCode: FactorCodeInput }).meta({ id: 'TotpCode' })

/** A proof of an identifier or of a second factor (spec/interaction#identifier-payload). */
export const ProofPayloadSchema = z
  .union([
    FirstIdentifierSchema,
    TotpCode,
    z.object({ backupCode: FactorCodeInput }),
    z.object({ emailCode: CodeInput }),
    z.object({ phoneCode: CodeInput }),
    z.object({ securityKey: PasskeyAssertionSchema }),
  ])
  .meta({ id: 'ProofPayload' })

/** The channel of the code: the account's email address or its phone number. */
export const FactorCodeRequest = z
  .object({ factor: z.enum(['email', 'phone']) })
  .meta({ id: 'FactorCodeRequest' })

/** Matches the scheme of a website or of an app (RFC 8252 §7.1). */
const RETURN_SCHEME = /^(?:https?|[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+)$/

/**
 * The body for starting a social sign-in (spec/interaction#social-start). Empty strings are rejected with a specific
 * error.
 */
export const SocialAuthorizationRequest = z
  .object({
    connectorId: ConnectorId,
    state: z.string().max(512),
    redirectUri: z.literal('').or(z.url({ protocol: RETURN_SCHEME }).max(2048)),
  })
  .meta({ id: 'SocialAuthorizationRequest' })

/** The address to which a code is sent (spec/interaction#send-code). */
export const CodeRequest = z
  .union([z.object({ email: Email }), z.object({ phone: Phone }), z.object({ account: SealedAccount })])
  .meta({ id: 'CodeRequest' })

export const ProfileSchema = z
  .object({
    username: Username.optional(),
    email: Email.optional(),
    phone: NewPhone.optional(),
    connectorId: ConnectorId.optional(),
    password: NewPassword.optional(),
  })
  .meta({ id: 'InteractionProfile' })
