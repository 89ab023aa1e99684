import {
  type AddedSecondFactorPolicy,
  addedSecondFactorPolicies,
} from '../../src/contract/tenants/settings.ts'
import { phrases, useT } from '../phrases.ts'
import { Checkbox, Select } from '../ui/fields.tsx'

/**
 * The phrases about who needs a second factor. The settings of tenants, roles and applications share them
 * (spec/accounts#second-factor-policy).
 */
export const policyPhrases = phrases({
  en: {
    secondFactorPolicy: 'Who needs a second factor',
    strictest:
      'If the tenant, the application and the user’s roles have different policies, the strictest applies.',
    inherited: 'Same as the tenant',
    rememberDays: 'Ask even in remembered browsers',
    rememberDaysHint: 'Users enter their second factor even in a browser that they’ve used before.',
    off: 'No one',
    adaptive: 'Users with an unusual sign-in',
    optional: 'Users who have a second factor',
    prompt: 'Everyone, but they can postpone setting it up',
    required: 'Everyone',
  },
  de: {
    secondFactorPolicy: 'Zweiter Faktor erforderlich für',
    strictest:
      'Haben der Mandant, die Anwendung und die Rollen des Benutzers verschiedene Richtlinien, gilt die strengste.',
    inherited: 'Wie für den Mandanten festgelegt',
    rememberDays: 'Auch in gemerkten Browsern verlangen',
    rememberDaysHint:
      'Benutzer müssen den zweiten Faktor auch dann angeben, wenn sie diesen Browser schon verwendet haben.',
    off: 'Niemanden',
    adaptive: 'Benutzer mit einer ungewöhnlichen Anmeldung',
    optional: 'Benutzer, die einen zweiten Faktor haben',
    prompt: 'Alle, die Einrichtung lässt sich aber aufschieben',
    required: 'Alle',
  },
})

type Policy = { secondFactorPolicy: AddedSecondFactorPolicy | null; rememberDays: number | null }
type PolicyFieldsProps = {
  value: Policy
  isDisabled: boolean
  problem?: string | undefined
  onChange: (changes: Partial<Policy>) => void
}

/** Edits the second-factor policy of a role or an application. Such a policy can only be stricter than the tenant's. */
export function SecondFactorPolicyFields({ value, isDisabled, problem, onChange }: PolicyFieldsProps) {
  const t = useT(policyPhrases)
  return (
    <>
      <Select
        label={t('secondFactorPolicy')}
        hint={t('strictest')}
        value={value.secondFactorPolicy ?? 'inherited'}
        options={(['inherited', ...addedSecondFactorPolicies] as const).map((policy) => ({
          value: policy,
          label: t(policy),
        }))}
        isDisabled={isDisabled}
        problem={problem}
        onChange={(policy) => onChange({ secondFactorPolicy: policy === 'inherited' ? null : policy })}
      />
      <Checkbox
        label={t('rememberDays')}
        hint={t('rememberDaysHint')}
        isSelected={value.rememberDays === 0}
        isDisabled={isDisabled}
        onChange={(isSelected) => onChange({ rememberDays: isSelected ? 0 : null })}
      />
    </>
  )
}
