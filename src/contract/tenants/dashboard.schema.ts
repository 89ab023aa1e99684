import { z } from 'zod'

/** User statistics (spec/management#dashboard). Days are in UTC; `delta` is the difference from the previous period. */

const Count = z.number().int()
const Trend = z.object({ count: Count, delta: Count })

export const TotalUsers = z.object({ totalUserCount: Count }).meta({ id: 'UserTotal' })

export const NewUsers = z.object({ today: Trend, last7Days: Trend }).meta({ id: 'NewUsers' })

export const ActiveUsers = z
  .object({
    dauCurve: z.array(z.object({ date: z.iso.date(), count: Count })),
    dau: Trend,
    wau: Trend,
    mau: Trend,
  })
  .meta({ id: 'ActiveUsers' })
