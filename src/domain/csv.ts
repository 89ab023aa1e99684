/** One line of CSV (RFC 4180 §2). */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(escaped(cell))).join(',')}\r\n`

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/**
 * A spreadsheet runs a cell that begins like a formula (OWASP, "CSV Injection"), and users choose their own names. So an
 * apostrophe is put before it, which spreadsheets hide; reading removes it. Where a comma separates decimals, they begin a cell at
 * every semicolon, and within quotes, too.
 */
const escaped = (cell: string) => cell.replaceAll(/(?<=^|[;\t\r\n])(?=['"]*[=+\-@\t\r])/g, "'")
export const unescaped = (cell: string) => cell.replaceAll(/(?<=^|[;\t\r\n])'(?=['"]*[=+\-@\t\r])/g, '')
