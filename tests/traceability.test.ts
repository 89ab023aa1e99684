import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readStatements, renderTraceability, STATEMENTS, TRACEABILITY } from '../scripts/traceability.mjs'
import { missingRows, missingTests, readCitation } from './kit/cited-tests.ts'

/** Each statement of the original specification has a test, or a decision record that explains the deviation. */

const statements = readStatements()

it('docs/spec/traceability.md shows the current statements (npm run diagrams)', () => {
  expect(readFileSync(TRACEABILITY, 'utf8')).toBe(renderTraceability(statements))
})

describe('the statements of the original specification', () => {
  it('are numbered from 1 to 238', () => {
    expect(statements.map(({ number }) => number)).toEqual(
      Array.from({ length: 238 }, (_, index) => index + 1),
    )
    const texts = statements.map(({ statement }) => statement)
    expect(texts.filter((text, index) => text.trim() === '' || texts.indexOf(text) !== index)).toEqual([])
  })

  it('have a test or a decision record each', () => {
    const uncovered = statements.filter(({ tests, decision }) => tests.length === 0 && !decision)
    expect(uncovered.map(({ number, statement }) => `${number} ${statement}`)).toEqual([])
  })

  const cited = statements.flatMap(({ number: line, tests }) =>
    tests.map((test) => ({ line, ...readCitation(test) })),
  )

  it('name existing tests', () => {
    expect(cited.length).toBeGreaterThan(238)
    expect(missingTests(STATEMENTS, cited)).toEqual([])
  })

  it('name the row of a test whose title consists only of placeholders', () => {
    expect(missingRows(STATEMENTS, cited)).toEqual([])
    const file = 'tests/client/specification.test.tsx'
    const wrong = ['%s is "%s"', '%s is "%s" › error.nowhere', '$title'].map((test) => ({
      line: 1,
      ...readCitation(`${file} › ${test}`),
    }))
    expect(missingRows('a.json', wrong)).toEqual([
      `a.json:1 ${file} "%s is "%s"" needs a row`,
      `a.json:1 ${file} "%s is "%s"" error.nowhere`,
      `a.json:1 ${file} "$title" needs a row`,
    ])
  })

  it('name existing decision records', () => {
    const recorded = statements.flatMap(({ decision }) => decision ?? [])
    expect(recorded).not.toEqual([])
    expect(recorded.filter((number) => globSync(`docs/decisions/${number}-*.md`).length !== 1)).toEqual([])
  })
})
