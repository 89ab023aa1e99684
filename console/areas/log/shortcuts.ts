import { DAY } from '../../../src/contract/time.ts'
import { keyGroups } from './keys.ts'

/** What is asked most, as parts of the address of the log. */

/** Every refused step of a sign-in; the code in the row says which were a wrong password. */
export const failedSignIns = { key: keyGroups.signIns, result: 'Error' } as const

/** Without an end: new entries are shown as they come. */
export const lastDay = (now: Date) => ({ from: localMinute(new Date(now.getTime() - DAY)), to: '' })

/** Yesterday by the clock of the operator, to the end of its last minute. */
export function yesterday(now: Date) {
  const day = localMinute(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)).slice(0, 10)
  return { from: `${day}T00:00`, to: `${day}T23:59` }
}

/** As `datetime-local` has it: Swedish writes a date as ISO 8601 does. */
const localMinute = (at: Date): string =>
  at.toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T')
