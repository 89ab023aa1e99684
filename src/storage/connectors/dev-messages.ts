import { and, desc, eq, sql } from 'drizzle-orm'
import { sendBatch } from '../batches.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { devMessages } from '../tables.ts'

export type DevMessage = Omit<typeof devMessages.$inferSelect, 'tenantId'>

/** The maximum number of messages per tenant (spec/management#development-inbox). */
export const MESSAGES_KEPT = 200

/** Stores a message and, in the same batch, deletes the oldest ones over the limit. */
export const storeDevMessage = (db: Database, tenantId: string, message: Omit<DevMessage, 'id'>) =>
  sendBatch(db, [
    db.insert(devMessages).values({
      tenantId,
      id: randomId(),
      to: message.to.slice(0, 128), // spec/limits#columns
      channel: message.channel,
      type: message.type,
      code: message.code,
      language: message.language,
      subject: message.subject,
      body: message.body,
      html: message.html,
      createdAt: message.createdAt,
    }),
    db.run(sql`delete from ${devMessages} where tenant_id = ${tenantId} and id in (
      select id from ${devMessages} where tenant_id = ${tenantId}
      order by created_at desc, id desc limit -1 offset ${MESSAGES_KEPT})`),
  ])

const columns = {
  id: devMessages.id,
  to: devMessages.to,
  channel: devMessages.channel,
  type: devMessages.type,
  code: devMessages.code,
  language: devMessages.language,
  subject: devMessages.subject,
  body: devMessages.body,
  html: devMessages.html,
  createdAt: devMessages.createdAt,
}

/** Lists messages, newest first: all of them, or only those to one address. */
export const listDevMessages = (db: Database, tenantId: string, to?: string): Promise<DevMessage[]> =>
  db
    .select(columns)
    .from(devMessages)
    .where(and(eq(devMessages.tenantId, tenantId), to === undefined ? undefined : eq(devMessages.to, to)))
    .orderBy(desc(devMessages.createdAt), desc(devMessages.id))
    .limit(MESSAGES_KEPT)

export async function findDevMessage(db: Database, tenantId: string, id: string): Promise<DevMessage | null> {
  const [message] = await db
    .select(columns)
    .from(devMessages)
    .where(and(eq(devMessages.tenantId, tenantId), eq(devMessages.id, id)))
  return message ?? null
}
