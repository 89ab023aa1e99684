import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { belongsToAccount } from '../interactions/oidc-models.ts'
import { organizationTraceQueries } from '../organisations/member-traces.ts'
import {
  addressChanges,
  identityAdditions,
  invitations,
  oidcModelInstances as models,
  passkeyOffers,
  roles,
  secondFactorDeferrals,
  signInPlaces,
  userActivity,
  usersRoles,
} from '../tables.ts'
import { formerIdentifiersQuery } from './former-identifiers.ts'

/** The maximum number of grants in a user's data download. A script that keeps signing in creates a grant each time. */
const MAX_GRANTS = 10_000

/** Selects the data about a user that appears only in the data download and on no page (spec/account-centre#data). */
export const accountTraceQueries = (
  db: Database,
  { tenantId, userId }: { tenantId: string; userId: string },
) => ({
  roles: db
    .select({ name: roles.name })
    .from(usersRoles)
    .innerJoin(roles, and(eq(roles.tenantId, usersRoles.tenantId), eq(roles.id, usersRoles.roleId)))
    .where(and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId)))
    .orderBy(asc(roles.name)),
  grants: db
    .select({
      applicationId: models.clientId,
      createdAt: sql<number>`json_extract(${models.payload}, '$.iat') * 1000`.as('granted_at'),
      expiresAt: models.expiresAt,
    })
    .from(models)
    .where(and(belongsToAccount(tenantId, userId), eq(models.modelName, 'Grant')))
    .orderBy(desc(models.expiresAt))
    .limit(MAX_GRANTS),
  addressChanges: db
    .select({
      type: addressChanges.type,
      previous: addressChanges.previous,
      at: sql<number>`${addressChanges.createdAt}`.as('changed_at'),
    })
    .from(addressChanges)
    .where(and(eq(addressChanges.tenantId, tenantId), eq(addressChanges.userId, userId)))
    .orderBy(desc(addressChanges.createdAt)),
  invitations: db
    .select({
      email: invitations.email,
      createdAt: invitations.createdAt,
      acceptedAt: invitations.acceptedAt,
    })
    .from(invitations)
    .where(and(eq(invitations.tenantId, tenantId), eq(invitations.acceptedBy, userId)))
    .orderBy(desc(invitations.createdAt)),
  ...organizationTraceQueries(db, { tenantId, userId }),
  former: formerIdentifiersQuery(db, { tenantId, userId }),
  identitiesSince: db
    .select({
      target: identityAdditions.target,
      at: sql<number>`${identityAdditions.createdAt}`.as('linked_at'),
    })
    .from(identityAdditions)
    .where(and(eq(identityAdditions.tenantId, tenantId), eq(identityAdditions.userId, userId)))
    .orderBy(asc(identityAdditions.target)),
  offers: db
    .select({ times: passkeyOffers.deferrals, at: passkeyOffers.deferredAt })
    .from(passkeyOffers)
    .where(and(eq(passkeyOffers.tenantId, tenantId), eq(passkeyOffers.userId, userId))),
  deferrals: db
    .select({ at: secondFactorDeferrals.createdAt })
    .from(secondFactorDeferrals)
    .where(and(eq(secondFactorDeferrals.tenantId, tenantId), eq(secondFactorDeferrals.userId, userId))),
  places: db
    .select({
      country: signInPlaces.country,
      latitude: signInPlaces.latitude,
      longitude: signInPlaces.longitude,
      at: signInPlaces.signedInAt,
    })
    .from(signInPlaces)
    .where(and(eq(signInPlaces.tenantId, tenantId), eq(signInPlaces.userId, userId)))
    .orderBy(desc(signInPlaces.signedInAt)),
  lastDays: db
    .select({ day: sql<string>`date(${userActivity.lastDay} * 86400, 'unixepoch')`.as('last_date') })
    .from(userActivity)
    .where(and(eq(userActivity.tenantId, tenantId), eq(userActivity.userId, userId))),
})
