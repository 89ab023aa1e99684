import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { Refused } from '../contract/refused.ts'
import { maskSecrets } from '../domain/masking.ts'
import { afterAnswer } from '../storage/background.ts'
import { reason } from '../storage/database.ts'
import { insertLog, type NewLog } from '../storage/logs.ts'

/** What a call wants to be remembered by (contract 2.10). */
export type AuditTrail = {
  /** Answers how to add what is known only later. */
  append(key: string, payload?: Record<string, unknown>): (more: Record<string, unknown>) => void
  /** The rows of a call that succeeds, for the batch of its change; they are not written again (decision 19). */
  take(payload?: Record<string, unknown>): NewLog[]
}

export type AuditVariables = RequestFacts & { audit: AuditTrail }

/** Contract 1.1 step 1. What no batch took is written after the answer, as an error when the call was refused. */
export function auditTrail({ db, now }: Dependencies): MiddlewareHandler<{ Variables: AuditVariables }> {
  return async (c, next) => {
    const entries: { key: string; payload: Record<string, unknown> }[] = []
    const request = { ip: c.var.ip, userAgent: c.req.header('user-agent') }
    const toRows = (result: 'Success' | 'Error', more: Record<string, unknown>): NewLog[] =>
      entries.splice(0).map(({ key, payload }) => ({
        key,
        createdAt: now(),
        payload: { ...payload, ...more, ...request, key, result },
      }))

    c.set('audit', {
      append(key, payload = {}) {
        const entry = { key, payload: asRecord(maskSecrets(payload)) }
        entries.push(entry)
        c.set('audited', [...(c.var.audited ?? []), key])
        return (more) => Object.assign(entry.payload, maskSecrets(more))
      },
      take: (payload = {}) => toRows('Success', payload),
    })

    await next()

    const rows = c.error ? toRows('Error', { error: describe(c.error) }) : toRows('Success', {})
    const [first, ...rest] = rows.map((row) => insertLog(db, c.var.tenantId, row))
    if (!first) return
    afterAnswer(c.executionCtx, c.var, () => db.batch([first, ...rest]))
  }
}

function describe(error: Error): Record<string, unknown> {
  // A database error quotes its parameters in its own message.
  if (!(error instanceof Refused)) return { message: reason(error) }
  const { code, data } = error.refusal
  return { code, ...(data === undefined ? {} : { data: maskSecrets(data) }) }
}

const asRecord = (value: unknown) => (typeof value === 'object' && value !== null ? { ...value } : {})
