import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/root.mjs'
import { REFRESH, SIGN_IN, SIGN_IN_LEGS, type SignInCost } from '../oidc/sign-in-cost.ts'

const MILLION = 1e6
const SIGN_INS = MILLION
const REFRESHES = 10 * MILLION

/** Assumed, because it cannot be counted (docs/scaling.md): a sign-in with its hash, and a refresh, rounded up. */
const CPU_MS = { signIn: 150, refresh: 10 }
const PLAN = 5

/** Prices of the Workers Paid plan in USD: what a month includes, and the price of a million more. */
const prices = {
  requests: {
    what: 'Requests',
    included: 10 * MILLION,
    each: 0.3,
    of: ({ requests }: SignInCost) => requests,
  },
  cpu: { what: 'CPU time, ms', included: 30 * MILLION, each: 0.02, of: null },
  read: {
    what: 'D1 rows read',
    included: 25_000 * MILLION,
    each: 0.001,
    of: ({ rowsRead }: SignInCost) => rowsRead,
  },
  written: {
    what: 'D1 rows written',
    included: 50 * MILLION,
    each: 1,
    of: ({ rowsWritten, rowsSwept, logRowsSwept }: SignInCost) => rowsWritten + rowsSwept + logRowsSwept,
  },
  kvRead: { what: 'KV reads', included: 10 * MILLION, each: 0.5, of: ({ kvReads }: SignInCost) => kvReads },
  kvWritten: { what: 'KV writes', included: MILLION, each: 5, of: ({ kvWrites }: SignInCost) => kvWrites },
}

describe('docs/scaling.md', () => {
  const document = readFileSync(path.join(root, 'docs/scaling.md'), 'utf8')

  it.each([
    { what: 'the counts of a sign-in and a refresh', rows: countRows },
    { what: 'the price of a million sign-ins', rows: priceRows },
    { what: 'the waiting time with and without Smart Placement', rows: placementRows },
    { what: 'the waiting time of each leg in Sydney', rows: distanceRows },
  ])('has $what', ({ rows }) => {
    expect(document).toContain(table(rows()))
  })
})

function countRows(): string[][] {
  const counted: [string, (cost: SignInCost) => number][] = [
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
  ]
  return [
    ['', 'A sign-in with a password', 'The use of a refresh token'],
    ...counted.map(([what, of]) => [what, `${of(SIGN_IN)}`, `${of(REFRESH)}`]),
  ]
}

function priceRows(): string[][] {
  const rows = Object.values(prices).map(({ what, included, each, of }) => {
    const signIns = SIGN_INS * (of ? of(SIGN_IN) : CPU_MS.signIn)
    const both = signIns + REFRESHES * (of ? of(REFRESH) : CPU_MS.refresh)
    const price = (used: number) => (Math.max(0, used - included) / MILLION) * each
    return { what, included, each, signIns, both, prices: [price(signIns), price(both)] as const }
  })
  const sum = (place: 0 | 1) => PLAN + rows.reduce((total, row) => total + row.prices[place], 0)
  return [
    ['', 'Included', 'A million more', '1 million sign-ins', 'USD', 'and 10 million refreshes', 'USD'],
    ['Plan', '', '', '', usd(PLAN), '', usd(PLAN)],
    ...rows.map((row) => [
      row.what,
      millions(row.included),
      `${row.each}`,
      millions(row.signIns),
      usd(row.prices[0]),
      millions(row.both),
      usd(row.prices[1]),
    ]),
    ['**Sum**', '', '', '', `**${usd(sum(0))}**`, '', `**${usd(sum(1))}**`],
  ]
}

/** The page is one of the requests and asks nothing of the database. */
function placementRows(): string[][] {
  const { awaited, requests } = SIGN_IN
  return [
    ['Placement', 'Waiting time of a sign-in'],
    ['near the user', `${awaited} × d, for round trips to the database`],
    ['near the database', `${requests} × d, for requests`],
    ['difference', `${awaited - requests} × d`],
  ]
}

/** Assumed milliseconds of a round trip: to the nearest Worker, to KV, and from Sydney to Frankfurt. */
const SYDNEY = { nearby: 20, kv: 10, database: 280 }

function distanceRows(): string[][] {
  expect(SIGN_IN_LEGS.reduce((sum, { d1 }) => sum + d1, 0)).toBe(SIGN_IN.awaited)
  expect(SIGN_IN_LEGS.reduce((sum, { kv }) => sum + kv, 0)).toBe(SIGN_IN.kvReads + SIGN_IN.kvWrites)
  const legs = SIGN_IN_LEGS.map(({ leg, d1, kv }) => {
    const near = SYDNEY.nearby + kv * SYDNEY.kv
    return { leg, d1, kv, nearUser: near + d1 * SYDNEY.database, nearDatabase: near + SYDNEY.database }
  })
  const sum = (of: (leg: (typeof legs)[number]) => number) =>
    legs.reduce((total, each) => total + of(each), 0)
  return [
    ['Leg', 'D1', 'KV', 'Worker near the user, ms', 'Worker near the database, ms'],
    ...legs.map(({ leg, ...counts }) => [leg, ...Object.values(counts).map(String)]),
    [
      '**Sum**',
      ...[sum(({ d1 }) => d1), sum(({ kv }) => kv)].map(String),
      `**${sum(({ nearUser }) => nearUser)}**`,
      `**${sum(({ nearDatabase }) => nearDatabase)}**`,
    ],
  ]
}

const usd = (amount: number) => amount.toFixed(2)
const millions = (count: number) => `${(count / MILLION).toLocaleString('en')} M`

/** A Markdown table with padded columns. */
function table([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
