import { MINUTE } from '../../../src/contract/time.ts'
import { logKeys } from './keys.ts'
import type { LogFilter } from './logs.ts'

/** What an address asks for. Its times are minutes, of which the last is asked for to its end. */
export function filterOf(query: URLSearchParams): LogFilter {
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
