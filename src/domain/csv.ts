/** Returns one line of CSV (RFC 4180 §2). */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quote(escapeFormula(cell))).join(',')}\r\n`

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/**
 * Spreadsheets execute a cell that begins like a formula (OWASP, "CSV Injection"), and users choose their own names. A
 * leading apostrophe prevents this. Spreadsheets hide it, and `unescapeCell` removes it. In locales with a decimal
 * comma, spreadsheets start a new cell at every semicolon, even within quotes.
 */
const escapeFormula = (cell: string) => cell.replaceAll(/(?<=^|[;\t\r\n])(?=['"]*[=+\-@\t\r])/g, "'")
export const unescapeCell = (cell: string) => cell.replaceAll(/(?<=^|[;\t\r\n])'(?=['"]*[=+\-@\t\r])/g, '')
