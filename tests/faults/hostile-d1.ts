import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { callWithFault, type FaultPlan } from './fault-plan.ts'

/** The message of D1 when it fails internally. */
const broken = () => new Error('D1_ERROR: Network connection lost.')

const MAX_PARAMETERS = 100
const MAX_STATEMENT_LENGTH = 100_000 // bytes
const MAX_STATEMENTS = 1_000 // per batch; D1 counts statements per invocation

const executing = ['all', 'run', 'first', 'raw'] as const

type Intercepted = { statement: D1PreparedStatement; sql: string }

/** Wraps a database so that it fails as planned and has the limits of production. */
export function hostileDatabase(database: D1Database, plan: FaultPlan): D1Database {
  const originals = new WeakMap<object, Intercepted>()

  function intercept(statement: D1PreparedStatement, sql: string): D1PreparedStatement {
    const intercepted = new Proxy(statement, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property)
        if (typeof value !== 'function') return value
        if (property === 'bind') {
          return (...values: unknown[]) => {
            if (values.length > MAX_PARAMETERS) throw new Error('D1_ERROR: too many SQL variables')
            return intercept(target.bind(...values), sql)
          }
        }
        if (!executing.some((name) => name === property)) return value.bind(target)
        return (...args: unknown[]) => make([sql], false, () => value.apply(target, args))
      },
    })
    originals.set(intercepted, { statement, sql })
    return intercepted
  }

  function make<T>(statements: readonly string[], isBatch: boolean, call: () => Promise<T>): Promise<T> {
    const what = statements.join('; ')
    const fault = plan.faultOf({ store: 'D1', isRead: statements.every(isRead), isBatch, what })
    return callWithFault(fault, plan, { store: 'D1', call, broken })
  }

  return new Proxy(database, {
    get(target, property) {
      if (property === 'prepare') {
        return (sql: string) => {
          if (new TextEncoder().encode(sql).length > MAX_STATEMENT_LENGTH)
            throw new Error('D1_ERROR: statement too long: SQLITE_TOOBIG')
          return intercept(target.prepare(sql), sql)
        }
      }
      if (property === 'batch') {
        return (statements: D1PreparedStatement[]) => {
          if (statements.length > MAX_STATEMENTS) throw new Error('D1_ERROR: too many statements')
          const intercepted = statements.map((statement) => originals.get(statement))
          const sql = intercepted.map((each) => each?.sql ?? '')
          return make(sql, true, () =>
            target.batch(
              intercepted.map((each, i) => each?.statement ?? statements[i]) as D1PreparedStatement[],
            ),
          )
        }
      }
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const isRead = (sql: string) => /^\s*select\b/i.test(sql)
