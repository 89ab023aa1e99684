import type { Experience } from '../../contract/experience/experience.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import type { OrganizationLook } from '../../domain/organisations/brand.ts'
import { createCache } from '../cache.ts'
import type { Database } from '../database.ts'
import type { InteractionOrganization } from '../interactions/interaction-cookies.ts'
import type { OrganizationKey } from './organizations.ts'

/**
 * The sign-in experiences of organisations (spec/organisations#brand). Organisations are cached like settings
 * (spec/storage#settings-cache), and so are ids that name none.
 */
export type OrganizationExperiences = {
  /**
   * Returns the tenant's experience with the brand and the methods of an organisation. It is the same object as long as
   * nothing changes, so that pages in it can be cached. To people who may not be members, an organisation without a
   * public brand looks like none at all: they get the experience of the tenant itself.
   */
  apply(experience: Experience, request: ExperienceRequest): Promise<Experience>
  /** Removes an organisation from the cache, so that the next page sees what was just stored. */
  forget(tenantId: string, organizationId: string): void
}

type ExperienceRequest = {
  tenantId: string
  organization: InteractionOrganization | undefined
  fresh?: boolean
}

/**
 * The number of experiences that an isolate keeps. Each one can have a page template for every page, language and
 * platform, of about 100 kB.
 */
const MAX_EXPERIENCES = 32

type Derived = { of: Experience; look: OrganizationLook; experience: Experience }

export function createOrganizationExperiences(
  db: Database,
  { now }: { now: () => number },
): OrganizationExperiences {
  // Most isolates need no organisation, so the code that reads them is loaded with the first one.
  const looks = createCache(
    async (key) => (await import('./policies.ts')).readOrganizationLook(db, parseKey(key)),
    { now, keepsEqual: true },
  )
  const derived = new BoundedMap<string, Derived>(MAX_EXPERIENCES)

  return {
    async apply(experience, { tenantId, organization, fresh = false }) {
      if (!organization) return experience
      const key = keyOf(tenantId, organization.id)
      const look = await looks.get(key, { fresh })
      if (!look || !(organization.isMember || look.brand.isPublic)) return experience
      const cached = derived.get(key)
      if (cached?.of === experience && cached.look === look) return cached.experience
      const { brandExperience } = await import('../../domain/organisations/brand.ts')
      const branded = brandExperience(experience, look)
      derived.set(key, { of: experience, look, experience: branded })
      return branded
    },
    forget: (tenantId, organizationId) => looks.forget(keyOf(tenantId, organizationId)),
  }
}

const keyOf = (tenantId: string, organizationId: string) => JSON.stringify([tenantId, organizationId])

function parseKey(key: string): OrganizationKey {
  const [tenantId, organizationId]: [string, string] = JSON.parse(key)
  return { tenantId, organizationId }
}
