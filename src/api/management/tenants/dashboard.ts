import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { ActiveUsers, NewUsers, TotalUsers } from '../../../contract/tenants/dashboard.schema.ts'
import { activityTrends, dayNumber } from '../../../domain/tenants/activity.ts'
import { activityQuery, newUsersQuery } from '../../../storage/tenants/dashboard.ts'
import { totalQuery } from '../../../storage/totals.ts'
import { jsonAnswer } from '../../guard.ts'
import { type ManagementGuard, managementCalls, managementRouter } from '../router.ts'

const declareCall = managementCalls('Dashboard')

const totalCall = declareCall({
  method: 'get',
  path: '/users/total',
  summary: 'Count all users',
  description: 'Answers how many users the tenant has now. The number is exact and includes suspended users.',
  answers: { 200: jsonAnswer('The total', TotalUsers) },
})
const newCall = declareCall({
  method: 'get',
  path: '/users/new',
  summary: 'Count new users',
  description:
    'Answers how many users were created today and in the last seven days; deleted users do not count. `delta` is the difference from yesterday and from the seven days before. Days are those of UTC.',
  answers: { 200: jsonAnswer('New users', NewUsers) },
})
const activeCall = declareCall({
  method: 'get',
  path: '/users/active',
  summary: 'Count active users',
  description:
    'A user is active on a day on which an application received tokens for this user. Answers the active users of the day, of seven and of thirty days that end with `date`, each with the difference from ' +
    'the period before, and a curve of the thirty days. Days are those of UTC.',
  request: {
    query: z.object({
      date: z.iso
        .date()
        .optional()
        .meta({ description: 'The last day; today if absent', example: '2026-11-20' }),
    }),
  },
  answers: { 200: jsonAnswer('Active users', ActiveUsers) },
})

/** Numbers for the first page of a console (spec/management#dashboard). */
export function dashboardRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db, now } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(totalCall, async (c) => {
      const [total] = await totalQuery(db, c.var.tenantId, 'users')
      return c.json({ totalUserCount: total?.count ?? 0 }, 200)
    })
    .openapi(newCall, async (c) => {
      const [counted] = await newUsersQuery(db, c.var.tenantId, dayNumber(now()))
      const { today = 0, yesterday = 0, last7Days = 0, previous7Days = 0 } = counted ?? {}
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
