import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readStatements, renderTraceability, STATEMENTS, TRACEABILITY } from '../scripts/traceability.mjs'
import { missingTests } from './kit/cited-tests.ts'

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

  it('name existing tests', () => {
    const cited = statements.flatMap(({ number: line, tests }) =>
      tests.map((test) => {
        const [file = '', title = ''] = test.split(' › ')
        return { line, file, title }
      }),
    )
    expect(cited.length).toBeGreaterThan(238)
    expect(missingTests(STATEMENTS, cited)).toEqual([])
  })

  it('name existing decision records', () => {
    const recorded = statements.flatMap(({ decision }) => decision ?? [])
    expect(recorded).not.toEqual([])
    expect(recorded.filter((number) => globSync(`docs/decisions/${number}-*.md`).length !== 1)).toEqual([])
  })
})
