/** One row of the table: a figure, possibly with a goal. */
export type BenchRow = { what: string; measured: string; goal: string | null; isMet: boolean | null }
