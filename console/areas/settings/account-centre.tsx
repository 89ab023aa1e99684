import { accountFields, fieldPolicies } from '../../../src/contract/account/account-fields.ts'
import { useT } from '../../phrases.ts'
import { Select, Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { accountFieldNames } from './field-names.ts'
import { texts } from './phrases.ts'
import type { SettingsPart } from './settings-form.ts'

const policies = { off: 'hiddenField', readOnly: 'readOnly', edit: 'edit' } as const

export function AccountCentre({ fieldsIn }: SettingsPart) {
  const t = useT(texts)
  const centre = fieldsIn('accountCentre')
  const { value: fields, isDisabled, onChange } = centre.choice('fields')
  return (
    <>
      <Card title={t('accountCentre')}>
        <Switch label={t('accountCentre.enabled')} {...centre.flag('enabled')} />
        <TextField label={t('accountCentre.deletionGraceDays')} {...centre.number('deletionGraceDays')} />
      </Card>
      <Card title={t('fields')}>
        {accountFields.map((field) => (
          <Select
            key={field}
            label={t(accountFieldNames[field])}
            value={fields[field]}
            isDisabled={isDisabled}
            options={fieldPolicies.map((policy) => ({ value: policy, label: t(policies[policy]) }))}
            onChange={(policy) => onChange({ ...fields, [field]: policy })}
          />
        ))}
      </Card>
    </>
  )
}
