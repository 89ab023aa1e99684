/**
 * Checks whether a value is a calendar date of the form `YYYY-MM-DD`, from the year 0000 on. The parsed date is
 * compared with the text, because some parsers turn 30 February into 1 March.
 */
export function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}
