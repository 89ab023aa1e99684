import { z } from 'zod'
import { storableText } from '../../../contract/text.schema.ts'
import type { UserFilter } from '../../../storage/users/user-filter.ts'
import { type UserOrder, userSorts } from '../../../storage/users/user-order.ts'
import { readSuspension } from './user-answer.ts'

const flag = z.enum(['true', 'false']).optional()
const time = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a time in milliseconds')
  .optional()

/** Declares the query parameters that filter the list of users (spec/management#user-filters). */
export const userFilterQuery = {
  roleId: storableText(128).optional(),
  excludeRoleId: storableText(128).optional(),
  provider: storableText(128).optional(),
  hasFactor: z.enum(['any', 'none', 'passkey', 'totp']).optional(),
  emailVerified: flag,
  phoneVerified: flag,
  lastSignInAfter: time,
  lastSignInBefore: time,
}

/** Declares the query parameters that sort the list of users. */
export const userOrderQuery = {
  sort: z.enum(userSorts).optional(),
  order: z.enum(['asc', 'desc']).optional(),
}

type UserQuery = { isSuspended?: 'true' | 'false' | undefined } & {
  [Name in keyof typeof userFilterQuery]?: z.infer<(typeof userFilterQuery)[Name]>
} & Partial<UserOrder>

/** Converts the query parameters to the filter and the order of the list. */
export const readUserFilter = ({
  isSuspended,
  excludeRoleId,
  emailVerified,
  phoneVerified,
  lastSignInAfter,
  lastSignInBefore,
  ...query
}: UserQuery): UserFilter & Partial<UserOrder> & { isSuspended: boolean | undefined } => ({
  roleId: query.roleId,
  provider: query.provider,
  hasFactor: query.hasFactor,
  sort: query.sort,
  order: query.order,
  isSuspended: readSuspension({ isSuspended }),
  withoutRoleId: excludeRoleId,
  emailVerified: toBoolean(emailVerified),
  phoneVerified: toBoolean(phoneVerified),
  lastSignInAfter: toTime(lastSignInAfter),
  lastSignInBefore: toTime(lastSignInBefore),
})

const toBoolean = (value: 'true' | 'false' | undefined) =>
  value === undefined ? undefined : value === 'true'
const toTime = (value: string | undefined) => (value === undefined ? undefined : Number(value))
