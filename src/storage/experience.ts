import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import {
  DEFAULT_EXPERIENCE,
  type Experience,
  type SignInExperience,
  type SocialConnector,
} from '../contract/experience.ts'
import { findSocialRow, socialFactories } from '../contract/social-connectors.ts'
import { type Demo, demosOf } from '../domain/demo-social.ts'
import { installedChannels, resetChannels } from '../domain/message-channels.ts'
import { type Connector, connectorsQuery } from './connectors.ts'
import type { Database } from './database.ts'
import { demoSocialIn, settingsQuery } from './settings.ts'
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
  { hasInbox = false, hasDemos = false }: { hasInbox?: boolean; hasDemos?: boolean } = {},
): Promise<Experience> {
  const [[row], connectors, [settings]] = await db.batch([
    experienceQuery(db, tenantId),
    connectorsQuery(db, tenantId),
    settingsQuery(db, tenantId),
  ])
  if (!row) throw new Error(`Tenant ${tenantId} has no sign-in experience`)
  const { tenantId: _tenantId, ...experience } = row
  const installed = installedChannels(connectors.map(({ connectorId }) => connectorId))
  const demos = hasDemos ? demosOf(await demoSocialIn(settings?.value ?? null)) : []
  return {
    ...experience,
    socialConnectors: experience.socialSignInConnectorTargets.flatMap((target) => {
      const shown = shownFor(target, connectors)
      return shown.length > 0 ? shown : demos.filter((demo) => demo.target === target).map(shownDemo)
    }),
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

/** Marked: nobody is to leave for the provider and learn only there that it leads nowhere. */
const shownDemo = ({ id, target, name, logo, logoDark }: Demo): SocialConnector => ({
  id,
  target,
  platform: 'Universal',
  name: Object.fromEntries(Object.entries(name).map(([tag, text]) => [tag, marked(text)])),
  logo,
  ...(logoDark && { logoDark }),
})

const marked = (name: string) => (/demo/i.test(name) ? name : `${name} (demo)`)

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
const others = alias(connectors, 'others')
const targetSql = ({ connectorId, metadata }: typeof connectors | typeof others) => sql`coalesce(
  json_extract(${metadata}, '$.target'), json_extract(${factoryTargets}, '$."' || ${connectorId} || '"')
)`

/** For the batch that removes a connector, before it: its target, unless another one has it too (contract 8.2). */
export const forgetTargetOf = (db: Database, tenantId: string, connectorId: string) =>
  db
    .update(signInExperiences)
    .set({
      socialSignInConnectorTargets: sql`(
        select json_group_array(listed.value)
        from json_each(${signInExperiences.socialSignInConnectorTargets}) as listed
        where not exists (
          select 1 from ${connectors}
          where ${connectors.tenantId} = ${tenantId} and ${connectors.id} = ${connectorId}
            and ${targetSql(connectors)} = listed.value
        ) or exists (
          select 1 from ${connectors} as others
          where ${others.tenantId} = ${tenantId} and ${others.id} <> ${connectorId}
            and ${targetSql(others)} = listed.value
        )
      )`,
    })
    .where(isOf(tenantId))

/** A tenant has one. */
const isOf = (tenantId: string) =>
  and(eq(signInExperiences.tenantId, tenantId), eq(signInExperiences.id, DEFAULT_EXPERIENCE.id))
