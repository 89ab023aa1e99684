import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { ActiveUsers, NewUsers, TotalUsers } from '../../../contract/tenants/dashboard.schema.ts'
import { activityTrends, dayNumber } from '../../../domain/tenants/activity.ts'
import { activityQuery, newUsersQuery } from '../../../storage/tenants/dashboard.ts'
import { totalQuery } from '../../../storage/totals.ts'
import { jsonResponse } from '../../guard.ts'
import { createManagementCallDeclarer, type ManagementGuard, managementRouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Dashboard')

const totalCall = declareCall({
  method: 'get',
  path: '/users/total',
  operationId: 'countUsers',
  summary: 'Count all users',
  description: 'Returns how many users the tenant has now. The number is exact and includes suspended users.',
  responses: { 200: jsonResponse('The total', TotalUsers) },
})
const newCall = declareCall({
  method: 'get',
  path: '/users/new',
  operationId: 'countNewUsers',
  summary: 'Count new users',
  description:
    'Returns how many users were created today and in the last seven days; deleted users do not count. ' +
    '`delta` is the difference from yesterday and from the seven days before. Days are in UTC.',
  responses: { 200: jsonResponse('New users', NewUsers) },
})
const activeCall = declareCall({
  method: 'get',
  path: '/users/active',
  operationId: 'countActiveUsers',
  summary: 'Count active users',
  description:
    'Returns the number of active users on `date` and in the seven and thirty days that end with it, ' +
    'each with the difference from the period before, and a curve of the thirty days. A user is active ' +
    'on a day if an application received tokens for the user on that day. Days are in UTC.',
  request: {
    query: z.object({
      date: z.iso
        .date()
        .optional()
        .meta({ description: 'The last day; the default is today', example: '2026-11-20' }),
    }),
  },
  responses: { 200: jsonResponse('Active users', ActiveUsers) },
})

/** Serves the statistics on the console's start page (spec/management#dashboard). */
export function dashboardRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db, now } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(totalCall, async (c) => {
      const [total] = await totalQuery(db, c.var.tenantId, 'users')
      return c.json({ totalUserCount: total?.count ?? 0 }, 200)
    })
    .openapi(newCall, async (c) => {
      const [counts] = await newUsersQuery(db, c.var.tenantId, dayNumber(now()))
      const { today = 0, yesterday = 0, last7Days = 0, previous7Days = 0 } = counts ?? {}
      return c.json(
        {
          today: { count: today, delta: today - yesterday },
          last7Days: { count: last7Days, delta: last7Days - previous7Days },
        },
        200,
      )
    })
    .openapi(activeCall, async (c) => {
      const { date } = c.req.valid('query')
      const day = dayNumber(date === undefined ? now() : Date.parse(date))
      return c.json(activityTrends(await activityQuery(db, c.var.tenantId, day), day), 200)
    })
}
