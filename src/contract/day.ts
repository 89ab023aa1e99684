/**
 * Checks for a date in the form `YYYY-MM-DD`. The year 0000 has a 29 February; comparing the text exposes a 30 February
 * that was parsed as 1 March.
 */
export function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}
