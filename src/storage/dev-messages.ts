import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { devMessages } from './tables.ts'

export type DevMessage = Omit<typeof devMessages.$inferSelect, 'tenantId' | 'id'>

/** More than anybody looks through. Ours. */
const KEPT = 200

/** In one batch with the sweep: the inbox never grows. */
export const keepDevMessage = (db: Database, tenantId: string, message: DevMessage) =>
  db.batch([
    db.insert(devMessages).values({
      tenantId,
      id: randomId(),
      to: message.to,
      channel: message.channel,
      type: message.type,
      code: message.code,
      language: message.language,
      subject: message.subject,
      body: message.body,
      createdAt: message.createdAt,
    }),
    db.run(sql`delete from ${devMessages} where tenant_id = ${tenantId} and id in (
      select id from ${devMessages} where tenant_id = ${tenantId}
      order by created_at desc, id desc limit -1 offset ${KEPT})`),
  ])

/** Newest first; all, or those to one address. */
export const listDevMessages = (db: Database, tenantId: string, to?: string): Promise<DevMessage[]> =>
  db
    .select({
      to: devMessages.to,
      channel: devMessages.channel,
      type: devMessages.type,
      code: devMessages.code,
      language: devMessages.language,
      subject: devMessages.subject,
      body: devMessages.body,
      createdAt: devMessages.createdAt,
    })
    .from(devMessages)
    .where(and(eq(devMessages.tenantId, tenantId), to === undefined ? undefined : eq(devMessages.to, to)))
    .orderBy(desc(devMessages.createdAt), desc(devMessages.id))
    .limit(KEPT)
