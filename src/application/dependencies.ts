import type { Experience } from '../contract/experience/experience.ts'
import type { TenantSettings } from '../contract/tenants/settings.ts'
import type { Network } from '../outbound/connector-context.ts'
import type { ClientRow } from '../storage/applications/applications.ts'
import type { ReadThroughCache } from '../storage/cache.ts'
import type { InstalledSocialRow } from '../storage/connectors/connectors.ts'
import type { Database } from '../storage/database.ts'
import type { BrandPictureCache } from '../storage/experience/brand-picture-cache.ts'
import type { PhraseBook } from '../storage/experience/phrase-book.ts'
import type { InteractionStore } from '../storage/interactions/interactions.ts'
import type { OrganizationExperiences } from '../storage/organisations/experiences.ts'
import type { PublicDocuments } from '../storage/public-documents.ts'
import type { Seals } from '../storage/seal.ts'
import type { SigningKeyCache } from '../storage/tenants/signing-keys.ts'
import type { TenantDirectory } from '../storage/tenants/tenant-directory.ts'
import type { DeliveryService } from './hooks/deliveries.ts'
import type { Settings } from './settings.ts'

/** A binding that counts a request under its key and reports whether it is within the platform's limit. */
type FloodLimit = { limit(request: { key: string }): Promise<{ success: boolean }> }
export type FloodLimits = Partial<
  Record<'authorization' | 'pushedRequest' | 'token' | 'account', FloodLimit | undefined>
>

/**
 * All dependencies of the layers above storage, created once per isolate in `worker.ts`. Each function declares only
 * the dependencies that it uses.
 */
export type Dependencies = {
  settings: Settings
  db: Database
  tenants: TenantDirectory
  seals: Seals
  interactions: InteractionStore
  publicDocuments: PublicDocuments
  /** The sign-in experiences, cached by tenant id. */
  experience: ReadThroughCache<Experience>
  /** The experiences of organisations, which derive from those of their tenants. */
  organizationExperiences: OrganizationExperiences
  /** The social connectors that users can sign in with, cached by tenant id. */
  social: ReadThroughCache<readonly InstalledSocialRow[]>
  /** The settings of tenants, cached by tenant id. */
  tenantSettings: ReadThroughCache<TenantSettings>
  phrases: PhraseBook
  brandPictures: BrandPictureCache
  /** The applications, cached by `JSON.stringify([tenantId, id])`. */
  applications: ReadThroughCache<ClientRow | null>
  /** The signing keys of tenants, cached by tenant id. */
  signingKeys: SigningKeyCache
  deliveries: DeliveryService
  /** The rate-limit bindings. Each is undefined if the deployment does not configure it (spec/limits#flood-limits). */
  floodLimits: FloodLimits
  /** Gives connectors access to the network. */
  network: Network
  /** Returns the current time in epoch milliseconds. */
  now(): number
}
