import { z } from '@hono/zod-openapi'
import { forEachLimit, RATE_LIMITS, type RateLimitName } from './rate-limits.ts'
import {
  accountExistences,
  DEFAULT_TENANT_SETTINGS as defaults,
  demoSocialProviders,
  type StorageProvider,
  type TenantSettings,
} from './settings.ts'
import { clearableValue, storableText, WebAddress } from './text.schema.ts'

const Seconds = (longest: number) => z.int().min(1).max(longest)
const Lock = Seconds(24 * 60 * 60)

const limitOf = (name: RateLimitName) =>
  z
    .strictObject({
      count: z.int().min(1).max(1_000_000),
      windowSeconds: Seconds(RATE_LIMITS[name].longestWindowSeconds),
    })
    .default(defaults.limits[name])

/** A limit that a given object lacks takes its default. */
const Limits = z.object({ ...forEachLimit(limitOf), lockSeconds: Lock.default(defaults.limits.lockSeconds) })

/** In the form that browsers send: scheme, host and port, without a path. */
const Origin = WebAddress.refine((value) => URL.parse(value)?.origin === value, 'is not an origin')

/** That a content security policy can name: not the literal address of an IPv6 host. */
const SecureOrigin = Origin.refine(
  (value) => /^https:\/\/[\w.-]+(?::\d+)?$/.test(value),
  'is not an origin of https',
)

const Secret = storableText(2048).min(1)
const Name = storableText(256).min(1)
/** An address to which a path is appended. */
const Folder = WebAddress.refine((value) => !/[?#]/.test(value), 'must end with its path')
const publicUrl = Folder.optional()
/** One segment of a path; dots alone, which would leave it, are excluded. */
const Segment = storableText(256).regex(/^[\w$][\w.-]*$/)

const Azure = z.object({
  provider: z.literal('AzureStorage'),
  connectionString: Secret,
  container: Segment,
  publicUrl,
})
const S3 = z.object({
  provider: z.literal('S3Storage'),
  endpoint: Folder,
  bucket: Segment,
  accessKeyId: storableText(256).regex(/^[\x21-\x7e]+$/),
  accessSecretKey: Secret,
  region: storableText(64)
    .regex(/^[\w-]+$/)
    .optional(),
  publicUrl,
})
const R2 = z.object({ provider: z.literal('R2'), publicUrl: Folder })

/** As it is stored: keys of another version of the Worker do no harm. */
export const StorageProviderSettings: z.ZodType<StorageProvider> = z.discriminatedUnion('provider', [
  Azure,
  S3,
  R2,
])
const GivenStorageProvider = z.discriminatedUnion('provider', [Azure.strict(), S3.strict(), R2.strict()])

const DemoSocial = z.object({
  provider: z.enum(demoSocialProviders),
  name: Name,
  logo: WebAddress,
  logoDark: WebAddress.optional(),
  clientId: Name,
})

const MOST_DEMOS = 8

const simple = {
  limits: Limits,
  accountExistence: z.enum(accountExistences),
  smsCountries: z.array(z.string().regex(/^[A-Z]{2}$/)).max(250),
  previewOrigins: z.array(Origin).max(32),
  imageOrigins: z.array(SecureOrigin).max(32),
  allowPrivateTargets: z.boolean(),
  demoSocial: z.array(DemoSocial).max(MOST_DEMOS),
}

/** PATCH /configs/settings: each given setting is replaced as a whole; null or '' clears an address. */
export const TenantSettingsPatch = z
  .strictObject({
    ...simple,
    limits: Limits.strict(),
    demoSocial: z.array(DemoSocial.strict()).max(MOST_DEMOS),
    sessionNotFoundRedirectUrl: clearableValue(WebAddress),
    changePasswordUrl: clearableValue(WebAddress),
    storageProvider: GivenStorageProvider.nullable(),
  })
  .partial()

/** The settings as they are answered: without the secret of the storage provider. */
export const TenantSettingsAnswer = z.object({
  ...simple,
  sessionNotFoundRedirectUrl: z.string().nullable(),
  changePasswordUrl: z.string().nullable(),
  storageProvider: z
    .discriminatedUnion('provider', [
      z.object({ provider: z.literal('AzureStorage'), container: z.string(), publicUrl }),
      z.object({
        provider: z.literal('S3Storage'),
        endpoint: z.string(),
        bucket: z.string(),
        accessKeyId: z.string(),
        region: z.string().optional(),
        publicUrl,
      }),
      z.object({ provider: z.literal('R2'), publicUrl: z.string() }),
    ])
    .nullable(),
})

/** The storage provider is sealed at rest (spec/storage#sealing). */
export const SealedStorageProvider = z.object({ sealed: z.string() })

/**
 * A stored entry. A setting that this version of the Worker cannot read takes its default, so that it does not stop all
 * users from signing in.
 */
export const StoredTenantSettings = z.object({
  limits: Limits.catch(defaults.limits),
  accountExistence: simple.accountExistence.catch(defaults.accountExistence),
  smsCountries: simple.smsCountries.catch(defaults.smsCountries),
  previewOrigins: simple.previewOrigins.catch(defaults.previewOrigins),
  imageOrigins: simple.imageOrigins.catch(defaults.imageOrigins),
  allowPrivateTargets: simple.allowPrivateTargets.catch(defaults.allowPrivateTargets),
  sessionNotFoundRedirectUrl: z.string().nullable().catch(defaults.sessionNotFoundRedirectUrl),
  changePasswordUrl: z.string().nullable().catch(defaults.changePasswordUrl),
  storageProvider: SealedStorageProvider.nullable().catch(null),
  demoSocial: simple.demoSocial.catch(defaults.demoSocial),
}) satisfies z.ZodType<Omit<TenantSettings, 'storageProvider'>>
