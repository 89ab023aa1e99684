import { MINUTE } from '../contract/time.ts'

/** The lowest and the highest row number of a table. */
export type RowSpan = { first: number; last: number }

/** The number of rows in a block. A run examines a table with fewer rows as a whole. */
export const SWEPT_BLOCK = 20_000
/** The maximum number of runs, one a minute, after which each row has been examined. */
export const SWEEP_CYCLE = 60

/**
 * Returns the row numbers that the sweep of this minute examines (spec/storage#scanned-tables). The table is divided
 * into blocks of row numbers, of which each run of a cycle examines an equal share. The blocks do not depend on the rows
 * that are added and deleted in the meantime, so no row is left out, although nothing records what has been examined.
 */
export function sweptRanges({ first, last }: RowSpan, now: number): RowSpan[] {
  const [firstBlock, lastBlock] = [blockOf(first), blockOf(last)]
  const cycle = Math.min(SWEEP_CYCLE, Math.ceil((last - first + 1) / SWEPT_BLOCK))
  const turn = Math.floor(now / MINUTE) % cycle
  const ranges: RowSpan[] = []
  const next = firstBlock + ((((turn - firstBlock) % cycle) + cycle) % cycle)
  for (let block = next; block <= lastBlock; block += cycle)
    ranges.push({ first: block * SWEPT_BLOCK, last: (block + 1) * SWEPT_BLOCK - 1 })
  return ranges
}

const blockOf = (row: number) => Math.floor(row / SWEPT_BLOCK)
