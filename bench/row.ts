/** One figure of the table, which may have no goal. */
export type BenchRow = { what: string; measured: string; goal: string | null; isMet: boolean | null }
