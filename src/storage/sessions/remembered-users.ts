import { and, eq, inArray } from 'drizzle-orm'
import type { RememberedUser } from '../../domain/sessions/remembered-accounts.ts'
import type { Database } from '../database.ts'
import { users } from '../tables.ts'

/** Selects what decides whether a browser still remembers these users (spec/accounts#remembered-account). */
export const rememberedUsersQuery = (db: Database, tenantId: string, userIds: readonly string[]) =>
  db
    .select({
      id: users.id,
      isSuspended: users.isSuspended,
      revokedAt: users.revokedAt,
      username: users.username,
      email: users.primaryEmail,
      phone: users.primaryPhone,
    } satisfies Record<keyof RememberedUser, unknown>)
    .from(users)
    .where(and(eq(users.tenantId, tenantId), inArray(users.id, [...userIds])))
