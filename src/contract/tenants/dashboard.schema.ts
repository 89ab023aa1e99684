import { z } from 'zod'

/** Numbers of users (spec/management#dashboard). Days are those of UTC; `delta` is the difference from the period before. */

const Count = z.number().int()
const Trend = z.object({ count: Count, delta: Count })

export const TotalUsers = z.object({ totalUserCount: Count })

export const NewUsers = z.object({ today: Trend, last7Days: Trend })

export const ActiveUsers = z.object({
  dauCurve: z.array(z.object({ date: z.iso.date(), count: Count })),
  dau: Trend,
  wau: Trend,
  mau: Trend,
})
