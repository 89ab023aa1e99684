import type { z } from 'zod'
import type { SignInExperiencePatch } from '../../contract/experience/experience.schema.ts'
import { builtInLanguages } from '../../contract/experience/languages.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import type { DemoSocial } from '../../contract/tenants/settings.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import { inboxChannels, installedChannels } from '../../domain/codes/message-channels.ts'
import { checkExperiencePatch, type SettingsFacts } from '../../domain/experience/experience-settings.ts'
import { filterUsedDemos, toDemos } from '../../domain/social/demo-social.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { connectorsQuery, connectorTarget } from '../../storage/connectors/connectors.ts'
import { customLanguagesQuery } from '../../storage/experience/custom-phrases.ts'
import {
  changeExperience,
  type ExperienceRow,
  experienceQuery,
  readExperience,
} from '../../storage/experience/experience.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import { changeSettings, parseDemoSocialSetting, settingsQuery } from '../../storage/tenants/settings.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Settings } from '../settings.ts'

type ExperienceDependencies = Pick<Dependencies, 'db' | 'settings' | 'experience' | 'tenantSettings'>

type ExperienceChange = Guarded & {
  tenantId: string
  patch: z.infer<typeof SignInExperiencePatch>
  /** True if the change has to remove demo connectors that the changed experience no longer offers. */
  removesDemos: boolean
  beginAudit(): AuditEntry
}

/** Changes the sign-in experience according to the rules in spec/management#experience-rules. */
export async function patchSignInExperience(
  { db, settings, experience, tenantSettings }: ExperienceDependencies,
  { tenantId, patch, removesDemos, preconditions, beginAudit }: ExperienceChange,
): Promise<ExperienceRow> {
  const stored = await readTogether(db, {
    experience: experienceQuery(db, tenantId),
    connectors: connectorsQuery(db, tenantId),
    languages: customLanguagesQuery(db, tenantId),
    settings: settingsQuery(db, tenantId),
  })
  const [before] = stored.experience
  if (!before) refuseWith('entity.not_exists_with_id')
  if (Object.keys(patch).length === 0 && !removesDemos) return before

  const audit = beginAudit()
  const { connectors, languages } = stored
  const demos = await parseDemoSocialSetting(stored.settings[0]?.value ?? null)
  const accepted = throwIfRefused(
    checkExperiencePatch(patch, before, toExperienceFacts(settings, { connectors, languages, demos })),
  )
  const { socialSignInConnectorTargets: targets } = { ...before, ...accepted }
  const { changed } = await commitChange(db, {
    tenantId,
    preconditions,
    audit: audit.success(describeChanges(before, { ...before, ...accepted })),
    statements: {
      changed: changeExperience(db, tenantId, { ...accepted, socialSignInConnectorTargets: targets }),
      settings: removesDemos
        ? changeSettings(db, tenantId, { demoSocial: filterUsedDemos(demos, targets) })
        : undefined,
    },
  })
  experience.forget(tenantId)
  if (removesDemos) tenantSettings.forget(tenantId)
  return changed[0] ?? refuseWith('entity.not_exists_with_id')
}

export const findExperience = async (
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
): Promise<ExperienceRow> => (await readExperience(db, tenantId)) ?? refuseWith('entity.not_exists_with_id')

/** Returns the installed connectors and languages against which settings are checked (spec/experience#rules). */
export function toExperienceFacts(
  { environment }: Pick<Settings, 'environment'>,
  sources: {
    connectors: readonly Parameters<typeof connectorTarget>[0][]
    languages: readonly { languageTag: string }[]
    demos: readonly DemoSocial[]
  },
): SettingsFacts {
  const isDevelopment = environment === 'development'
  const installed = installedChannels(sources.connectors.map(({ connectorId }) => connectorId))
  const demos = isDevelopment ? toDemos(sources.demos) : []
  return {
    connectors: {
      ...(isDevelopment ? inboxChannels : installed),
      targets: [
        ...sources.connectors.flatMap((row) => connectorTarget(row) ?? []),
        ...demos.map(({ target }) => target),
      ],
    },
    languages: [...builtInLanguages, ...sources.languages.map(({ languageTag }) => languageTag)],
  }
}
