import type { z } from 'zod'
import type { ActiveUsers, NewUsers, TotalUsers } from '../../../src/contract/tenants/dashboard.schema.ts'
import { retryFailed, useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { Card, Loading } from '../../ui/page.tsx'
import { texts } from './phrases.ts'

type Active = z.output<typeof ActiveUsers>

/** Shows statistics about users. The page doesn't wait for them, so this is empty until they are loaded. */
export function UserNumbers() {
  const t = useT(texts)
  const { number } = useFormats()
  const queries = {
    total: useApi<z.output<typeof TotalUsers>>('/dashboard/users/total'),
    created: useApi<z.output<typeof NewUsers>>('/dashboard/users/new'),
    active: useApi<Active>('/dashboard/users/active'),
  }
  const [total, created] = [queries.total.data?.data, queries.created.data?.data]
  const active = queries.active.data?.data
  const all = Object.values(queries)
  const failure = all.find(({ error, data }) => error && !data)?.error
  const numbers = [
    { label: t('allUsers'), value: total?.totalUserCount },
    { label: t('newUsers'), ...trend(created?.last7Days) },
    { label: t('activeToday'), ...trend(active?.dau) },
    { label: t('active30'), ...trend(active?.mau) },
  ]
  return (
    <Card title={t('users')}>
      <dl className="numbers">
        {numbers.map(({ label, value, delta }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value === undefined ? '–' : number(value)}{' '}
              {delta ? (
                <span className="delta">{`${delta > 0 ? '+' : '−'}${number(Math.abs(delta))}`}</span>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
      {failure && <Loading failure={failure} onRetry={retryFailed(...all)} />}
      {active && active.mau.count > 0 && <Curve days={active.dauCurve} />}
    </Card>
  )
}

const trend = (numbers: Active['dau'] | undefined): { value?: number; delta?: number } =>
  numbers ? { value: numbers.count, delta: numbers.delta } : {}

const SIZE = { width: 600, height: 64 }

/** Draws a chart of the active users per day. The numbers are shown next to it. */
function Curve({ days }: { days: Active['dauCurve'] }) {
  const t = useT(texts)
  const most = Math.max(1, ...days.map(({ count }) => count))
  const points = days.map(({ count }, index) => {
    const x = (index / Math.max(1, days.length - 1)) * SIZE.width
    return `${x.toFixed(1)},${(SIZE.height - 2 - (count / most) * (SIZE.height - 4)).toFixed(1)}`
  })
  return (
    <svg
      className="curve"
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('curve', { most })}
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}
