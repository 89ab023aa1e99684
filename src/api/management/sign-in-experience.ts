import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { experienceFacts } from '../../application/experience-facts.ts'
import { SignInExperience, SignInExperiencePatch } from '../../contract/experience.schema.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { usedDemos } from '../../domain/demo-social.ts'
import { acceptExperience } from '../../domain/experience-settings.ts'
import { connectorsQuery } from '../../storage/connectors.ts'
import { customLanguagesQuery } from '../../storage/custom-phrases.ts'
import { changeExperience, experienceQuery, readExperience } from '../../storage/experience.ts'
import { changeSettings, demoSocialIn, settingsQuery } from '../../storage/settings.ts'
import { answer, json, refusals } from '../guard.ts'
import type { Guard } from './authentication.ts'
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

export function signInExperienceRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, experience, tenantSettings } = dependencies

  return managementRouter(dependencies, guard)
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
      const demos = await demoSocialIn(settings?.value ?? null)
      const facts = experienceFacts(dependencies.settings, { connectors, languages, demos })
      const accepted = orRefuse(acceptExperience(patch, before, facts))
      const { socialSignInConnectorTargets: targets } = { ...before, ...accepted }
      const [, [changed]] = await db.batch([
        auditRow(dependencies, c, sql`true`),
        changeExperience(db, tenantId, { ...accepted, socialSignInConnectorTargets: targets }),
        ...(removesDemos ? [changeSettings(db, tenantId, { demoSocial: usedDemos(demos, targets) })] : []),
      ])
      experience.forget(tenantId)
      if (removesDemos) tenantSettings.forget(tenantId)
      return changed ? c.json(changed, 200) : refuseWith('entity.not_exists_with_id')
    })

  async function stored(tenantId: string) {
    return (await readExperience(db, tenantId)) ?? refuseWith('entity.not_exists_with_id')
  }
}
