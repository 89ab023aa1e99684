/** Returns one line of CSV (RFC 4180 §2). */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quote(escapeFormula(cell))).join(',')}\r\n`

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/**
 * Adds an apostrophe to text that begins like a formula, because users choose their own names and spreadsheets would
 * execute the formula (OWASP, "CSV Injection"). Spreadsheets hide the apostrophe, and `unescapeCell` removes it. Text
 * after a semicolon is escaped as well: in locales with a decimal comma, spreadsheets start a new cell at every
 * semicolon, even within quotes.
 */
const escapeFormula = (cell: string) => cell.replaceAll(/(?<=^|[;\t\r\n])(?=['"]*[=+\-@\t\r])/g, "'")
export const unescapeCell = (cell: string) => cell.replaceAll(/(?<=^|[;\t\r\n])'(?=['"]*[=+\-@\t\r])/g, '')
