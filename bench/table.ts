import type { BenchRow } from './row.ts'

const head = ['What', 'Measured', 'Goal', ''] as const

/** Formats a Markdown table whose columns are padded for a terminal. */
export function markdownTable(rows: readonly BenchRow[]): string {
  const cells = [head, ...rows.map((row) => [row.what, row.measured, row.goal ?? '', verdict(row)])].map(
    (line) => line.map((cell) => cell.replaceAll('|', '\\|')),
  )
  const widths = head.map((_, column) => Math.max(3, ...cells.map((line) => line[column]?.length ?? 0)))
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [title = [], ...rest] = cells
  return [line(title), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n')
}

/** Returns the verdict on a row. A missed goal stands out in capitals. */
function verdict({ isMet }: BenchRow): string {
  if (isMet === null) return ''
  return isMet ? 'met' : 'MISSED'
}
