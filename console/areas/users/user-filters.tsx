import type { z } from 'zod'
import type { ConnectorSchema } from '../../../src/contract/connectors/connectors.schema.ts'
import { type UserFilter, userFilterOptions } from '../../../src/domain/users/user-list.ts'
import { useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { useRoleWords } from '../administrator-roles.ts'
import { useRoles } from '../roles.ts'
import { filterTexts } from './filter-phrases.ts'
import { texts } from './phrases.ts'

type Connector = Pick<z.infer<typeof ConnectorSchema>, 'type' | 'target'>

type UserFiltersProps = { filter: UserFilter; onChange: (changes: Partial<UserFilter>) => void }

/** The search, the filters and the order of the list of users. */
export function UserFilters({ filter, onChange }: UserFiltersProps) {
  const t = useT(texts, filterTexts)
  const { nameOf } = useRoleWords()
  const roles = useRoles()
  const mayReadConnectors = useCan('connectors:read')
  const connectors = useApi<Connector[]>('/connectors', { isEnabled: mayReadConnectors })
  const targets = new Set(
    (connectors.data?.data ?? []).filter(({ type }) => type === 'Social').map(({ target }) => target),
  )
  if (filter.provider) targets.add(filter.provider)
  const any = { value: '', label: t('any') }
  const withAny = <Value extends string>(values: readonly Value[], label: (value: Value) => string) => [
    { ...any, value: '' as const },
    ...values.map((value) => ({ value, label: label(value) })),
  ]
  return (
    <search className="filters">
      <TextField
        label={t('search')}
        type="search"
        value={filter.search}
        placeholder={t('searchHint')}
        onChange={(search) => onChange({ search })}
      />
      {roles && (
        <Select
          label={t('role')}
          value={filter.role}
          options={[any, ...roles.map((role) => ({ value: role.id, label: nameOf(role) }))]}
          onChange={(role) => onChange({ role })}
        />
      )}
      <Select
        label={t('status')}
        value={filter.state}
        options={withAny(userFilterOptions.state, t)}
        onChange={(state) => onChange({ state })}
      />
      <Select
        label={t('factorFilter')}
        value={filter.factor}
        options={withAny(userFilterOptions.factor, (value) => t(`factor-${value}`))}
        onChange={(factor) => onChange({ factor })}
      />
      <Select
        label={t('verifiedFilter')}
        value={filter.verified}
        options={withAny(userFilterOptions.verified, (value) => t(`verified-${value}`))}
        onChange={(verified) => onChange({ verified })}
      />
      {targets.size > 0 && (
        <Select
          label={t('provider')}
          value={filter.provider}
          options={[any, ...[...targets].map((target) => ({ value: target, label: target }))]}
          onChange={(provider) => onChange({ provider })}
        />
      )}
      <Select
        label={t('lastSignIn')}
        value={filter.lastSignIn}
        options={withAny(userFilterOptions.lastSignIn, (value) => t(`lastSignIn-${value}`))}
        onChange={(lastSignIn) => onChange({ lastSignIn })}
      />
      <Select
        label={t('sortBy')}
        value={filter.sort}
        options={[
          { value: '' as const, label: t(filter.search.trim() ? 'sort-relevance' : 'sort-newest') },
          ...userFilterOptions.sort.map((value) => ({ value, label: t(`sort-${value}`) })),
        ]}
        onChange={(sort) => onChange({ sort })}
      />
    </search>
  )
}
