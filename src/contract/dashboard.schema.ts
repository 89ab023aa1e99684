import { z } from 'zod'

/** Numbers for an operator's first page. Days are those of UTC; a delta is the difference from the time before. */

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
