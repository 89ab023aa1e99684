import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types'

/** Is notified of the calls of a database. */
export type DatabaseListener = {
  /** Before each round trip, which waits for it: a batch is one, and so is a single statement. An error reaches the caller. */
  trip(): void | Promise<void>
  /** The cost of a round trip as D1 reports it. */
  rows?: ((cost: { read: number; written: number }) => void) | undefined
}

/** Passes every call on to the real database and notifies the listener. */
export function countedDatabase(database: D1Database, listener: DatabaseListener): D1Database {
  /** `batch` accepts only statements that the database itself prepared. */
  const originals = new WeakMap<object, D1PreparedStatement>()

  const counted = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
    const proxy = new Proxy(statement, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property)
        if (property === 'bind') return (...values: unknown[]) => counted(target.bind(...values), query)
        if (typeof value !== 'function') return value
        if (!statementCalls.some((name) => name === property)) return value.bind(target)
        return async (...given: unknown[]) => {
          await listener.trip()
          if (!listener.rows) return value.apply(target, given)
          return property === 'raw' || property === 'first'
            ? runAndReport(target, { query, property, ask: () => value.apply(target, given) })
            : report(await value.apply(target, given))
        }
      },
    })
    originals.set(proxy, statement)
    return proxy
  }

  /** `raw` and `first` report no cost. A reading statement is run twice; the rows of a writing one are converted. */
  async function runAndReport(
    statement: D1PreparedStatement,
    { query, property, ask }: { query: string; property: 'raw' | 'first'; ask: () => Promise<unknown> },
  ): Promise<unknown> {
    if (!WRITES.test(query)) {
      report(await statement.all())
      return ask()
    }
    const { results } = report(await statement.all<Record<string, unknown>>())
    return property === 'first' ? (results[0] ?? null) : results.map((row) => Object.values(row))
  }

  function report<R extends D1Result>(result: R): R {
    listener.rows?.({ read: result.meta.rows_read, written: result.meta.rows_written })
    return result
  }

  return new Proxy(database, {
    get(target, property) {
      if (property === 'prepare') return (query: string) => counted(target.prepare(query), query)
      if (property === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          await listener.trip()
          const results = await target.batch(statements.map((each) => originals.get(each) ?? each))
          for (const result of results) report(result)
          return results
        }
      }
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const statementCalls = ['all', 'run', 'first', 'raw'] as const
const WRITES = /\b(?:insert|update|delete|replace)\b/i
