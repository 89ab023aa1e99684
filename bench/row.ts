/** One figure. A figure without a goal is told for its own sake. */
export type Row = { what: string; measured: string; goal: string | null; isMet: boolean | null }
