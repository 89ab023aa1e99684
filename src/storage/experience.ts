import { and, eq } from 'drizzle-orm'
import { DEFAULT_EXPERIENCE, type Experience, type SignInExperience } from '../contract/experience.ts'
import type { Database } from './database.ts'
import { signInExperiences } from './tables.ts'

export type ExperienceRow = typeof signInExperiences.$inferSelect
export type ExperienceChanges = Partial<Omit<SignInExperience, 'id'>>

export const experienceQuery = (db: Database, tenantId: string) =>
  db.select().from(signInExperiences).where(isOf(tenantId))

export async function readExperience(db: Database, tenantId: string): Promise<ExperienceRow | null> {
  const [row] = await experienceQuery(db, tenantId)
  return row ?? null
}

/** The row with what follows from the connectors (contract 5.1): as long as none can be installed, nothing does. */
export async function readWholeExperience(db: Database, tenantId: string): Promise<Experience> {
  const row = await readExperience(db, tenantId)
  if (!row) throw new Error(`Tenant ${tenantId} has no sign-in experience`)
  const { tenantId: _tenantId, ...experience } = row
  return { ...experience, socialConnectors: [], forgotPassword: { email: false, phone: false } }
}

/** Every column given replaces what was there (contract 8.1). */
export async function patchExperience(
  db: Database,
  tenantId: string,
  changes: ExperienceChanges,
): Promise<ExperienceRow | null> {
  const isEmpty = Object.values(changes).every((change) => change === undefined)
  if (isEmpty) return readExperience(db, tenantId)
  const [row] = await changeExperience(db, tenantId, changes)
  return row ?? null
}

/** For the batch of a change and its audit row (decision 19). At least one change must be given. */
export const changeExperience = (db: Database, tenantId: string, changes: ExperienceChanges) =>
  db.update(signInExperiences).set(changes).where(isOf(tenantId)).returning()

/** A tenant has one. */
const isOf = (tenantId: string) =>
  and(eq(signInExperiences.tenantId, tenantId), eq(signInExperiences.id, DEFAULT_EXPERIENCE.id))
