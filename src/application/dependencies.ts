import type { Experience } from '../contract/experience/experience.ts'
import type { TenantSettings } from '../contract/tenants/settings.ts'
import type { Network } from '../outbound/connector-context.ts'
import type { ApplicationRow } from '../storage/applications/applications.ts'
import type { ReadThroughCache } from '../storage/cache.ts'
import type { InstalledSocialRow } from '../storage/connectors/connectors.ts'
import type { Database } from '../storage/database.ts'
import type { PhraseBook } from '../storage/experience/phrase-book.ts'
import type { InteractionStore } from '../storage/interactions/interactions.ts'
import type { PublicDocuments } from '../storage/public-documents.ts'
import type { Seals } from '../storage/seal.ts'
import type { SigningKeyCache } from '../storage/tenants/signing-keys.ts'
import type { TenantDirectory } from '../storage/tenants/tenant-directory.ts'
import type { Deliveries } from './hooks/deliveries.ts'
import type { Settings } from './settings.ts'

/** Counts a request of this key, and answers whether it is within the limit of the platform. */
type FloodLimit = { limit(request: { key: string }): Promise<{ success: boolean }> }
export type FloodLimits = Partial<
  Record<'authorization' | 'pushedRequest' | 'token' | 'account', FloodLimit | undefined>
>

/** What the layers above storage work with, made once per isolate in `worker.ts`. A function takes the few it uses. */
export type Dependencies = {
  settings: Settings
  db: Database
  tenants: TenantDirectory
  seals: Seals
  interactions: InteractionStore
  publicDocuments: PublicDocuments
  /** By tenant. */
  experience: ReadThroughCache<Experience>
  /** By tenant: the social connectors users can sign in with. */
  social: ReadThroughCache<readonly InstalledSocialRow[]>
  /** By tenant. */
  tenantSettings: ReadThroughCache<TenantSettings>
  phrases: PhraseBook
  /** By `JSON.stringify([tenantId, id])`. */
  applications: ReadThroughCache<ApplicationRow | null>
  /** By tenant. */
  signingKeys: SigningKeyCache
  deliveries: Deliveries
  /** Where a deployment has them bound (spec/limits#flood-limits). */
  floodLimits: FloodLimits
  /** How connectors reach their providers. */
  network: Network
  /** Epoch milliseconds. */
  now(): number
}
