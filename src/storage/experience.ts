import { and, eq, sql } from 'drizzle-orm'
import {
  DEFAULT_EXPERIENCE,
  type Experience,
  type SignInExperience,
  type SocialConnector,
} from '../contract/experience.ts'
import { findSocialRow, socialFactories } from '../contract/social-connectors.ts'
import { installedChannels, resetChannels } from '../domain/message-channels.ts'
import { type Connector, connectorsQuery } from './connectors.ts'
import type { Database } from './database.ts'
import { connectors, signInExperiences } from './tables.ts'

export type ExperienceRow = typeof signInExperiences.$inferSelect
export type ExperienceChanges = Partial<Omit<SignInExperience, 'id'>>

export const experienceQuery = (db: Database, tenantId: string) =>
  db.select().from(signInExperiences).where(isOf(tenantId))

export async function readExperience(db: Database, tenantId: string): Promise<ExperienceRow | null> {
  const [row] = await experienceQuery(db, tenantId)
  return row ?? null
}

/** The row with what follows from the connectors (contract 5.1). */
export async function readWholeExperience(
  db: Database,
  tenantId: string,
  { hasInbox = false }: { hasInbox?: boolean } = {},
): Promise<Experience> {
  const [[row], connectors] = await db.batch([experienceQuery(db, tenantId), connectorsQuery(db, tenantId)])
  if (!row) throw new Error(`Tenant ${tenantId} has no sign-in experience`)
  const { tenantId: _tenantId, ...experience } = row
  const installed = installedChannels(connectors.map(({ connectorId }) => connectorId))
  return {
    ...experience,
    socialConnectors: experience.socialSignInConnectorTargets.flatMap((target) =>
      shownFor(target, connectors),
    ),
    forgotPassword: resetChannels(installed, experience, { hasInbox }),
  }
}

/** Every installed connector of a target, as pages show it; which of them fits a platform is theirs to choose (contract 5.1). */
function shownFor(target: string, installed: readonly Connector[]): SocialConnector[] {
  return installed.flatMap(({ id, connectorId, metadata }) => {
    const row = findSocialRow(connectorId)
    if (!row || (metadata.target ?? row.target) !== target) return []
    const { platform, name, logo, logoDark } = row
    const dark = metadata.logoDark ?? (metadata.logo ? undefined : logoDark)
    return [
      {
        id,
        target,
        platform,
        name: metadata.name ?? name,
        logo: metadata.logo ?? logo,
        ...(dark && { logoDark: dark }),
      },
    ]
  })
}

/** Every column given replaces what was there (contract 8.1). */
export async function patchExperience(
  db: Database,
  tenantId: string,
  changes: ExperienceChanges,
): Promise<ExperienceRow | null> {
  const isEmpty = Object.values(changes).every((change) => change === undefined)
  if (isEmpty) return readExperience(db, tenantId)
  const [row] = await changeExperience(db, tenantId, changes)
  return row ?? null
}

/** For the batch of a change and its audit row (decision 19). At least one change must be given. */
export const changeExperience = (db: Database, tenantId: string, changes: ExperienceChanges) =>
  db.update(signInExperiences).set(changes).where(isOf(tenantId)).returning()

const factoryTargets = JSON.stringify(
  Object.fromEntries(Object.entries(socialFactories).map(([factoryId, { target }]) => [factoryId, target])),
)
/** Null for a connector that is not social. */
const ofFactory = sql`json_extract(${factoryTargets}, '$."' || ${connectors.connectorId} || '"')`

/** Targets that no connector has any more, after one was removed: by its own metadata, or by what its factory says. */
export const forgetOrphanedTargets = (db: Database, tenantId: string) =>
  db
    .update(signInExperiences)
    .set({
      socialSignInConnectorTargets: sql`coalesce((
        select json_group_array(listed.value) from json_each(${signInExperiences.socialSignInConnectorTargets}) as listed
        where exists (
          select 1 from ${connectors} where ${connectors.tenantId} = ${tenantId} and listed.value = coalesce(
            json_extract(${connectors.metadata}, '$.target'), ${ofFactory}
          ) and ${ofFactory} is not null
        )
      ), '[]')`,
    })
    .where(isOf(tenantId))

/** A tenant has one. */
const isOf = (tenantId: string) =>
  and(eq(signInExperiences.tenantId, tenantId), eq(signInExperiences.id, DEFAULT_EXPERIENCE.id))
