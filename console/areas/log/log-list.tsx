import { useSearchParams } from 'wouter'
import { BUILT_IN_APP_IDS, MANAGEMENT_CLIENT_ID } from '../../../src/contract/product.ts'
import { useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useApplications } from './applications.ts'
import { logKeys } from './keys.ts'
import { LogTable } from './log-table.tsx'
import { LogTabs } from './log-tabs.tsx'
import { filterOf } from './logs.ts'
import { texts } from './phrases.ts'

const DELAY_MS = 200

/** What is looked for is part of the address: it can be sent to somebody, and survives a sign-in. */
export function LogList() {
  const t = useT(texts)
  const [query, setQuery] = useSearchParams()
  const at = (name: string) => query.get(name) ?? ''
  const set = (name: string) => (value: string) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const filter = useDelayed(query.toString(), DELAY_MS)
  return (
    <Page title={t('title')} lead={t('lead')} isWide>
      <LogTabs />
      <search className="filters">
        <TextField label={t('key')} value={at('key')} suggestions={logKeys} onChange={set('key')} />
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
        <TextField label={t('userId')} value={at('user')} onChange={set('user')} />
        <ApplicationFilter value={at('application')} onChange={set('application')} />
        <TextField label={t('interactionId')} value={at('interaction')} onChange={set('interaction')} />
        <TextField label={t('from')} type="datetime-local" value={at('from')} onChange={set('from')} />
        <TextField label={t('to')} type="datetime-local" value={at('to')} onChange={set('to')} />
      </search>
      <LogTable filter={filterOf(new URLSearchParams(filter))} {...(filter && { empty: t('noneFound') })} />
    </Page>
  )
}

type ChoiceProps = { value: string; onChange: (value: string) => void }

/** By name, for who may read applications, beside the clients of the product, which have none; else by id. */
export function ApplicationFilter({ value, onChange }: ChoiceProps) {
  const t = useT(texts)
  const known = useApplications()
  if (!known) return <TextField label={t('applicationId')} value={value} onChange={onChange} />
  const named = known.map(({ id, name }) => ({ value: id, label: name }))
  const others = [...BUILT_IN_APP_IDS, MANAGEMENT_CLIENT_ID, value]
  return (
    <Select
      label={t('application')}
      value={value}
      options={[
        { value: '', label: t('any') },
        ...named,
        ...[...new Set(others)]
          .filter((id) => id && !known.some((one) => one.id === id))
          .map((id) => ({ value: id, label: id })),
      ]}
      onChange={onChange}
    />
  )
}
