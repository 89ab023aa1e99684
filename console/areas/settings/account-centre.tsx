import { accountFields, fieldPolicies } from '../../../src/contract/account/account-fields.ts'
import { useT } from '../../phrases.ts'
import { Select, Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { accountFieldNames } from './field-names.ts'
import { texts } from './phrases.ts'
import { numberOf, type SettingsPart, textOf } from './settings-form.ts'

const policies = { off: 'hiddenField', readOnly: 'readOnly', edit: 'edit' } as const

export function AccountCentre({ value: { accountCentre }, form, mayWrite }: SettingsPart) {
  const t = useT(texts)
  const { enabled, fields, deletionGraceDays } = accountCentre
  const change = (given: Partial<typeof accountCentre>) =>
    form.change({ accountCentre: { ...accountCentre, ...given } })
  return (
    <>
      <Card title={t('account')}>
        <Switch
          label={t('centre')}
          isDisabled={!mayWrite('accountCentre')}
          isSelected={enabled}
          onChange={(isOn) => change({ enabled: isOn })}
        />
        <TextField
          label={t('grace')}
          type="number"
          isDisabled={!mayWrite('accountCentre')}
          value={textOf(deletionGraceDays)}
          problem={form.problem?.fields['accountCentre.deletionGraceDays']}
          onChange={(days) => change({ deletionGraceDays: numberOf(days) })}
        />
      </Card>
      <Card title={t('fields')}>
        {accountFields.map((field) => (
          <Select
            key={field}
            label={t(accountFieldNames[field])}
            value={fields[field]}
            isDisabled={!mayWrite('accountCentre')}
            options={fieldPolicies.map((policy) => ({ value: policy, label: t(policies[policy]) }))}
            onChange={(policy) => change({ fields: { ...fields, [field]: policy } })}
          />
        ))}
      </Card>
    </>
  )
}
