import { Link, useSearchParams } from 'wouter'
import type { z } from 'zod'
import type { FailedRequests } from '../../../src/contract/failed-requests.schema.ts'
import { NOT_LOGGED } from '../../../src/contract/failed-requests.ts'
import { BUILT_IN_APP_IDS, MANAGEMENT_CLIENT_ID } from '../../../src/contract/product.ts'
import { HOUR } from '../../../src/contract/time.ts'
import { useApi } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { Select, TextField, useDebounced } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { FORMER_OF, failedSignInsFilter, last24HoursFilter, parseFilter, yesterdayFilter } from './address.ts'
import { useApplications } from './applications.ts'
import { type KeyGroup, keyGroups, logKeys } from './keys.ts'
import { LogTable } from './log-table.tsx'
import { LogTabs } from './log-tabs.tsx'
import { PartyFilter } from './party-filter.tsx'
import { texts } from './phrases.ts'

const DELAY_MS = 200

/** The filter is part of the URL, so that it can be shared and survives a sign-in. */
export function LogList() {
  const t = useT(texts)
  const [query, setQuery] = useSearchParams()
  const at = (name: string) => query.get(name) ?? ''
  const updateQuery = (changes: Readonly<Record<string, string>>) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams({ ...Object.fromEntries(before), ...changes })
        for (const [name, value] of Object.entries(changes)) if (value === '') next.delete(name)
        return next
      },
      { replace: true },
    )
  const set = (name: string) => (value: string) => updateQuery({ [name]: value })
  const mayReadCounts = useCan('applications:read')
  const filter = useDebounced(query.toString(), DELAY_MS)
  return (
    <Page title={t('log')} lead={t('lead')} isWide>
      <LogTabs />
      <div className="actions">
        <Button onPress={() => updateQuery(failedSignInsFilter)}>{t('failedSignIns')}</Button>
        <Button onPress={() => updateQuery(yesterdayFilter(new Date()))}>{t('yesterday')}</Button>
        <Button onPress={() => updateQuery(last24HoursFilter(new Date()))}>{t('lastDay')}</Button>
        {query.size > 0 && (
          <Button kind="quiet" onPress={() => setQuery({}, { replace: true })}>
            {t('all')}
          </Button>
        )}
      </div>
      <search className="filters">
        <EventFilter value={at('key')} onChange={set('key')} />
        <TextField
          label={t('keyFilter')}
          value={at('key')}
          suggestions={logKeys}
          onChange={set('key')}
          isCode
        />
        <Select
          label={t('result')}
          value={at('result')}
          options={[
            { value: '', label: t('any') },
            { value: 'Success', label: t('Success') },
            { value: 'Error', label: t('Error') },
          ]}
          onChange={set('result')}
        />
        <PartyFilter label={t('byId')} hint={t('partyHint')} value={at('by')} onChange={set('by')} />
        <PartyFilter
          label={t('ofId')}
          hint={t('partyHint')}
          value={at('of') || at(FORMER_OF)}
          onChange={(of) => updateQuery({ of, [FORMER_OF]: '' })}
        />
        <ApplicationFilter value={at('application')} onChange={set('application')} />
        <TextField label={t('interactionId')} value={at('interaction')} onChange={set('interaction')} />
        <TextField label={t('from')} type="datetime-local" value={at('from')} onChange={set('from')} />
        <TextField label={t('to')} type="datetime-local" value={at('to')} onChange={set('to')} />
      </search>
      {mayReadCounts && <NotLogged />}
      <LogTable
        filter={parseFilter(new URLSearchParams(filter))}
        {...(filter && { empty: t('noneFound') })}
      />
    </Page>
  )
}

type Count = z.infer<typeof FailedRequests>

/**
 * Shows how many events of the last day were counted but not stored, because there were too many in one hour
 * (spec/limits#log-rows).
 */
function NotLogged() {
  const t = useT(texts)
  const { number } = useFormats()
  const { data } = useApi<Count[]>('/failed-requests', { query: NEWEST_NOT_LOGGED })
  const since = Date.now() - 24 * HOUR
  const counts = data?.data.flatMap(({ hour, count }) => (hour > since ? [count] : [])) ?? []
  if (counts.length === 0) return null
  const count = number(counts.reduce((sum, more) => sum + more, 0))
  return (
    <p>
      <Link href="/log/failed-requests">{t('notWritten', { count })}</Link>
    </p>
  )
}

const NEWEST_NOT_LOGGED = { endpoint: 'interaction', error: NOT_LOGGED, page: 1, page_size: 100 }

const groups = Object.keys(keyGroups) as KeyGroup[]

/** Filters by the prefix of the key. The current value remains an option even if it isn't one of the groups. */
function EventFilter({ value, onChange }: ChoiceProps) {
  const t = useT(texts)
  const named = groups.map((group) => ({ value: keyGroups[group], label: t(group) }))
  const isOther = value !== '' && !named.some((one) => one.value === value)
  return (
    <Select<string>
      label={t('events')}
      value={value}
      options={[{ value: '', label: t('any') }, ...named, ...(isOther ? [{ value, label: value }] : [])]}
      onChange={onChange}
    />
  )
}

type ChoiceProps = { value: string; onChange: (value: string) => void }

/**
 * Filters by application. Users who may read applications choose one by name, or a built-in client by id. Others type
 * an id.
 */
export function ApplicationFilter({ value, onChange }: ChoiceProps) {
  const t = useT(texts)
  const applications = useApplications()
  if (!applications) return <TextField label={t('clientId')} value={value} onChange={onChange} />
  const named = applications.map(({ id, name }) => ({ value: id, label: name }))
  const others = [...BUILT_IN_APP_IDS, MANAGEMENT_CLIENT_ID, value]
  return (
    <Select
      label={t('application')}
      value={value}
      options={[
        { value: '', label: t('any') },
        ...named,
        ...[...new Set(others)]
          .filter((id) => id && !applications.some((one) => one.id === id))
          .map((id) => ({ value: id, label: id })),
      ]}
      onChange={onChange}
    />
  )
}
