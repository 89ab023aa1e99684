import { z } from '@hono/zod-openapi'

/** For declarations of lists of users (spec/management#users). */
export const suspensionQuery = { isSuspended: z.enum(['true', 'false']).optional() }

export const askedSuspension = ({ isSuspended }: { isSuspended?: 'true' | 'false' | undefined }) =>
  isSuspended === undefined ? undefined : isSuspended === 'true'
