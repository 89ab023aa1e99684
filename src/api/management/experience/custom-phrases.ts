import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { deleteCustomPhrases, replaceCustomPhrases } from '../../../application/experience/change-phrases.ts'
import {
  CustomPhrasesSchema,
  LanguageTag,
  Translation,
} from '../../../contract/experience/custom-phrases.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { cleanPhrases } from '../../../domain/experience/phrases.ts'
import { allCustomPhrasesQuery, getCustomPhrases } from '../../../storage/experience/custom-phrases.ts'
import { jsonAnswer, jsonBody } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { ifMatch, ifMatchOrNew, preconditionsOf, tagged } from '../conflicts.ts'
import { type ManagementGuard, managementCalls, managementRouter } from '../router.ts'

const declareCall = managementCalls('Custom phrases')

const Answered = CustomPhrasesSchema.meta({ id: 'CustomPhrases' })
const answered = { 200: jsonAnswer('The custom phrases of the language', Answered) }
const tagParam = z.object({ tag: LanguageTag })

const listCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'List custom phrases',
  description:
    'Answers the phrases of the sign-in pages that the operator has replaced, one entry for each language. Phrases that are not listed have the built-in text.',
  answers: { 200: jsonAnswer('The custom phrases of all languages', z.array(Answered)) },
})
const getCall = declareCall({
  method: 'get',
  path: '/{tag}',
  summary: 'Get the custom phrases of a language',
  description:
    'Answers the replaced phrases of one language, by its tag (BCP 47). 404 `entity.not_found` when none of them was replaced.',
  request: { params: tagParam },
  answers: answered,
  refusals: [404],
})
const putCall = declareCall({
  method: 'put',
  path: '/{tag}',
  summary: 'Replace the custom phrases of a language',
  description:
    'Stores the phrases of one language and drops those it had. The keys are those of the English catalogue, others are refused with 400 `localization.invalid_translation_structure`; ' +
    'an empty text stands for the built-in one. A language that is not built in becomes available by this call.',
  request: {
    params: tagParam,
    headers: ifMatchOrNew,
    body: jsonBody(Translation.meta({ type: 'object', additionalProperties: true })),
  },
  answers: answered,
  refusals: [412],
})
const deleteCall = declareCall({
  method: 'delete',
  path: '/{tag}',
  summary: 'Delete the custom phrases of a language',
  description:
    'Deletes the replaced phrases of one language; its built-in texts apply again, if it has any. The fallback language of the sign-in experience is refused with ' +
    '400 `localization.cannot_delete_default_language`.',
  request: { params: tagParam, headers: ifMatch },
  answers: { 204: { description: 'Deleted' } },
  refusals: [404, 412],
})

export function customPhraseRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => c.json(await allCustomPhrasesQuery(db, c.var.tenantId), 200))
    .openapi(getCall, async (c) => {
      const { tag } = c.req.valid('param')
      const phrases = await getCustomPhrases(db, c.var.tenantId, tag)
      return phrases ? c.json(await tagged(c, phrases), 200) : refuseWith('entity.not_found')
    })
    .openapi(putCall, async (c) => {
      const { tag: languageTag } = c.req.valid('param')
      const { tenantId } = c.var
      const translation = cleanPhrases(c.req.valid('json'))
      const find = () => getCustomPhrases(db, tenantId, languageTag)
      const preconditions = await preconditionsOf(dependencies, c, {
        subject: 'CustomPhrases',
        id: languageTag,
        find,
      })
      const audit = beginManagementAudit(c, 'Management.CustomPhrases.Update', { languageTag }, translation)
      const stored = await replaceCustomPhrases(dependencies, {
        tenantId,
        languageTag,
        translation,
        audit,
        preconditions,
      })
      return c.json(await tagged(c, stored), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { tag: languageTag } = c.req.valid('param')
      const { tenantId } = c.var
      const find = async () =>
        (await getCustomPhrases(db, tenantId, languageTag)) ?? refuseWith('entity.not_found')
      const preconditions = await preconditionsOf(dependencies, c, {
        subject: 'CustomPhrases',
        id: languageTag,
        find,
      })
      const audit = beginManagementAudit(c, 'Management.CustomPhrases.Delete', { languageTag })
      await deleteCustomPhrases(dependencies, { tenantId, languageTag, audit, preconditions })
      return c.body(null, 204)
    })
}
