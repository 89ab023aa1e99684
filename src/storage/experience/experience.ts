import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import {
  DEFAULT_EXPERIENCE,
  type Experience,
  type SignInExperience,
  type SocialConnector,
} from '../../contract/experience/experience.ts'
import { isRecord } from '../../contract/is-record.ts'
import { DEFAULT_REMEMBER_DAYS } from '../../contract/sessions/remember-days.ts'
import { findSocialFactory, socialFactories } from '../../contract/social/social-connectors.ts'
import { installedChannels, resetChannels } from '../../domain/codes/message-channels.ts'
import { type Demo, toDemos } from '../../domain/social/demo-social.ts'
import { readTogether } from '../batches.ts'
import { type ConnectorRow, connectorsQuery } from '../connectors/connectors.ts'
import type { Database } from '../database.ts'
import { connectors, signInExperiences } from '../tables.ts'
import { parseDemoSocialSetting, settingsQuery } from '../tenants/settings.ts'

export type ExperienceRow = typeof signInExperiences.$inferSelect
type ExperienceChanges = Partial<Omit<SignInExperience, 'id'>>

export const experienceQuery = (db: Database, tenantId: string) =>
  db.select().from(signInExperiences).where(isOf(tenantId))

export async function readExperience(db: Database, tenantId: string): Promise<ExperienceRow | null> {
  const [row] = await experienceQuery(db, tenantId)
  return row ?? null
}

/** Reads the sign-in experience and adds what the installed connectors offer (spec/experience#answer). */
export async function readCompleteExperience(
  db: Database,
  tenantId: string,
  { hasInbox = false, hasDemos = false }: { hasInbox?: boolean; hasDemos?: boolean } = {},
): Promise<Experience> {
  const {
    rows: [row],
    connectors,
    settings,
  } = await readTogether(db, {
    rows: experienceQuery(db, tenantId),
    connectors: connectorsQuery(db, tenantId),
    settings: settingsQuery(db, tenantId),
  })
  if (!row) throw new Error(`Tenant ${tenantId} has no sign-in experience`)
  const { tenantId: _tenantId, supportContact, ...experience } = row
  const installed = installedChannels(connectors.map(({ connectorId }) => connectorId))
  const imageOrigins = experience.customCss ? imageOriginsIn(settings[0]?.value) : []
  const hasPasskeys = isEnabled(settings[0]?.value.passkeys)
  const demos = hasDemos ? toDemos(await parseDemoSocialSetting(settings[0]?.value ?? null)) : []
  return {
    ...experience,
    ...(supportContact && { supportContact }),
    socialConnectors: experience.socialSignInConnectorTargets.flatMap((target) => {
      const installed = shownFor(target, connectors)
      return installed.length > 0 ? installed : demos.filter((demo) => demo.target === target).map(shownDemo)
    }),
    ...(imageOrigins.length > 0 && { imageOrigins }),
    ...(asksForLength(settings[0]?.value.passwordPolicy) && { passwordRules: 'Length' as const }),
    forgotPassword: resetChannels(installed, experience, { hasInbox }),
    ...(hasPasskeys && { passkeys: true }),
    ...rememberDaysIn(settings[0]?.value.secondFactor),
  }
}

/**
 * Reads the image origins without loading the settings schema, because pages need little else from the settings.
 * Invalid origins are left out of the content security policy.
 */
function imageOriginsIn(settings: Record<string, unknown> | undefined): string[] {
  const origins = settings?.imageOrigins
  return Array.isArray(origins) ? origins.filter((origin) => typeof origin === 'string') : []
}

/** Reads whether passkeys are enabled, without loading the settings schema. */
const isEnabled = (passkeys: unknown): boolean => isRecord(passkeys) && passkeys.enabled === true

/** Returns the number of days for which a browser is remembered, or an empty object if it is the default. */
function rememberDaysIn(secondFactor: unknown): Pick<Experience, 'rememberDays'> {
  const days = isRecord(secondFactor) ? secondFactor.rememberDays : undefined
  return typeof days === 'number' && days !== DEFAULT_REMEMBER_DAYS ? { rememberDays: days } : {}
}

const asksForLength = (policy: unknown): boolean => isRecord(policy) && policy.rules === 'Length'

/**
 * Returns all installed connectors of a target. The page selects the one for its platform
 * (spec/experience#social-connectors).
 */
function shownFor(target: string, installed: readonly ConnectorRow[]): SocialConnector[] {
  return installed.flatMap(({ id, connectorId, metadata }) => {
    const row = findSocialFactory(connectorId)
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

/** Adds "demo" to the name, so that users do not expect a real sign-in (ADR-0040). */
const shownDemo = ({ id, target, name, logo, logoDark }: Demo): SocialConnector => ({
  id,
  target,
  platform: 'Universal',
  name: Object.fromEntries(Object.entries(name).map(([tag, text]) => [tag, marked(text)])),
  logo,
  ...(logoDark && { logoDark }),
})

const marked = (name: string) => (/demo/i.test(name) ? name : `${name} (demo)`)

/** Replaces the columns in `changes`, at least one of which is required (spec/management#patch). */
export const changeExperience = (db: Database, tenantId: string, changes: ExperienceChanges) =>
  db.update(signInExperiences).set(changes).where(isOf(tenantId)).returning()

const factoryTargets = JSON.stringify(
  Object.fromEntries(Object.entries(socialFactories).map(([factoryId, { target }]) => [factoryId, target])),
)
const others = alias(connectors, 'others')
const targetSql = ({ connectorId, metadata }: typeof connectors | typeof others) => sql`coalesce(
  json_extract(${metadata}, '$.target'), json_extract(${factoryTargets}, '$."' || ${connectorId} || '"')
)`

/**
 * Removes the target of a connector from the experience, unless another connector has the same target
 * (spec/management#connectors-api). The statement runs before the connector is deleted.
 */
export const removeConnectorTarget = (db: Database, tenantId: string, connectorId: string) =>
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

/** Selects the tenant's sign-in experience. */
const isOf = (tenantId: string) =>
  and(eq(signInExperiences.tenantId, tenantId), eq(signInExperiences.id, DEFAULT_EXPERIENCE.id))
