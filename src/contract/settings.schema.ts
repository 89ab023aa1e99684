import { z } from 'zod'
import {
  accountExistences,
  DEFAULT_TENANT_SETTINGS as defaults,
  demoSocialProviders,
  type StorageProvider,
  type TenantSettings,
} from './settings.ts'
import { clearable, text, WebAddress } from './text.schema.ts'

const DAY = 24 * 60 * 60 // seconds
/** Longer than a day is no longer a limit but a punishment. Ours. */
const Seconds = z.int().min(1).max(DAY)
const Limit = z.object({ count: z.int().min(1).max(1_000_000), windowSeconds: Seconds })

/** What a given object leaves out takes its default. */
const Limits = z.object({
  passwordTries: Limit.default(defaults.limits.passwordTries),
  passwordTriesPerNetwork: Limit.default(defaults.limits.passwordTriesPerNetwork),
  codeTriesPerAddress: Limit.default(defaults.limits.codeTriesPerAddress),
  codeSendsPerAddress: Limit.default(defaults.limits.codeSendsPerAddress),
  codeSendsPerNetwork: Limit.default(defaults.limits.codeSendsPerNetwork),
  sendsPerApplication: Limit.default(defaults.limits.sendsPerApplication),
  lockSeconds: Seconds.default(defaults.limits.lockSeconds),
})

/** As a browser writes it: scheme, host and perhaps port, nothing behind. */
const Origin = WebAddress.refine((value) => URL.parse(value)?.origin === value, 'is not an origin')

const Secret = text(2048).min(1)
const Name = text(256).min(1)
/** What a path is added to. */
const Folder = WebAddress.refine((value) => !/[?#]/.test(value), 'must end with its path')
const publicUrl = Folder.optional()
/** One part of a path, that leads nowhere else. */
const Segment = text(256).regex(/^[\w$][\w.-]*$/)

export const StorageProviderSettings: z.ZodType<StorageProvider> = z.discriminatedUnion('provider', [
  z.object({
    provider: z.literal('AzureStorage'),
    connectionString: Secret,
    container: Segment,
    publicUrl,
  }),
  z.object({
    provider: z.literal('S3Storage'),
    endpoint: Folder,
    bucket: Segment,
    accessKeyId: text(256).regex(/^[\x21-\x7e]+$/),
    accessSecretKey: Secret,
    region: text(64)
      .regex(/^[\w-]+$/)
      .optional(),
    publicUrl,
  }),
  z.object({ provider: z.literal('R2'), publicUrl: Folder }),
])

const DemoSocial = z.object({
  provider: z.enum(demoSocialProviders),
  name: Name,
  logo: WebAddress,
  logoDark: WebAddress.optional(),
  clientId: Name,
})

const simple = {
  limits: Limits,
  accountExistence: z.enum(accountExistences),
  previewOrigins: z.array(Origin).max(32),
  allowPrivateTargets: z.boolean(),
  demoSocial: z.array(DemoSocial).max(8),
}

/** PATCH /configs/settings: any of them, each replaced as a whole; null or '' clears an address. */
export const TenantSettingsPatch = z
  .object({
    ...simple,
    sessionNotFoundRedirectUrl: clearable(WebAddress),
    changePasswordUrl: clearable(WebAddress),
    storageProvider: StorageProviderSettings.nullable(),
  })
  .partial()

/** As they are answered: without the secret of the storage provider. */
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

/** At rest the storage provider is sealed (decision 31). */
export const SealedStorageProvider = z.object({ sealed: z.string() })

/**
 * A stored entry. One setting that another version of the Worker wrote, and this one cannot read, takes its default
 * here: it must not stop everybody from signing in.
 */
export const StoredTenantSettings = z.object({
  limits: Limits.catch(defaults.limits),
  accountExistence: simple.accountExistence.catch(defaults.accountExistence),
  previewOrigins: simple.previewOrigins.catch(defaults.previewOrigins),
  allowPrivateTargets: simple.allowPrivateTargets.catch(defaults.allowPrivateTargets),
  sessionNotFoundRedirectUrl: z.string().nullable().catch(defaults.sessionNotFoundRedirectUrl),
  changePasswordUrl: z.string().nullable().catch(defaults.changePasswordUrl),
  storageProvider: SealedStorageProvider.nullable().catch(null),
  demoSocial: simple.demoSocial.catch(defaults.demoSocial),
}) satisfies z.ZodType<Omit<TenantSettings, 'storageProvider'>>
