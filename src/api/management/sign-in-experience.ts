import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import { SignInExperience, SignInExperiencePatch } from '../../contract/experience.schema.ts'
import { builtInLanguages } from '../../contract/languages.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import type { DemoSocial } from '../../contract/settings.ts'
import { text } from '../../contract/text.schema.ts'
import { demosOf, usedDemos } from '../../domain/demo-social.ts'
import { acceptExperience, type SettingsFacts } from '../../domain/experience-settings.ts'
import { inboxChannels, installedChannels } from '../../domain/message-channels.ts'
import type { Services } from '../../env.ts'
import { connectorsQuery, targetOf } from '../../storage/connectors.ts'
import { customLanguagesQuery } from '../../storage/custom-phrases.ts'
import { changeExperience, experienceQuery, readExperience } from '../../storage/experience.ts'
import { changeSettings, demoSocialIn, settingsQuery } from '../../storage/settings.ts'
import { answer, json, refusals } from '../guard.ts'
import type { Gate } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { always, alwaysWithBody, guarded, managementRouter } from './router.ts'
import { isYes } from './search.ts'

const tags = ['Sign-in experience']
const one = { 200: answer('The settings', SignInExperience.openapi('SignInExperience')) }

const getCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'Get the settings of the sign-in pages',
  responses: { ...one, ...always, ...refusals(404) },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/',
  tags,
  ...guarded,
  summary: 'Change settings of the sign-in pages; what is given is replaced as a whole',
  request: {
    query: z.object({ removeUnusedDemoSocialConnector: text(8).optional() }),
    body: json(SignInExperiencePatch),
  },
  responses: { ...one, ...alwaysWithBody, ...refusals(404) },
})

export function signInExperienceRoutes(services: Services, gate: Gate) {
  const { db, experience, tenantSettings } = services

  return managementRouter(services, gate)
    .openapi(getCall, async (c) => c.json(await stored(c.var.tenantId), 200))
    .openapi(patchCall, async (c) => {
      const patch = c.req.valid('json')
      const removesDemos = isYes(c.req.valid('query').removeUnusedDemoSocialConnector)
      const { tenantId } = c.var
      const [[before], connectors, languages, [settings]] = await db.batch([
        experienceQuery(db, tenantId),
        connectorsQuery(db, tenantId),
        customLanguagesQuery(db, tenantId),
        settingsQuery(db, tenantId),
      ])
      if (!before) refuseWith('entity.not_exists_with_id')
      if (Object.keys(patch).length === 0 && !removesDemos) return c.json(before, 200)

      note(c, 'Management.SignInExperience.Update', {}, patch)
      const demos = demoSocialIn(settings?.value ?? null)
      const accepted = orRefuse(acceptExperience(patch, before, factsOf(connectors, languages, demos)))
      const { socialSignInConnectorTargets: targets } = { ...before, ...accepted }
      const [, [changed]] = await db.batch([
        auditRow(services, c, sql`true`),
        changeExperience(db, tenantId, { ...accepted, socialSignInConnectorTargets: targets }),
        ...(removesDemos ? [changeSettings(db, tenantId, { demoSocial: usedDemos(demos, targets) })] : []),
      ])
      experience.forget(tenantId)
      if (removesDemos) tenantSettings.forget(tenantId)
      return changed ? c.json(changed, 200) : refuseWith('entity.not_exists_with_id')
    })

  function factsOf(
    connectors: readonly Parameters<typeof targetOf>[0][],
    custom: readonly { languageTag: string }[],
    demoSocial: readonly DemoSocial[],
  ): SettingsFacts {
    const isDevelopment = services.settings.environment === 'development'
    const installed = installedChannels(connectors.map(({ connectorId }) => connectorId))
    const channels = isDevelopment ? inboxChannels : installed
    const demos = isDevelopment ? demosOf(demoSocial) : []
    return {
      connectors: {
        ...channels,
        targets: [...connectors.flatMap((row) => targetOf(row) ?? []), ...demos.map(({ target }) => target)],
      },
      languages: [...builtInLanguages, ...custom.map(({ languageTag }) => languageTag)],
    }
  }

  async function stored(tenantId: string) {
    return (await readExperience(db, tenantId)) ?? refuseWith('entity.not_exists_with_id')
  }
}
