import {
  type OrganizationPolicy,
  organizationMethods,
} from '../../../src/contract/organisations/organizations.ts'
import { addedSecondFactorPolicies } from '../../../src/contract/tenants/settings.ts'
import { type ApiProblem, findNamedProblem } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { bindFields } from '../../ui/bound.ts'
import { Checkbox, LinesField, Select, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { policyPhrases } from '../second-factor-policy.tsx'
import { omitUnset } from './omit-unset.ts'
import { settingPhrases } from './setting-phrases.ts'

type PolicyProps = {
  policy: OrganizationPolicy
  problems: ApiProblem['fields']
  isDisabled: boolean
  onChange: (policy: OrganizationPolicy) => void
}

/** Edits the rules for acting for an organisation (spec/organisations#policy). */
export function PolicyCard({ policy, problems, isDisabled, onChange }: PolicyProps) {
  const t = useT(settingPhrases, policyPhrases)
  const change = (changes: Partial<OrganizationPolicy>) => onChange(omitUnset({ ...policy, ...changes }))
  const fields = bindFields({ value: policy, path: 'policy', problems, isDisabled, change })
  const { methods = [] } = policy
  return (
    <Card title={t('policy')} lead={t('policyLead')}>
      <fieldset className="group" disabled={isDisabled}>
        <legend>{t('policy.methods')}</legend>
        <p className="hint">{t('methodsHint')}</p>
        {organizationMethods.map((method) => (
          <Checkbox
            key={method}
            label={t(method)}
            isDisabled={isDisabled}
            isSelected={methods.includes(method)}
            onChange={(isSelected) =>
              change({
                methods: organizationMethods.filter((each) =>
                  each === method ? isSelected : methods.includes(each),
                ),
              })
            }
          />
        ))}
      </fieldset>
      <Select
        label={t('policy.secondFactor')}
        hint={t('policyStrictest')}
        value={policy.secondFactor ?? 'inherited'}
        problem={problems['policy.secondFactor']}
        isDisabled={isDisabled}
        options={(['inherited', ...addedSecondFactorPolicies] as const).map((value) => ({
          value,
          label: t(value),
        }))}
        onChange={(value) => change({ secondFactor: value === 'inherited' ? undefined : value })}
      />
      <TextField
        label={t('policy.sessionMaxAgeSeconds')}
        hint={t('sessionHint')}
        {...fields.number('sessionMaxAgeSeconds', null)}
      />
      <LinesField
        label={t('policy.networks')}
        hint={t('networksHint')}
        isCode
        {...fields.lines('networks')}
        problem={findNamedProblem(problems, 'policy.networks')}
      />
    </Card>
  )
}
