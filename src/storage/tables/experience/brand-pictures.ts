import { customType, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { lengthLimits, tenantId, timeColumn } from '../columns.ts'

/** Bytes, which D1 returns as a list of numbers and libSQL as a buffer. */
const bytes = customType<{ data: Uint8Array<ArrayBuffer>; driverData: Uint8Array | ArrayBuffer | number[] }>({
  dataType: () => 'blob',
  fromDriver: (value) => new Uint8Array(value),
})

/** Pictures of the sign-in pages (spec/storage#brand-pictures). Their number and size are limited per tenant. */
export const brandPictures = sqliteTable(
  'brand_pictures',
  {
    tenantId: tenantId(),
    /** The SHA-256 hash of the content with the extension of its type, which is the last part of the URL. */
    name: text('name').notNull(),
    size: integer('size').notNull(),
    createdAt: timeColumn('created_at').notNull(),
    /** The time from which the scheduled maintenance checks whether the picture is still in use. */
    checkAt: timeColumn('check_at').notNull(),
    /** The last column, so that SQLite finds the others without reading the content. */
    content: bytes('content').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.name] }),
    index('brand_pictures_check_at').on(table.checkAt),
    ...lengthLimits([table.name, 64]),
  ],
)
