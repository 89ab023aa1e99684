/**
 * `npm run diagrams` also writes docs/spec/traceability.md from the table of statements of the original specification.
 * `tests/traceability.test.ts` compares the document with the table, and the table with the tests.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { wrapItem } from './generated-sections.mjs'
import { root } from './root.mjs'

/**
 * @typedef {{ number: number, section: number, statement: string, tests: string[], decision?: string }} Statement
 * Tests are cited as `file › title`, with the title as written in the source. A title that consists only of
 * placeholders is followed by a string of the row that proves the statement: `file › title › row`.
 */

export const TRACEABILITY = 'docs/spec/traceability.md'
export const STATEMENTS = 'tests/specification/statements.json'

/** The sections of the original specification, and their anchors. */
const sections = [
  ['purpose', 'What the product does and for whom'],
  ['screens', 'Screens and routes'],
  ['entities', 'Entities and their fields'],
  ['states', 'States and transitions'],
  ['validation', 'Validation rules'],
  ['roles', 'Roles and permissions'],
  ['calls', 'The calls it makes'],
  ['errors', 'The error catalogue'],
  ['constants', 'Business constants and limits'],
]

const WIDTH = 150

const INTRODUCTION = `# Traceability

The product was built from an original specification. This page lists its 238 statements in the order of its sections, each with the tests that prove it.
If the product deviates from a statement, a decision record explains why.

\`npm run diagrams\` generates this page from \`${STATEMENTS}\`. A test fails if a statement has neither a test nor a record,
or if one of them does not exist. The titles of parameterised tests contain their placeholders.
If a title has nothing else, a text of the row that proves the statement follows.
`

/** @returns {Statement[]} */
export const readStatements = () => JSON.parse(readFileSync(path.join(root, STATEMENTS), 'utf8'))

/** @param {Statement[]} statements */
export function renderTraceability(statements) {
  const parts = sections.map(([anchor, title], index) => {
    const rows = statements.filter(({ section }) => section === index + 1)
    return `<a id="${anchor}"></a>\n\n## ${title}\n\n${rows.map(itemOf).join('\n')}\n`
  })
  return [INTRODUCTION, ...parts].join('\n')
}

/** @param {Statement} statement */
function itemOf({ number, statement, tests, decision }) {
  const records = decision ? [`ADR-${decision}`] : []
  const proofs = tests.map((test) => {
    const [file, ...titleAndRow] = test.split(' › ')
    return [`\`${file}\``, ...titleAndRow.map(codeOf)].join(' ')
  })
  return [
    wrapItem('- ', `**${number}** ${escaped(statement)}`, WIDTH),
    ...[...records, ...proofs].map((proof) => wrapItem('  - ', proof, WIDTH)),
  ].join('\n')
}

/** @param {string} text */
const codeOf = (text) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

/** @param {string} text */
const escaped = (text) => text.replaceAll(/[*_<>[\]#]/g, (character) => `\\${character}`)
