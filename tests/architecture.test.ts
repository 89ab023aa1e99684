import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DOCUMENT, dataModel, withDataModel } from '../scripts/data-model.mjs'

it('docs/architecture.md contains the diagram of the current tables (npm run diagrams)', async () => {
  const document = readFileSync(DOCUMENT, 'utf8')
  expect(document).toBe(withDataModel(document, await dataModel()))
})
