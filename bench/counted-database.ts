import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types'

/** Who listens to a database. */
export type Listener = {
  /** The database is asked: a batch is one trip, and so is a statement run by itself. What this throws, the caller gets. */
  trip(): void
  /** What a trip cost, in D1's own words. */
  rows?: ((cost: { read: number; written: number }) => void) | undefined
}

/** Hands every call on to the real database, and tells of it. */
export function countedDatabase(database: D1Database, listener: Listener): D1Database {
  /** The database takes back only what it made itself. */
  const originals = new WeakMap<object, D1PreparedStatement>()

  const counted = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
    const proxy = new Proxy(statement, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property)
        if (property === 'bind') return (...values: unknown[]) => counted(target.bind(...values), query)
        if (typeof value !== 'function') return value
        if (!statementCalls.some((name) => name === property)) return value.bind(target)
        return async (...given: unknown[]) => {
          listener.trip()
          if (!listener.rows) return value.apply(target, given)
          return property === 'raw' || property === 'first'
            ? tellAnyway(target, { query, property, ask: () => value.apply(target, given) })
            : tell(await value.apply(target, given))
        }
      },
    })
    originals.set(proxy, statement)
    return proxy
  }

  /** `raw` and `first` keep the cost to themselves. What only reads may be asked twice; what writes gives named rows. */
  async function tellAnyway(
    statement: D1PreparedStatement,
    { query, property, ask }: { query: string; property: 'raw' | 'first'; ask: () => Promise<unknown> },
  ): Promise<unknown> {
    if (!WRITES.test(query)) {
      tell(await statement.all())
      return ask()
    }
    const { results } = tell(await statement.all<Record<string, unknown>>())
    return property === 'first' ? (results[0] ?? null) : results.map((row) => Object.values(row))
  }

  function tell<R extends D1Result>(result: R): R {
    listener.rows?.({ read: result.meta.rows_read, written: result.meta.rows_written })
    return result
  }

  return new Proxy(database, {
    get(target, property) {
      if (property === 'prepare') return (query: string) => counted(target.prepare(query), query)
      if (property === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          listener.trip()
          const results = await target.batch(statements.map((each) => originals.get(each) ?? each))
          for (const result of results) tell(result)
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
