import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { loadCatalogue } from '../../contract/catalogue.ts'
import { CustomPhrases, LanguageTag, Translation } from '../../contract/custom-phrases.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { cleanPhrases, strayPhrase } from '../../domain/phrases.ts'
import {
  allCustomPhrasesQuery,
  deleteCustomPhrasesIfUnused,
  getCustomPhrases,
  hasUnusedPhrases,
  putCustomPhrases,
} from '../../storage/custom-phrases.ts'
import { readExperience } from '../../storage/experience.ts'
import { randomId } from '../../storage/ids.ts'
import { answer, json, refusals } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { always, alwaysWithBody, guarded, managementRouter } from './router.ts'

const tags = ['Custom phrases']
const Answered = CustomPhrases.openapi('CustomPhrases')
const one = { 200: answer('The phrases', Answered) }
const tagParam = z.object({ tag: LanguageTag.openapi({ example: 'fr-CA' }) })

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: "List the operator's own phrases, by language",
  responses: { 200: answer('The phrases', z.array(Answered)), ...always },
})
const getCall = createRoute({
  method: 'get',
  path: '/{tag}',
  tags,
  ...guarded,
  summary: "Get the operator's own phrases of a language",
  request: { params: tagParam },
  responses: { ...one, ...always, ...refusals(404) },
})
const putCall = createRoute({
  method: 'put',
  path: '/{tag}',
  tags,
  ...guarded,
  summary: 'Replace them, or add a language',
  description:
    'The body has keys that the English `translation` has, and no others. What is left out stays as we say it.',
  request: {
    params: tagParam,
    body: json(Translation.openapi({ type: 'object', additionalProperties: true })),
  },
  responses: { ...one, ...alwaysWithBody },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{tag}',
  tags,
  ...guarded,
  summary: 'Delete them, unless visitors fall back to this language',
  request: { params: tagParam },
  responses: { 204: { description: 'Deleted' }, ...always, ...refusals(404) },
})

export function customPhraseRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, phrases } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => c.json(await allCustomPhrasesQuery(db, c.var.tenantId), 200))
    .openapi(getCall, async (c) => {
      const { tag } = c.req.valid('param')
      const found = await getCustomPhrases(db, c.var.tenantId, tag)
      return found ? c.json(found, 200) : refuseWith('entity.not_found')
    })
    .openapi(putCall, async (c) => {
      const { tag } = c.req.valid('param')
      const translation = cleanPhrases(c.req.valid('json'))
      note(c, 'Management.CustomPhrases.Update', { languageTag: tag }, translation)
      const stray = strayPhrase(translation, (await loadCatalogue('en')).translation)
      if (stray !== null) refuseWith('localization.invalid_translation_structure', { key: stray })

      const { tenantId } = c.var
      const [, [stored]] = await db.batch([
        auditRow(dependencies, c, sql`true`),
        putCustomPhrases(db, tenantId, { id: randomId(), languageTag: tag, translation }),
      ])
      phrases.forget(tenantId, tag)
      return stored ? c.json(stored, 200) : refuseWith('entity.create_failed')
    })
    .openapi(deleteCall, async (c) => {
      const { tag } = c.req.valid('param')
      const { tenantId } = c.var
      note(c, 'Management.CustomPhrases.Delete', { languageTag: tag })
      // The row first: afterwards there is nothing left to ask for.
      const [, deleted] = await db.batch([
        auditRow(dependencies, c, hasUnusedPhrases(tenantId, tag)),
        deleteCustomPhrasesIfUnused(db, tenantId, tag),
      ])
      phrases.forget(tenantId, tag)
      if (deleted.length > 0) return c.body(null, 204)
      const experience = await readExperience(db, tenantId)
      return experience?.languageInfo.fallbackLanguage === tag
        ? refuseWith('localization.cannot_delete_default_language', { languageTag: tag })
        : refuseWith('entity.not_found')
    })
}
