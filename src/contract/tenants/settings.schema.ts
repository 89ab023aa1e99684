import { z } from 'zod'
import { fieldPolicies, mapAccountFields } from '../account/account-fields.ts'
import { CustomFields, StoredCustomFields } from '../account/custom-fields.schema.ts'
import { oidcScopes } from '../applications/unregistered-clients.ts'
import { PasskeySettingsSchema } from '../passkeys/passkeys.schema.ts'
import { mapLimits, RATE_LIMITS, type RateLimitName } from '../rate-limits.ts'
import { MAX_REMEMBER_DAYS } from '../sessions/remember-days.ts'
import { clearableValue, storableText, WebAddress } from '../text.schema.ts'
import { DAY_SECONDS, MINUTE_SECONDS } from '../time.ts'
import {
  accountExistenceModes,
  DEFAULT_TENANT_SETTINGS as defaults,
  demoSocialProviders,
  MAX_DEFERRALS,
  MAX_GRACE_DAYS,
  MAX_OWN_ORGANIZATIONS,
  MAX_REGISTERED_CLIENTS,
  MAX_UNUSED_DAYS,
  passwordRuleSets,
  secondFactorKinds,
  secondFactorPolicies,
  type TenantSettings,
} from './settings.ts'
import {
  SealedStorageProvider,
  StorageProviderInput,
  StorageProviderResponse,
} from './storage-provider.schema.ts'

const Seconds = (max: number) => z.int().min(1).max(max)
const Lock = Seconds(DAY_SECONDS)

const limitOf = (name: RateLimitName) =>
  z
    .strictObject({
      count: z.int().min(1).max(1_000_000),
      windowSeconds: Seconds(RATE_LIMITS[name].longestWindowSeconds),
    })
    .default(defaults.limits[name])

/** The rate limits. A limit that is missing from the object has its default value. */
const Limits = z.object({ ...mapLimits(limitOf), lockSeconds: Lock.default(defaults.limits.lockSeconds) })

/** An origin in the form that browsers send: scheme, host and port, without a path. */
const Origin = WebAddress.refine((value) => URL.parse(value)?.origin === value, 'is not an origin')

/** An origin that can be used in a content security policy. This excludes literal IPv6 addresses. */
const SecureOrigin = Origin.refine(
  (value) => /^https:\/\/[\w.-]+(?::\d+)?$/.test(value),
  'is not an https origin',
)

const Name = storableText(256).min(1)
const DemoSocial = z.object({
  provider: z.enum(demoSocialProviders),
  name: Name,
  logo: WebAddress,
  logoDark: WebAddress.optional(),
  clientId: Name,
})

const MAX_DEMOS = 8

const Policy = z.object({
  // Settings that were stored before there were several sets of rules lack this field.
  rules: z.enum(passwordRuleSets).default(defaults.passwordPolicy.rules),
  haveIBeenPwned: z.boolean(),
})
const Factors = z.array(z.enum(secondFactorKinds)).min(1).max(secondFactorKinds.length)
const RememberDays = z.int().min(0).max(MAX_REMEMBER_DAYS)
const Deferrals = z.int().min(0).max(MAX_DEFERRALS)
const SecondFactor = z.object({
  policy: z.enum(secondFactorPolicies),
  factors: Factors.default(defaults.secondFactor.factors),
  rememberDays: RememberDays.default(defaults.secondFactor.rememberDays),
  // Settings that were stored before the policy `prompt` existed lack this field.
  putOffs: Deferrals.default(defaults.secondFactor.putOffs),
})
/** The stored second-factor settings. A stored policy is applied even if the other values cannot be parsed. */
const StoredSecondFactor = SecondFactor.extend({
  // Ignores factor kinds that only a newer version of the Worker knows, and keeps the others.
  factors: z
    .preprocess(
      (kinds) => Array.isArray(kinds) && kinds.filter((kind) => secondFactorKinds.includes(kind)),
      Factors,
    )
    .catch(defaults.secondFactor.factors),
  // An invalid value must not exempt anyone from the second factor.
  rememberDays: SecondFactor.shape.rememberDays.catch(0),
  putOffs: SecondFactor.shape.putOffs.catch(0),
})

const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
/** Rejects unknown keys, because the value comes from a request. */
const PasskeysInput = z
  .strictObject({
    enabled: z.boolean(),
    rpId: z.string().max(253).regex(DOMAIN, 'must be a domain such as example.com').nullable(),
    manageUrl: clearableValue(WebAddress),
    offer: z.boolean().default(defaults.passkeys.offer),
  })
  .refine(({ enabled, rpId }) => !enabled || rpId !== null, {
    path: ['rpId'],
    message: 'is required if passkeys are enabled',
  })

/**
 * The stored passkey settings, which may lack fields: merge patches do not store null (RFC 7396), and `offer` was added
 * later.
 */
const StoredPasskeys = PasskeySettingsSchema.extend({
  rpId: PasskeySettingsSchema.shape.rpId.default(null),
  manageUrl: PasskeySettingsSchema.shape.manageUrl.default(null),
  offer: PasskeySettingsSchema.shape.offer.default(defaults.passkeys.offer),
})

const FieldPolicy = z.enum(fieldPolicies)
/** The policies of the account's fields. A field that is missing from the object has the policy `edit`. */
const AccountFieldPolicies = z.object(mapAccountFields(() => FieldPolicy.default('edit')))
const GraceDays = z.int().min(0).max(MAX_GRACE_DAYS)
const AccountCentre = z.object({
  enabled: z.boolean(),
  deletionGraceDays: GraceDays.default(defaults.accountCentre.deletionGraceDays),
  fields: AccountFieldPolicies.default(defaults.accountCentre.fields),
  customFields: CustomFields.default(defaults.accountCentre.customFields),
})
/** Rejects unknown keys, because the value comes from a request. */
const AccountCentreInput = AccountCentre.extend({
  fields: AccountFieldPolicies.strict().default(defaults.accountCentre.fields),
}).strict()
/**
 * The stored account centre settings. If another version stored a field policy that this version cannot parse, the
 * field is shown but cannot be changed.
 */
const StoredAccountCentre = AccountCentre.extend({
  // If the value is invalid, the longest period applies, because an account must not be deleted too early.
  deletionGraceDays: AccountCentre.shape.deletionGraceDays.catch(MAX_GRACE_DAYS),
  fields: z
    .object(mapAccountFields(() => FieldPolicy.default('edit').catch('readOnly')))
    .default(defaults.accountCentre.fields),
  customFields: StoredCustomFields.default(defaults.accountCentre.customFields),
})

const Unregistered = z.object({
  enabled: z.boolean(),
  scopes: z.array(z.enum(oidcScopes)).max(oidcScopes.length).default(defaults.unregisteredClients.scopes),
  resources: z.array(storableText(2048)).max(100).nullable().default(null),
})

const Registration = z.object({
  enabled: z.boolean(),
  scopes: z.array(z.enum(oidcScopes)).max(oidcScopes.length).default(defaults.clientRegistration.scopes),
  resources: z.array(storableText(2048)).max(100).nullable().default(null),
  mostClients: z.int().min(1).max(MAX_REGISTERED_CLIENTS).default(defaults.clientRegistration.mostClients),
  unusedDays: z.int().min(1).max(MAX_UNUSED_DAYS).default(defaults.clientRegistration.unusedDays),
})

const Organizations = z.object({
  usersMayCreate: z.boolean().default(defaults.organizations.usersMayCreate),
  mostPerUser: z.int().min(1).max(MAX_OWN_ORGANIZATIONS).default(defaults.organizations.mostPerUser),
  accessTokenTtl: z.int().min(MINUTE_SECONDS).max(DAY_SECONDS).default(defaults.organizations.accessTokenTtl),
})

const simple = {
  limits: Limits,
  passwordPolicy: Policy,
  passkeys: PasskeySettingsSchema,
  accountCentre: AccountCentre,
  secondFactor: SecondFactor,
  administratorsNeedSecondFactor: z.boolean(),
  accountExistence: z.enum(accountExistenceModes),
  newSignInNotices: z.boolean(),
  rememberAccounts: z.boolean(),
  smsCountries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'must be a country code of two capital letters such as DE'))
    .max(250),
  previewOrigins: z.array(Origin).max(32),
  imageOrigins: z.array(SecureOrigin).max(32),
  allowPrivateTargets: z.boolean(),
  unregisteredClients: Unregistered,
  clientRegistration: Registration,
  organizations: Organizations,
  demoSocial: z.array(DemoSocial).max(MAX_DEMOS),
}

/**
 * The body of PATCH /configs/settings. Each setting that is present replaces the stored value as a whole. Null or ''
 * clears a URL.
 */
export const TenantSettingsPatch = z
  .strictObject({
    ...simple,
    limits: Limits.strict(),
    passwordPolicy: Policy.strict(),
    passkeys: PasskeysInput,
    accountCentre: AccountCentreInput,
    secondFactor: SecondFactor.strict(),
    demoSocial: z.array(DemoSocial.strict()).max(MAX_DEMOS),
    unregisteredClients: Unregistered.strict(),
    clientRegistration: Registration.strict(),
    organizations: Organizations.strict(),
    sessionNotFoundRedirectUrl: clearableValue(WebAddress),
    changePasswordUrl: clearableValue(WebAddress),
    storageProvider: StorageProviderInput.nullable(),
  })
  .partial()
  .meta({ id: 'TenantSettingsPatch' })

/** The settings as the API returns them, without the secret of the storage provider. */
export const TenantSettingsResponse = z.object({
  ...simple,
  // The API of the previous release lacks these settings.
  organizations: Organizations.default(defaults.organizations),
  sessionNotFoundRedirectUrl: z.string().nullable(),
  changePasswordUrl: z.string().nullable(),
  storageProvider: StorageProviderResponse.nullable(),
})

/**
 * The settings as they are stored. A setting that this version of the Worker cannot parse falls back to its default, so
 * that users can still sign in.
 */
export const StoredTenantSettings = z.object({
  limits: Limits.catch(defaults.limits),
  passwordPolicy: simple.passwordPolicy.catch(defaults.passwordPolicy),
  passkeys: StoredPasskeys.catch(defaults.passkeys),
  accountCentre: StoredAccountCentre.catch(defaults.accountCentre),
  secondFactor: StoredSecondFactor.catch(defaults.secondFactor),
  administratorsNeedSecondFactor: simple.administratorsNeedSecondFactor.catch(
    defaults.administratorsNeedSecondFactor,
  ),
  accountExistence: simple.accountExistence.catch(defaults.accountExistence),
  newSignInNotices: simple.newSignInNotices.catch(defaults.newSignInNotices),
  // If the setting cannot be parsed, nothing is remembered.
  rememberAccounts: simple.rememberAccounts.default(defaults.rememberAccounts).catch(false),
  smsCountries: simple.smsCountries.catch(defaults.smsCountries),
  previewOrigins: simple.previewOrigins.catch(defaults.previewOrigins),
  imageOrigins: simple.imageOrigins.catch(defaults.imageOrigins),
  allowPrivateTargets: simple.allowPrivateTargets.catch(defaults.allowPrivateTargets),
  // If these settings cannot be parsed, the defaults apply, which allow no unregistered clients.
  unregisteredClients: Unregistered.catch(defaults.unregisteredClients),
  clientRegistration: Registration.catch(defaults.clientRegistration),
  organizations: Organizations.catch(defaults.organizations),
  sessionNotFoundRedirectUrl: z.string().nullable().catch(defaults.sessionNotFoundRedirectUrl),
  changePasswordUrl: z.string().nullable().catch(defaults.changePasswordUrl),
  storageProvider: SealedStorageProvider.nullable().catch(null),
  demoSocial: simple.demoSocial.catch(defaults.demoSocial),
}) satisfies z.ZodType<Omit<TenantSettings, 'storageProvider'>>
