import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { callWithFault, type FaultPlan } from './fault-plan.ts'

/** D1's own words for what its caller is not to blame for. */
const broken = () => new Error('D1_ERROR: Network connection lost.')

const MOST_PARAMETERS = 100
const LONGEST_STATEMENT = 100_000 // bytes
const MOST_STATEMENTS = 1_000 // in one batch; of one invocation, really

const executing = ['all', 'run', 'first', 'raw'] as const

type Said = { statement: D1PreparedStatement; sql: string }

/** The real database behind a bad network, with the limits of production. */
export function hostileDatabase(database: D1Database, plan: FaultPlan): D1Database {
  const said = new WeakMap<object, Said>()

  function overhear(statement: D1PreparedStatement, sql: string): D1PreparedStatement {
    const heard = new Proxy(statement, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property)
        if (typeof value !== 'function') return value
        if (property === 'bind') {
          return (...values: unknown[]) => {
            if (values.length > MOST_PARAMETERS) throw new Error('D1_ERROR: too many SQL variables')
            return overhear(target.bind(...values), sql)
          }
        }
        if (!executing.some((name) => name === property)) return value.bind(target)
        return (...given: unknown[]) => make([sql], false, () => value.apply(target, given))
      },
    })
    said.set(heard, { statement, sql })
    return heard
  }

  function make<T>(statements: readonly string[], isBatch: boolean, call: () => Promise<T>): Promise<T> {
    const what = statements.join('; ')
    const fault = plan.faultOf({ store: 'D1', isRead: statements.every(isRead), isBatch, what })
    return callWithFault(fault, plan, { call, broken })
  }

  return new Proxy(database, {
    get(target, property) {
      if (property === 'prepare') {
        return (sql: string) => {
          if (new TextEncoder().encode(sql).length > LONGEST_STATEMENT)
            throw new Error('D1_ERROR: statement too long: SQLITE_TOOBIG')
          return overhear(target.prepare(sql), sql)
        }
      }
      if (property === 'batch') {
        return (statements: D1PreparedStatement[]) => {
          if (statements.length > MOST_STATEMENTS) throw new Error('D1_ERROR: too many statements')
          const heard = statements.map((statement) => said.get(statement))
          const sql = heard.map((each) => each?.sql ?? '')
          return make(sql, true, () =>
            target.batch(heard.map((each, i) => each?.statement ?? statements[i]) as D1PreparedStatement[]),
          )
        }
      }
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const isRead = (sql: string) => /^\s*select\b/i.test(sql)
