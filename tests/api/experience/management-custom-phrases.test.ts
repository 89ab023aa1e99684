import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]
const put = (tag: string, body: unknown) => operator.send('PUT', `/custom-phrases/${tag}`, body)

describe('custom phrases', () => {
  it('can be stored, replaced as a whole, listed by language and deleted', async () => {
    const first = await put('fr-CA', { action: { sign_in: 'Entrer' }, input: { username: '' } })
    expect(first.status).toBe(200)
    const row = (await first.json()) as { id: string }
    expect(row).toEqual({
      tenantId: 'default',
      id: expect.stringMatching(/^[\dA-Za-z]{21}$/),
      languageTag: 'fr-CA',
      translation: { action: { sign_in: 'Entrer' } },
    })

    const second = { ...row, translation: { input: { username: 'Nom' } } }
    expect(await (await put('fr-CA', second.translation)).json()).toEqual(second)
    expect(await (await operator.get('/custom-phrases/fr-CA')).json()).toEqual(second)

    await put('eo-EO', {})
    expect(await (await operator.get('/custom-phrases')).json()).toEqual([
      expect.objectContaining({ languageTag: 'eo-EO', translation: {} }),
      second,
    ])

    for (const tag of ['fr-CA', 'eo-EO']) {
      const deleted = await operator.send('DELETE', `/custom-phrases/${tag}`)
      expect([deleted.status, await deleted.text()]).toEqual([204, ''])
    }
    expect(await (await operator.get('/custom-phrases')).json()).toEqual([])
  })

  it('cannot be read or deleted for a language without custom phrases', async () => {
    for (const method of ['GET', 'DELETE']) {
      expect(await codeOf(await operator.send(method, '/custom-phrases/de-DE'))).toEqual([
        404,
        'entity.not_found',
      ])
    }
  })

  it.each(['FR-ca', 'x', 'en-us', 'sr-latn', 'ar-Arab-EG-u-nu-latn', 'iw', '__proto__'])(
    'cannot be stored for the invalid language tag %s',
    async (tag) => {
      for (const method of ['GET', 'DELETE']) {
        expect(await codeOf(await operator.send(method, `/custom-phrases/${tag}`))).toEqual([
          400,
          'guard.invalid_input',
        ])
      }
      expect(await codeOf(await put(tag, {}))).toEqual([400, 'guard.invalid_input'])
    },
  )

  it.each(['xx-YY', 'xx', 'de-YY', 'en-ZZ', 'es-000', 'qaa'])(
    'cannot be stored for %s: "Language tags must be known codes"',
    async (tag) => {
      expect(await codeOf(await put(tag, {}))).toEqual([400, 'guard.invalid_input'])
      // An earlier version may have stored them, so they can still be read and deleted.
      for (const method of ['GET', 'DELETE'])
        expect(await codeOf(await operator.send(method, `/custom-phrases/${tag}`))).toEqual([
          404,
          'entity.not_found',
        ])
    },
  )

  it.each(['cb-IQ', 'zz-TR', 'dv', 'gsw-CH', 'sr-Latn-RS', 'en-001', 'es-419', 'zh-Hant-HK'])(
    'can be stored for %s, a known code',
    async (tag) => {
      expect((await put(tag, {})).status).toBe(200)
      expect((await operator.send('DELETE', `/custom-phrases/${tag}`)).status).toBe(204)
    },
  )

  it.each([
    { body: { actions: { sign_in: 'x' } }, key: 'actions' },
    { body: { action: { sign_on: 'x' } }, key: 'action.sign_on' },
    { body: { action: 'x' }, key: 'action' },
    { body: { action: { sign_in: { now: 'x' } } }, key: 'action.sign_in' },
    { body: { a: { b: { c: { d: 'x' } } } }, key: 'a' },
    { body: { vestibule: { factor_few_codes_few: 'x' } }, key: 'vestibule.factor_few_codes_few' },
  ])('cannot be stored under $key, because the English phrases have no such key', async ({ body, key }) => {
    const response = await put('fr', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'localization.invalid_translation_structure',
      data: { key },
    })
  })

  it('can have the plural forms of their language (spec/experience#plural-forms)', async () => {
    const forms = { factor_few_codes_one: 'Kod: {{count}}', factor_few_codes_few: 'Kody: {{count}}' }
    expect((await put('pl', { vestibule: forms })).status).toBe(200)
    const answer = await app.fetch('/api/.well-known/phrases?lng=pl&no_cache')
    expect(await answer.json()).toMatchObject({
      translation: { vestibule: { ...forms, factor_few_codes_many: expect.stringContaining('{{count}}') } },
    })
    await operator.send('DELETE', '/custom-phrases/pl')
  })

  const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: deep(levels - 1) })
  it.each([
    { what: 'an array', body: [] },
    { what: 'a string', body: 'x' },
    { what: 'a value of null', body: { action: { sign_in: null } } },
    { what: 'a number as a value', body: { action: { sign_in: 7 } } },
    { what: 'an array as a value', body: { action: { sign_in: ['x'] } } },
    { what: 'a NUL character', body: { action: { sign_in: 'a\0b' } } },
    { what: 'too many levels', body: deep(5_000) },
  ])('cannot be stored with an invalid body: $what', async ({ body }) => {
    expect(await codeOf(await put('fr', body))).toEqual([400, 'guard.invalid_input'])
  })

  it('cannot be deleted for the fallback language', async () => {
    const languageInfo = { autoDetect: true, fallbackLanguage: 'fr' }
    await put('fr', { action: { sign_in: 'Entrer' } })
    await operator.send('PATCH', '/sign-in-exp', { languageInfo })
    const response = await operator.send('DELETE', '/custom-phrases/fr')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'localization.cannot_delete_default_language',
      data: { languageTag: 'fr' },
    })
    expect((await operator.get('/custom-phrases/fr')).status).toBe(200)

    await operator.send('PATCH', '/sign-in-exp', { languageInfo: DEFAULT_EXPERIENCE.languageInfo })
    expect((await operator.send('DELETE', '/custom-phrases/fr')).status).toBe(204)
    expect(await codeOf(await operator.send('DELETE', '/custom-phrases/en'))).toEqual([
      400,
      'localization.cannot_delete_default_language',
    ])
  })

  it('are stored in a single row by concurrent calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) => put('ja', { action: { sign_in: `x${index}` } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200))
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: string }).id))
    expect(new Set(ids).size).toBe(1)
    await operator.send('DELETE', '/custom-phrases/ja')
  })

  it('write an audit entry for each change', async () => {
    await put('it', { action: { sign_in: 'Entra' } })
    await operator.send('DELETE', '/custom-phrases/it')
    const { results } = await app.env.DB.prepare(
      "select key, payload from logs where key like 'Management.CustomPhrases.%' and json_extract(payload, '$.languageTag') = 'it' order by rowid",
    ).all<{ key: string; payload: string }>()
    expect(results.map(({ key, payload }) => [key, JSON.parse(payload)])).toEqual([
      [
        'Management.CustomPhrases.Update',
        expect.objectContaining({ result: 'Success', changed: ['action'] }),
      ],
      ['Management.CustomPhrases.Delete', expect.objectContaining({ result: 'Success' })],
    ])
  })
})
