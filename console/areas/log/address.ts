import { DAY, MINUTE } from '../../../src/contract/time.ts'
import { keyGroups, logKeys } from './keys.ts'
import type { LogFilter } from './logs.ts'

/** The former name of the parameter `of`, for links that operators have saved. */
export const FORMER_OF = 'user'

/**
 * Reads the filter from a query string. Its times are precise to the minute, and the final minute is included
 * completely.
 */
export function parseFilter(query: URLSearchParams): LogFilter {
  const text = (name: string, as: string) => (query.get(name) ? { [as]: query.get(name)?.trim() } : {})
  const time = (name: 'from' | 'to', further: number) => {
    const at = Date.parse(query.get(name) ?? '')
    return Number.isNaN(at) ? {} : { [name]: at + further }
  }
  const result = query.get('result')
  const key = query.get('key')?.trim() ?? ''
  return {
    ...(key && { [logKeys.includes(key) ? 'logKey' : 'keyPart']: key }),
    ...text('by', 'by'),
    ...text(FORMER_OF, 'of'),
    ...text('of', 'of'),
    ...text('application', 'applicationId'),
    ...text('organization', 'organizationId'),
    ...text('interaction', 'interactionId'),
    ...time('from', 0),
    ...time('to', MINUTE - 1),
    ...((result === 'Success' || result === 'Error') && { result }),
  }
}

/** The most common filters, as query strings for the log's URL. */

/** Finds all rejected steps of sign-ins. The error code of each entry shows whether the password was wrong. */
export const failedSignInsFilter = { key: keyGroups.signIns, result: 'Error' } as const

/** The last 24 hours, without an end time, so that new entries are shown as they arrive. */
export const last24HoursFilter = (now: Date) => ({
  from: formatLocalMinute(new Date(now.getTime() - DAY)),
  to: '',
})

/** Yesterday, from midnight to midnight in the operator's time zone. */
export function yesterdayFilter(now: Date) {
  const day = formatLocalMinute(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)).slice(0, 10)
  return { from: `${day}T00:00`, to: `${day}T23:59` }
}

/** Formats a time for `datetime-local`. The Swedish locale writes dates in ISO 8601 format. */
const formatLocalMinute = (at: Date): string =>
  at.toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T')
