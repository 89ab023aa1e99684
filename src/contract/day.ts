/** `YYYY-MM-DD`. The year 0000 has a 29 February. A parser that takes 30 February for 1 March answers another text. */
export function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}
