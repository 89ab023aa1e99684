/**
 * Checks whether a value is a calendar date of the form `YYYY-MM-DD`. 29 February of the year 0000 is valid. Some
 * parsers turn 30 February into 1 March, so the parsed date is compared with the text.
 */
export function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}
