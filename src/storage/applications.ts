import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { ADMIN_ROLE } from '../contract/product.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { applications, applicationsRoles, oidcModelInstances } from './tables.ts'
import { offsetOf, type Page, totalQuery } from './totals.ts'

export type Application = typeof applications.$inferSelect
export type NewApplication = Omit<Application, 'tenantId'>
export type ApplicationChanges = Partial<Omit<Application, 'tenantId' | 'id' | 'createdAt'>>

/** Newest first (contract 8.2). */
export async function listApplications(
  db: Database,
  tenantId: string,
  page: Page,
): Promise<{ applications: Application[]; total: number }> {
  const [listed, [counted]] = await db.batch([
    db
      .select()
      .from(applications)
      .where(eq(applications.tenantId, tenantId))
      .orderBy(desc(applications.createdAt), desc(applications.id))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    totalQuery(db, tenantId, 'applications'),
  ])
  return { applications: listed, total: counted?.count ?? 0 }
}

export async function getApplication(
  db: Database,
  tenantId: string,
  id: string,
): Promise<Application | null> {
  const [found] = await db.select().from(applications).where(is(tenantId, id))
  return found ?? null
}

/** Whether an app of this tenant, and not a site, has registered this address of its own (decision 39). */
export async function isNativeRedirectUri(db: Database, tenantId: string, uri: string): Promise<boolean> {
  if (/^https?:/i.test(uri) || !URL.canParse(uri)) return false
  const [found] = await db
    .select({ id: applications.id })
    .from(applications)
    .where(
      and(
        eq(applications.tenantId, tenantId),
        eq(applications.type, 'Native'),
        sql`exists (select 1 from json_each(${applications.oidcClientMetadata}, '$.redirectUris') where value = ${uri})`,
      ),
    )
    .limit(1)
  return found !== undefined
}

export async function createApplication(
  db: Database,
  tenantId: string,
  application: NewApplication,
): Promise<Application | null> {
  const [created] = await insertApplication(db, tenantId, application)
  return created ?? null
}

/** For the batch of a change and its audit row (decision 19); so are the statements below. */
export const insertApplication = (db: Database, tenantId: string, application: NewApplication) =>
  db
    .insert(applications)
    .values({
      tenantId,
      id: application.id,
      name: application.name,
      secret: application.secret,
      description: application.description,
      type: application.type,
      oidcClientMetadata: application.oidcClientMetadata,
      customClientMetadata: application.customClientMetadata,
      createdAt: application.createdAt,
    })
    .returning()

/** Columns are replaced, the keys of metadata merged where they lie, so that two changes at once both stay; null removes a key. */
export type ApplicationPatch = Partial<Pick<Application, 'name' | 'secret' | 'description' | 'type'>> & {
  oidcClientMetadata?: object | undefined
  customClientMetadata?: object | undefined
}

export function patchApplication(
  db: Database,
  tenantId: string,
  id: string,
  { oidcClientMetadata, customClientMetadata, ...columns }: ApplicationPatch,
) {
  return db
    .update(applications)
    .set({
      ...columns,
      // Always given, because an UPDATE sets something: a patch of nothing changes nothing.
      oidcClientMetadata: patched(sql`${applications.oidcClientMetadata}`, oidcClientMetadata),
      customClientMetadata: patched(sql`${applications.customClientMetadata}`, customClientMetadata),
    })
    .where(is(tenantId, id))
    .returning()
}

/** All metadata is flat, so a JSON Merge Patch (RFC 7396) of it is the shallow merge of contract 8.1. */
const patched = (json: SQL, patch: object = {}): SQL => sql`json_patch(${json}, ${JSON.stringify(patch)})`

export const removeApplication = (db: Database, tenantId: string, id: string) =>
  db.delete(applications).where(is(tenantId, id)).returning()

/**
 * What was handed out to it, before it goes itself: its id may be given again, and another must not inherit what people
 * consented to. Of built-in clients, which have no row, nothing.
 */
export const removeHandedOut = (db: Database, tenantId: string, id: string) =>
  db
    .delete(oidcModelInstances)
    .where(
      and(
        eq(oidcModelInstances.tenantId, tenantId),
        eq(oidcModelInstances.clientId, id),
        isApplication(tenantId, id),
      ),
    )

/** As many as one statement deletes in a moment, and statements as one call may have (design 2). */
const AT_ONCE = 2_000
const MOST_ROUNDS = 100

/**
 * The same ahead of that batch, in portions: of hundreds of thousands of rows one statement would reach no end. Answers
 * whether that was all; if not, whoever asks again gets further.
 */
export async function thinOutHandedOut(db: Database, tenantId: string, id: string): Promise<boolean> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const deleted = await db
      .delete(oidcModelInstances)
      .where(
        sql`rowid in (select rowid from ${oidcModelInstances} where ${oidcModelInstances.tenantId} = ${tenantId}
          and ${oidcModelInstances.clientId} = ${id} and ${isApplication(tenantId, id)} limit ${AT_ONCE})`,
      )
      .returning({ deleted: sql`1`.as('deleted') })
    if (deleted.length < AT_ONCE) return true
  }
  return false
}

/** As a condition for other statements of a batch. */
export const isApplication = (tenantId: string, id: string): SQL =>
  sql`exists (select 1 from ${applications} where ${is(tenantId, id)})`

/** The application with the fact whether it administers its tenant. */
export async function getApplicationWithRole(
  db: Database,
  tenantId: string,
  id: string,
): Promise<(Application & { isAdmin: boolean }) | null> {
  const [[found], roles] = await db.batch([
    db.select().from(applications).where(is(tenantId, id)),
    db.select({ id: applicationsRoles.id }).from(applicationsRoles).where(hasAdminRole(tenantId, id)),
  ])
  return found ? { ...found, isAdmin: roles.length > 0 } : null
}

export const grantAdminRole = (db: Database, tenantId: string, id: string) =>
  db.run(sql`insert into ${applicationsRoles} (tenant_id, id, application_id, role_id)
    select ${tenantId}, ${randomId()}, ${id}, ${ADMIN_ROLE.id} where ${isApplication(tenantId, id)}
    on conflict do nothing`)

export const revokeAdminRole = (db: Database, tenantId: string, id: string) =>
  db.delete(applicationsRoles).where(hasAdminRole(tenantId, id))

const hasAdminRole = (tenantId: string, id: string) =>
  and(
    eq(applicationsRoles.tenantId, tenantId),
    eq(applicationsRoles.applicationId, id),
    eq(applicationsRoles.roleId, ADMIN_ROLE.id),
  )

/** Every column given replaces what was there: merging metadata is the caller's decision (contract 8.1). */
export async function updateApplication(
  db: Database,
  tenantId: string,
  id: string,
  changes: ApplicationChanges,
): Promise<Application | null> {
  const isEmpty = Object.values(changes).every((change) => change === undefined)
  if (isEmpty) return getApplication(db, tenantId, id)
  const [updated] = await db.update(applications).set(changes).where(is(tenantId, id)).returning()
  return updated ?? null
}

export async function deleteApplication(
  db: Database,
  tenantId: string,
  id: string,
): Promise<Application | null> {
  const [deleted] = await removeApplication(db, tenantId, id)
  return deleted ?? null
}

const is = (tenantId: string, id: string) => and(eq(applications.tenantId, tenantId), eq(applications.id, id))
