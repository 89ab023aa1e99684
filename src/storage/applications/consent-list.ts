import { and, countDistinct, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { ClientSnapshot } from '../../contract/applications/unregistered-clients.ts'
import { fromConsentRows } from '../../domain/applications/consent.ts'
import { claimNames } from '../../domain/applications/template-claims.ts'
import type { Database } from '../database.ts'
import { isAmongNewest, isGrantInForce, payloadAt } from '../interactions/oidc-models.ts'
import { applications, consents, oidcModelInstances as models } from '../tables.ts'

/** A user's consent to a third-party application, which the user can withdraw. */
type ListedConsent = {
  application: { id: string; name: string }
  /** The description of an unregistered client that the user saw, or null for a registered application. */
  unregistered: Omit<ClientSnapshot, 'name'> | null
  /** The OpenID Connect scopes. */
  scopes: string[]
  /** The claims that were granted by themselves, without their scopes, and those of templates. */
  claims: string[]
  /** The name of the resource, or null if the resource has since been deleted. */
  resources: { indicator: string; name: string | null; scopes: string[] }[]
  /** The time of the first consent, in epoch milliseconds. */
  grantedAt: number
  /**
   * The time at which the application last obtained tokens, or null if it lies before the audit rows that are searched.
   */
  lastUsedAt: number | null
}

const MAX_LISTED = 100

/**
 * The number of the user's newest audit rows that are searched for the last time at which an application obtained
 * tokens.
 */
const MAX_LOGS = 1000

/** The audit keys of entries that record tokens issued for a user (spec/management#audit-keys). */
const TOKEN_KEYS = JSON.stringify([
  'ExchangeTokenBy.AuthorizationCode',
  'ExchangeTokenBy.DeviceCode',
  'ExchangeTokenBy.RefreshToken',
])

const GrantedRows = z.array(
  z.object({ resource: z.string(), name: z.string().nullable(), scope: z.string() }),
)

/** Selects the consents of a user, newest first. */
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
          where tenant_id = ${tenantId} and user_id = ${userId} order by created_at desc limit ${MAX_LOGS}) as some
        where key in (select value from json_each(${TOKEN_KEYS})) group by application_id) as used`,
      sql`used.application_id = ${consents.applicationId}`,
    )
    .where(and(eq(consents.tenantId, tenantId), eq(consents.userId, userId)))
    .groupBy(consents.applicationId)
    .orderBy(sql`granted_at desc`)
    .limit(MAX_LISTED)

/**
 * Selects the consents of a user that only grants record: those to unregistered clients (spec/provider#client-documents)
 * and, for organisations, those to third parties (spec/organisations#consent). Of each client, it selects the newest
 * valid grant.
 */
export const consentGrantsQuery = (db: Database, tenantId: string, userId: string) =>
  db
    .select({
      id: sql<string>`${models.clientId}`,
      name: applications.name,
      payload: models.payload,
      iat: sql<number>`max(${payloadAt('$.iat')})`.as('iat'),
    })
    .from(models)
    .leftJoin(applications, and(eq(applications.tenantId, tenantId), eq(applications.id, models.clientId)))
    .where(isConsentGrant(tenantId, userId))
    .groupBy(models.clientId)
    .orderBy(sql`iat desc`)
    .limit(MAX_LISTED)

const isConsentGrant = (tenantId: string, userId: string) =>
  and(
    isAmongNewest(tenantId, 'Grant', userId),
    sql`${models.expiresAt} > unixepoch() * 1000 and (${payloadAt('$.seenClient')} is not null
      or (${payloadAt('$.organizationId')} is not null
        and ${applications.customClientMetadata} ->> '$.isThirdParty' and ${isGrantInForce}))`,
  )

/** Count the clients that have access to the account: those with recorded consents, and those with grants only. */
export const accessCountQueries = (db: Database, tenantId: string, userId: string) => ({
  registeredApps: db
    .select({ count: countDistinct(consents.applicationId) })
    .from(consents)
    .where(and(eq(consents.tenantId, tenantId), eq(consents.userId, userId))),
  appsWithGrants: db
    .select({ count: countDistinct(models.clientId) })
    .from(models)
    .leftJoin(applications, and(eq(applications.tenantId, tenantId), eq(applications.id, models.clientId)))
    .where(
      and(
        isConsentGrant(tenantId, userId),
        sql`not exists (select 1 from ${consents} where ${consents.tenantId} = ${tenantId}
          and ${consents.userId} = ${userId} and ${consents.applicationId} = ${models.clientId})`,
      ),
    ),
})

const Granted = z.object({
  /** The description of an unregistered client. */
  seenClient: z.object({ name: z.string(), host: z.string(), logo: z.string().nullable() }).optional(),
  openid: z
    .object({ scope: z.string().default(''), claims: z.array(z.string()).default([]) })
    .default({ scope: '', claims: [] }),
  resources: z.record(z.string(), z.string()).default({}),
})
type GrantRow = Awaited<ReturnType<typeof consentGrantsQuery>>[number]
type ConsentListRow = Awaited<ReturnType<typeof consentsQuery>>[number]

/**
 * Merges recorded consents and those in grants, newest first. An application that also acts for organisations is listed
 * once, because a withdrawal ends everything.
 */
export function toConsents(rows: readonly ConsentListRow[], grants: readonly GrantRow[]): ListedConsent[] {
  const listed = new Set(rows.map(({ application }) => application.id))
  const others = grants.filter(({ id }) => !listed.has(id))
  return [...rows.map(ofApplication), ...others.map(ofGrant)].toSorted((a, b) => b.grantedAt - a.grantedAt)
}

function ofGrant({ id, name: registeredName, payload, iat }: GrantRow): ListedConsent {
  const { seenClient, openid, resources } = Granted.parse(payload)
  return {
    application: { id, name: seenClient?.name ?? registeredName ?? id },
    unregistered: seenClient ? { host: seenClient.host, logo: seenClient.logo } : null,
    scopes: openid.scope.split(' ').filter(Boolean),
    claims: claimNames(openid.claims),
    resources: Object.entries(resources).map(([indicator, scope]) => ({
      indicator,
      name: null,
      scopes: scope.split(' ').filter(Boolean),
    })),
    grantedAt: iat * 1000,
    lastUsedAt: null,
  }
}

function ofApplication({ granted, ...row }: ConsentListRow): ListedConsent {
  const { scopes, claims, resources } = fromConsentRows(granted)
  return {
    ...row,
    unregistered: null,
    scopes: [...scopes],
    claims: claimNames(claims),
    resources: Object.entries(resources).map(([indicator, scopesOfResource]) => ({
      indicator,
      name: granted.find(({ resource }) => resource === indicator)?.name ?? null,
      scopes: [...scopesOfResource],
    })),
  }
}
