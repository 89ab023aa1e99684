/** `npm run diagrams` writes the documents, and the sections of documents, that state facts about the code. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ACCESSIBILITY, renderAccessibility } from './accessibility.mjs'
import { DATA_MODEL_DOCUMENT, renderDataModel } from './data-model.mjs'
import { DATA_PROTECTION, renderDataProtection } from './data-protection.mjs'
import { replaceSections } from './generated-sections.mjs'
import { root } from './root.mjs'
import { readStatements, renderTraceability, TRACEABILITY } from './traceability.mjs'

/** @param {string[]} _args */
export async function diagramsCommand(_args) {
  /** @type {[file: string, sections: Record<string, string>][]} */
  const documents = [
    [DATA_MODEL_DOCUMENT, { 'data model': await renderDataModel() }],
    [DATA_PROTECTION, await renderDataProtection()],
    [ACCESSIBILITY, await renderAccessibility()],
  ]
  for (const [name, sections] of documents) {
    const file = path.join(root, name)
    writeFileSync(file, replaceSections(readFileSync(file, 'utf8'), sections))
  }
  writeFileSync(path.join(root, TRACEABILITY), renderTraceability(readStatements()))
  return 0
}
