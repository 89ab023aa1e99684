import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from './database.ts'
import { applications, consents } from './tables.ts'

/** What a user has granted to one application of a third party, and may withdraw. */
export type ListedConsent = {
  application: { id: string; name: string }
  /** Of OpenID Connect. */
  scopes: string[]
  /** No name: a resource that was deleted since. */
  resources: { indicator: string; name: string | null; scopes: string[] }[]
  /** Of the first consent, in epoch milliseconds. */
  grantedAt: number
  /** When the application last got tokens, as far back as the audit log knows. */
  lastUsedAt: number | null
}

const MOST_LISTED = 100

/** Of the newest rows of a user's audit log that are searched for the last use. */
const MOST_LOGS = 10_000

/** Those under which the provider records tokens for a user (spec/management#audit-keys). */
const TOKEN_KEYS = JSON.stringify(['ExchangeTokenBy.AuthorizationCode', 'ExchangeTokenBy.RefreshToken'])

const GrantedRows = z.array(
  z.object({ resource: z.string(), name: z.string().nullable(), scope: z.string() }),
)

/** Newest consent first. */
export const consentsQuery = (db: Database, tenantId: string, userId: string) =>
  db
    .select({
      application: { id: applications.id, name: applications.name },
      granted:
        sql`json_group_array(json_object('resource', ${consents.resource}, 'name', (select resources.name
          from resources where resources.tenant_id = ${tenantId} and resources.indicator = ${consents.resource}),
          'scope', ${consents.scope}))`
          .mapWith((text: string) => GrantedRows.parse(JSON.parse(text)))
          .as('granted'),
      grantedAt: sql<number>`min(${consents.createdAt})`.as('granted_at'),
      lastUsedAt: sql<number | null>`used.at`.as('last_used_at'),
    })
    .from(consents)
    .innerJoin(
      applications,
      and(eq(applications.tenantId, consents.tenantId), eq(applications.id, consents.applicationId)),
    )
    .leftJoin(
      sql`(select application_id, max(created_at) as at from (select application_id, key, created_at from logs
          where tenant_id = ${tenantId} and user_id = ${userId} order by created_at desc limit ${MOST_LOGS}) as some
        where key in (select value from json_each(${TOKEN_KEYS})) group by application_id) as used`,
      sql`used.application_id = ${consents.applicationId}`,
    )
    .where(and(eq(consents.tenantId, tenantId), eq(consents.userId, userId)))
    .groupBy(consents.applicationId)
    .orderBy(sql`granted_at desc`)
    .limit(MOST_LISTED)

type ConsentListRow = Awaited<ReturnType<typeof consentsQuery>>[number]

export const toConsents = (rows: readonly ConsentListRow[]): ListedConsent[] =>
  rows.map(({ granted, ...row }) => ({
    ...row,
    scopes: granted.flatMap(({ resource, scope }) => (resource === '' ? [scope] : [])),
    resources: [...new Set(granted.map(({ resource }) => resource))]
      .filter((indicator) => indicator !== '')
      .map((indicator) => {
        const rowsOfResource = granted.filter(({ resource }) => resource === indicator)
        return {
          indicator,
          name: rowsOfResource[0]?.name ?? null,
          scopes: rowsOfResource.map(({ scope }) => scope).filter(Boolean),
        }
      }),
  }))
