/** One line of CSV (RFC 4180 §2). */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(escaped(cell))).join(',')}\r\n`

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/**
 * A spreadsheet runs a cell that begins like a formula (OWASP, "CSV Injection"), and users choose their own names. So an
 * apostrophe is put before it, which spreadsheets hide; reading removes it.
 */
const escaped = (cell: string) => (/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
export const unescaped = (cell: string) => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
