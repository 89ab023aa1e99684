import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DATA_MODEL_DOCUMENT, renderDataModel } from '../scripts/data-model.mjs'
import { replaceSection } from '../scripts/generated-sections.mjs'

const document = readFileSync(DATA_MODEL_DOCUMENT, 'utf8')

it('docs/architecture.md shows the current tables (npm run diagrams)', async () => {
  expect(document).toBe(replaceSection(document, 'data model', await renderDataModel()))
})

it('docs/architecture.md explains every kind of row in oidc_model_instances', () => {
  const kinds = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:modelName: |MODEL_NAME = )'([A-Z]\w+)'/g)].map(
      ([, kind]) => kind,
    ),
  )
  expect(kinds).toContain('Session')
  expect([...new Set(kinds)].filter((kind) => !document.includes(`| \`${kind}\``))).toEqual([])
})
