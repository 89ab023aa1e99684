import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types'

/** A listener that observes the calls to a database. */
export type DatabaseListener = {
  /**
   * Called before each round trip with its number of statements. The round trip waits for the returned promise. If the
   * promise rejects, the call fails with that error.
   */
  trip(statements: number): void | Promise<void>
  /** Called before each round trip with its statements. */
  statements?: ((statements: readonly SentStatement[]) => void) | undefined
  /** Called after each round trip with the cost of each of its statements, as reported by D1. */
  rows?: ((cost: { read: number; written: number; query: string }) => void) | undefined
}

/** A statement with the values of its parameters, in their order. */
export type SentStatement = { sql: string; values: readonly unknown[] }

/** Wraps a database so that the listener observes every call. */
export function countedDatabase(database: D1Database, listener: DatabaseListener): D1Database {
  /** `batch` accepts only statements that the database itself has prepared. */
  const originals = new WeakMap<object, { statement: D1PreparedStatement; sent: SentStatement }>()

  const counted = (
    statement: D1PreparedStatement,
    query: string,
    bound: readonly unknown[] = [],
  ): D1PreparedStatement => {
    const sent = { sql: query, values: bound }
    const proxy = new Proxy(statement, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property)
        if (property === 'bind')
          return (...values: unknown[]) => counted(target.bind(...values), query, values)
        if (typeof value !== 'function') return value
        if (!statementCalls.some((name) => name === property)) return value.bind(target)
        return async (...args: unknown[]) => {
          await listener.trip(1)
          listener.statements?.([sent])
          if (!listener.rows) return value.apply(target, args)
          return property === 'raw' || property === 'first'
            ? runAndReport(target, { query, property, execute: () => value.apply(target, args) })
            : report(await value.apply(target, args), query)
        }
      },
    })
    originals.set(proxy, { statement, sent })
    return proxy
  }

  /**
   * Runs `raw` or `first`, which don't report their cost. A read runs twice, once to report the cost; the result of a
   * write is converted.
   */
  async function runAndReport(
    statement: D1PreparedStatement,
    {
      query,
      property,
      execute,
    }: { query: string; property: 'raw' | 'first'; execute: () => Promise<unknown> },
  ): Promise<unknown> {
    if (!WRITES.test(query)) {
      report(await statement.all(), query)
      return execute()
    }
    const { results } = report(await statement.all<Record<string, unknown>>(), query)
    return property === 'first' ? (results[0] ?? null) : results.map((row) => Object.values(row))
  }

  function report<R extends D1Result>(result: R, query: string): R {
    listener.rows?.({ read: result.meta.rows_read, written: result.meta.rows_written, query })
    return result
  }

  return new Proxy(database, {
    get(target, property) {
      if (property === 'prepare') return (query: string) => counted(target.prepare(query), query)
      if (property === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          await listener.trip(statements.length)
          const known = statements.map((each) => originals.get(each))
          listener.statements?.(known.flatMap((each) => each?.sent ?? []))
          const results = await target.batch(statements.map((each, index) => known[index]?.statement ?? each))
          for (const [index, result] of results.entries()) report(result, known[index]?.sent.sql ?? '')
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
