import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { ADMIN_ROLE } from '../../contract/product.ts'
import { readTogether } from '../batches.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { type Seals, UnreadableSeal } from '../seal.ts'
import { applications, applicationsRoles } from '../tables.ts'
import { type PageRange, pageOffset, totalQuery } from '../totals.ts'
import {
  noPreviousSecret,
  plainSecretColumn,
  type UnsealedApplication,
  unsealPreviousSecret,
  unsealSecret,
} from './application-secrets.ts'

/** An application as stored, with its secret still sealed. */
export type StoredApplication = typeof applications.$inferSelect
/** An application with its secret in plain text. */
export type ApplicationRow = UnsealedApplication
/**
 * An application as a client of the provider. The value of the previous secret is null if there is none, and
 * `secretProblem` if the secret could be decrypted.
 */
export type ClientRow = ApplicationRow & {
  previousSecretValue: string | null
  secretProblem: UnreadableSeal | null
}
export type NewApplicationRow = Omit<
  ApplicationRow,
  'tenantId' | 'secretCreatedAt' | 'previousSecret' | 'secondFactorPolicy' | 'rememberDays' | 'claims'
> & {
  rememberDays?: StoredApplication['rememberDays']
  sealedSecret: string
  secondFactorPolicy?: StoredApplication['secondFactorPolicy']
  claims?: StoredApplication['claims']
}

type SealedStore = { db: Database; seals: Seals }

/** Lists applications, newest first (spec/management#applications). */
export async function listApplications(
  { db, seals }: SealedStore,
  tenantId: string,
  page: PageRange,
): Promise<{ applications: ApplicationRow[]; total: number }> {
  const { rows, totals } = await readTogether(db, {
    rows: db
      .select()
      .from(applications)
      .where(eq(applications.tenantId, tenantId))
      .orderBy(desc(applications.createdAt), desc(applications.id))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    totals: totalQuery(db, tenantId, 'applications'),
  })
  return {
    applications: await Promise.all(rows.map((row) => unsealSecret(seals, row))),
    total: totals[0]?.count ?? 0,
  }
}

export async function getApplication(
  { db, seals }: SealedStore,
  tenantId: string,
  id: string,
): Promise<ClientRow | null> {
  const [row] = await storedApplicationQuery(db, tenantId, id)
  if (!row) return null
  const previousSecretValue = await unsealPreviousSecret(seals, row)
  const application = await unsealSecret(seals, row)
  const secretProblem =
    application.secret === '' && row.sealedSecret !== null
      ? new UnreadableSeal(`The secret of application ${id}`, row.sealedSecret)
      : null
  return { ...application, previousSecretValue, secretProblem }
}

export const storedApplicationQuery = (db: Database, tenantId: string, id: string) =>
  db.select().from(applications).where(hasKey(tenantId, id))

/** Inserts an application and returns the stored row, whose secret `unsealSecret` decrypts. */
export const insertApplication = (db: Database, tenantId: string, application: NewApplicationRow) =>
  db
    .insert(applications)
    .values({
      tenantId,
      id: application.id,
      name: application.name,
      secret: plainSecretColumn(application.secret),
      sealedSecret: application.sealedSecret,
      description: application.description,
      type: application.type,
      oidcClientMetadata: application.oidcClientMetadata,
      customClientMetadata: application.customClientMetadata,
      createdAt: application.createdAt,
      secretCreatedAt: application.createdAt,
      secondFactorPolicy: application.secondFactorPolicy,
      rememberDays: application.rememberDays,
      claims: application.claims,
    })
    .returning()

/** A new secret. The current one is accepted until `previousExpiresAt`, or ends at once if that is null. */
export type NewSecret = { open: string; sealed: string; createdAt: number; previousExpiresAt: number | null }

/**
 * The changes to an application. Columns are replaced. Metadata is merged key by key in the database, so that no
 * concurrent change is lost; null removes a key.
 */
export type ApplicationRowPatch = Partial<
  Pick<ApplicationRow, 'name' | 'description' | 'type' | 'secondFactorPolicy' | 'rememberDays' | 'claims'>
> & {
  secret?: NewSecret | undefined
  oidcClientMetadata?: object | undefined
  customClientMetadata?: object | undefined
}

export function patchApplication(
  db: Database,
  tenantId: string,
  id: string,
  { oidcClientMetadata, customClientMetadata, secret, ...columns }: ApplicationRowPatch,
  condition: Condition = ALWAYS_TRUE,
) {
  return db
    .update(applications)
    .set({
      ...columns,
      ...(secret && replacedSecret(secret)),
      // These columns are always set, even to their current values, because an UPDATE without a SET clause is invalid.
      oidcClientMetadata: patched(sql`${applications.oidcClientMetadata}`, oidcClientMetadata),
      customClientMetadata: patched(sql`${applications.customClientMetadata}`, customClientMetadata),
    })
    .where(and(hasKey(tenantId, id), condition))
    .returning()
}

/**
 * Sets the columns of a new secret. The expressions read the row as it was before. A secret in plain text, which a
 * promotion has just generated, is not kept (spec/management#replaced-credentials).
 */
function replacedSecret({ open, sealed, createdAt, previousExpiresAt }: NewSecret) {
  const previousValue = (value: SQL) =>
    previousExpiresAt === null ? null : sql`iif(${applications.secret} = '', ${value}, null)`
  return {
    secret: plainSecretColumn(open),
    sealedSecret: sealed,
    secretCreatedAt: createdAt,
    sealedPreviousSecret: previousValue(sql`${applications.sealedSecret}`),
    previousSecretCreatedAt: previousValue(sql`${applications.secretCreatedAt}`),
    previousSecretExpiresAt: previousValue(sql`${previousExpiresAt}`),
  }
}

/** Ends the previous secret. Returns no row if there is none, or if it has expired. */
export const endPreviousSecret = (db: Database, tenantId: string, id: string, now: number) =>
  db
    .update(applications)
    .set(noPreviousSecret)
    .where(and(hasKey(tenantId, id), gt(applications.previousSecretExpiresAt, now)))
    .returning({ id: applications.id })

/**
 * Merges a patch. All metadata is flat, so a JSON Merge Patch (RFC 7396) performs the shallow merge of
 * spec/management#patch.
 */
const patched = (json: SQL, patch: object = {}): SQL => sql`json_patch(${json}, ${JSON.stringify(patch)})`

/** Selects the applications whose keys are fetched from a URL. */
export const keySetsQuery = (db: Database, tenantId: string) =>
  db
    .select({ id: applications.id, address: sql<string>`${jwksUri}` })
    .from(applications)
    .where(and(eq(applications.tenantId, tenantId), sql`${jwksUri} is not null`))
    .limit(20)

const jwksUri = sql`json_extract(${applications.customClientMetadata}, '$.jwksUri')`

export const removeApplication = (db: Database, tenantId: string, id: string) =>
  db.delete(applications).where(hasKey(tenantId, id)).returning()

export const applicationExists = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${applications} where ${hasKey(tenantId, id)})`

/** Checks that an application has a previous secret that has not expired. */
export const hasPreviousSecret = (tenantId: string, id: string, now: number): Condition =>
  sql`exists (select 1 from ${applications}
    where ${hasKey(tenantId, id)} and ${applications.previousSecretExpiresAt} > ${now})`

/** Reads an application. `isAdmin` is true if it administers its tenant. */
export async function getApplicationWithRole(
  { db, seals }: SealedStore,
  tenantId: string,
  id: string,
): Promise<(ApplicationRow & { isAdmin: boolean }) | null> {
  const {
    rows: [row],
    roles,
  } = await readTogether(db, {
    rows: storedApplicationQuery(db, tenantId, id),
    roles: adminRoleQuery(db, tenantId, id),
  })
  return row ? { ...(await unsealSecret(seals, row)), isAdmin: roles.length > 0 } : null
}

export const adminRoleQuery = (db: Database, tenantId: string, id: string) =>
  db.select({ id: applicationsRoles.id }).from(applicationsRoles).where(hasAdminRole(tenantId, id))

export const grantAdminRole = (db: Database, tenantId: string, id: string) =>
  db.run(sql`insert into ${applicationsRoles} (tenant_id, id, application_id, role_id)
    select ${tenantId}, ${randomId()}, ${id}, ${ADMIN_ROLE.id} where ${applicationExists(tenantId, id)}
    on conflict do nothing`)

export const revokeAdminRole = (db: Database, tenantId: string, id: string) =>
  db.delete(applicationsRoles).where(hasAdminRole(tenantId, id))

const hasAdminRole = (tenantId: string, id: string) =>
  and(
    eq(applicationsRoles.tenantId, tenantId),
    eq(applicationsRoles.applicationId, id),
    eq(applicationsRoles.roleId, ADMIN_ROLE.id),
  )

const hasKey = (tenantId: string, id: string) =>
  and(eq(applications.tenantId, tenantId), eq(applications.id, id))
