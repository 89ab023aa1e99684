import { addedSecondFactorPolicies } from '../../../src/contract/tenants/settings.ts'
import { useT } from '../../phrases.ts'
import { Checkbox, Select, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { policyTexts } from '../second-factor-policy.ts'
import { type SettingsProps, textOrNull } from './application-form.ts'
import { texts } from './phrases.ts'

export function BasicsCard({ application, change, setMetadata, problems, isReadOnly }: SettingsProps) {
  const t = useT(texts, policyTexts)
  const { name, description, type, secondFactorPolicy, rememberDays, oidcClientMetadata } = application
  return (
    <Card title={t('basics')}>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        value={name}
        isDisabled={isReadOnly}
        problem={problems.name}
        onChange={(next) => change({ name: next })}
      />
      <TextField
        label={t('description')}
        hint={t('descriptionHint')}
        rows={2}
        value={description ?? ''}
        isDisabled={isReadOnly}
        problem={problems.description}
        onChange={(next) => change({ description: textOrNull(next) })}
      />
      {type !== 'MachineToMachine' && (
        <>
          <TextField
            label={t('logo')}
            hint={t('logoHint')}
            type="url"
            isCode
            value={oidcClientMetadata.logoUri ?? ''}
            isDisabled={isReadOnly}
            problem={problems['oidcClientMetadata.logoUri']}
            onChange={(logoUri) => setMetadata({ logoUri: textOrNull(logoUri) })}
          />
          <Select
            label={t('label')}
            hint={t('strictest')}
            value={secondFactorPolicy ?? 'inherited'}
            options={(['inherited', ...addedSecondFactorPolicies] as const).map((value) => ({
              value,
              label: t(value),
            }))}
            isDisabled={isReadOnly}
            problem={problems.secondFactorPolicy}
            onChange={(next) => change({ secondFactorPolicy: next === 'inherited' ? null : next })}
          />
          <Checkbox
            label={t('neverRemembered')}
            hint={t('neverRememberedHint')}
            isSelected={rememberDays === 0}
            isDisabled={isReadOnly}
            onChange={(isSelected) => change({ rememberDays: isSelected ? 0 : null })}
          />
        </>
      )}
    </Card>
  )
}
