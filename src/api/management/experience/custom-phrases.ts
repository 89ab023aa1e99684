import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { deleteCustomPhrases, replaceCustomPhrases } from '../../../application/experience/change-phrases.ts'
import {
  CustomPhrasesSchema,
  LanguageTag,
  StoredLanguageTag,
  Translation,
} from '../../../contract/experience/custom-phrases.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { cleanPhrases } from '../../../domain/experience/phrases.ts'
import { allCustomPhrasesQuery, getCustomPhrases } from '../../../storage/experience/custom-phrases.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { ifMatchHeaders, ifMatchOrNoneMatchHeaders, readPreconditions, withEtag } from '../conflicts.ts'
import { createManagementCallDeclarer, type ManagementGuard, managementRouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Custom phrases')

const PhrasesResponse = CustomPhrasesSchema.meta({ id: 'CustomPhrases' })
const phrasesResponse = { 200: jsonResponse('The custom phrases of the language', PhrasesResponse) }
const tagParam = z.object({ tag: StoredLanguageTag })

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listCustomPhrases',
  summary: 'List custom phrases',
  description:
    'Returns the phrases of the sign-in pages that the operator has replaced, one entry per language. ' +
    'All other phrases have their built-in text.',
  responses: { 200: jsonResponse('The custom phrases of all languages', z.array(PhrasesResponse)) },
})
const getCall = declareCall({
  method: 'get',
  path: '/{tag}',
  operationId: 'getCustomPhrases',
  summary: 'Get the custom phrases of a language',
  description:
    'Returns the replaced phrases of one language, by its tag (BCP 47). Responds with 404 ' +
    '`entity.not_found` if none were replaced.',
  request: { params: tagParam },
  responses: phrasesResponse,
  refusals: [404],
})
const putCall = declareCall({
  method: 'put',
  path: '/{tag}',
  operationId: 'replaceCustomPhrases',
  summary: 'Replace the custom phrases of a language',
  description:
    'Stores the phrases of one language and discards the previous ones. The keys must be those of the ' +
    'English catalogue; others are rejected with 400 `localization.invalid_translation_structure`. A phrase ' +
    'with plural forms may have the categories of the language, such as `_few`, or one text without a ' +
    'category. An empty text keeps the built-in one. A language that is not built in becomes available with ' +
    'this call. Its tag must name a known language and region; others are rejected with 400 ' +
    '`guard.invalid_input`.',
  request: {
    params: z.object({ tag: LanguageTag }),
    headers: ifMatchOrNoneMatchHeaders,
    body: jsonBody(
      Translation.meta({
        id: 'Phrases',
        type: 'object',
        additionalProperties: true,
        description: 'Rejected if it is not an object of texts or nested objects of texts.',
      }),
    ),
  },
  responses: phrasesResponse,
  refusals: [412],
})
const deleteCall = declareCall({
  method: 'delete',
  path: '/{tag}',
  operationId: 'deleteCustomPhrases',
  summary: 'Delete the custom phrases of a language',
  description:
    'Deletes the replaced phrases of one language; its built-in texts apply again, if it has any. ' +
    'Responds with 400 `localization.cannot_delete_default_language` for the fallback language of the ' +
    'sign-in experience.',
  request: { params: tagParam, headers: ifMatchHeaders },
  responses: { 204: { description: 'Deleted' } },
  refusals: [404, 412],
})

export function customPhraseRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => c.json(await allCustomPhrasesQuery(db, c.var.tenantId), 200))
    .openapi(getCall, async (c) => {
      const { tag } = c.req.valid('param')
      const phrases = await getCustomPhrases(db, c.var.tenantId, tag)
      return phrases ? c.json(await withEtag(c, phrases), 200) : refuseWith('entity.not_found')
    })
    .openapi(putCall, async (c) => {
      const { tag: languageTag } = c.req.valid('param')
      const { tenantId } = c.var
      const translation = cleanPhrases(c.req.valid('json'))
      const find = () => getCustomPhrases(db, tenantId, languageTag)
      const preconditions = await readPreconditions(dependencies, c, {
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
      return c.json(await withEtag(c, stored), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { tag: languageTag } = c.req.valid('param')
      const { tenantId } = c.var
      const find = async () =>
        (await getCustomPhrases(db, tenantId, languageTag)) ?? refuseWith('entity.not_found')
      const preconditions = await readPreconditions(dependencies, c, {
        subject: 'CustomPhrases',
        id: languageTag,
        find,
      })
      const audit = beginManagementAudit(c, 'Management.CustomPhrases.Delete', { languageTag })
      await deleteCustomPhrases(dependencies, { tenantId, languageTag, audit, preconditions })
      return c.body(null, 204)
    })
}
