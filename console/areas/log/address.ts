import { DAY, MINUTE } from '../../../src/contract/time.ts'
import { keyGroups, logKeys } from './keys.ts'
import type { LogFilter } from './logs.ts'

/** What an address asks for. Its times are minutes, of which the last is asked for to its end. */
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
    ...text('user', 'userId'),
    ...text('application', 'applicationId'),
    ...text('interaction', 'interactionId'),
    ...time('from', 0),
    ...time('to', MINUTE - 1),
    ...((result === 'Success' || result === 'Error') && { result }),
  }
}

/** What is asked most, as parts of the address of the log. */

/** Every refused step of a sign-in; the code in the row says which were a wrong password. */
export const failedSignIns = { key: keyGroups.signIns, result: 'Error' } as const

/** Without an end: new entries are shown as they come. */
export const last24Hours = (now: Date) => ({ from: formatLocalMinute(new Date(now.getTime() - DAY)), to: '' })

/** Yesterday by the clock of the operator, to the end of its last minute. */
export function yesterday(now: Date) {
  const day = formatLocalMinute(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)).slice(0, 10)
  return { from: `${day}T00:00`, to: `${day}T23:59` }
}

/** As `datetime-local` has it: Swedish writes a date as ISO 8601 does. */
const formatLocalMinute = (at: Date): string =>
  at.toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T')
