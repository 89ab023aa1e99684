import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/root.mjs'
import { REFRESH, SIGN_IN, SIGN_IN_LEGS, type SignInCost } from '../oidc/sign-in-cost.ts'

/** Tests the measured figures in docs/operations/scaling.md, but not the values calculated from them. */
describe('docs/operations/scaling.md', () => {
  const rows = readFileSync(path.join(root, 'docs/operations/scaling.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
  const figuresOf = (label: string) =>
    rows
      .find(([first]) => first === label)
      ?.slice(1, 3)
      .map(Number)

  it.each([
    ['Requests', ({ requests }) => requests],
    ['Round trips to D1 that an answer waits for', ({ awaited }) => awaited],
    ['Round trips to D1 in all', ({ trips }) => trips],
    ['D1 rows read', ({ rowsRead }) => rowsRead],
    ['D1 rows written', ({ rowsWritten }) => rowsWritten],
    ['D1 rows swept later', ({ rowsSwept }) => rowsSwept],
    ['Audit rows among those written', ({ logRows }) => logRows],
    ['D1 rows swept after the retention', ({ logRowsSwept }) => logRowsSwept],
    ['KV reads', ({ kvReads }) => kvReads],
    ['KV writes', ({ kvWrites }) => kvWrites],
  ] satisfies [string, (cost: SignInCost) => number][])(
    'contains the measured figures for %s',
    (label, of) => {
      expect(figuresOf(label)).toEqual([of(SIGN_IN), of(REFRESH)])
    },
  )

  it.each(SIGN_IN_LEGS)('lists the calls in the step "$leg"', ({ leg, d1, kv }) => {
    expect(figuresOf(leg)).toEqual([d1, kv])
  })

  it('lists steps whose calls add up to the total for a sign-in', () => {
    expect(SIGN_IN_LEGS.reduce((sum, { d1 }) => sum + d1, 0)).toBe(SIGN_IN.awaited)
    expect(SIGN_IN_LEGS.reduce((sum, { kv }) => sum + kv, 0)).toBe(SIGN_IN.kvReads + SIGN_IN.kvWrites)
  })
})
