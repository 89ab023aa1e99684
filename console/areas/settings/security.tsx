import {
  passwordRuleSets,
  secondFactorKinds,
  secondFactorPolicies,
} from '../../../src/contract/tenants/settings.ts'
import { problemAt } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { Checkbox, LinesField, Select, Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { policyTexts } from '../second-factor-policy.ts'
import { texts } from './phrases.ts'
import { numberOf, type SettingsPart, textOf } from './settings-form.ts'

export function Security(part: SettingsPart) {
  return (
    <>
      <SecondFactor {...part} />
      <Passwords {...part} />
      <Passkeys {...part} />
      <Privacy {...part} />
    </>
  )
}

function SecondFactor({ value: { secondFactor }, form, mayWrite, reason }: SettingsPart) {
  const t = useT(texts, policyTexts)
  const problems = form.problem?.fields ?? {}
  const change = (given: Partial<typeof secondFactor>) =>
    form.change({ secondFactor: { ...secondFactor, ...given } })
  return (
    <Card title={t('secondFactor')} lead={reason('secondFactor')}>
      <Select
        label={t('label')}
        value={secondFactor.policy}
        isDisabled={!mayWrite('secondFactor')}
        problem={problems['secondFactor.policy']}
        options={secondFactorPolicies.map((policy) => ({ value: policy, label: t(policy) }))}
        onChange={(policy) => change({ policy })}
      />
      <fieldset className="group">
        <legend>{t('countedFactors')}</legend>
        {secondFactorKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={t(kind)}
            isDisabled={!mayWrite('secondFactor')}
            isSelected={secondFactor.factors.includes(kind)}
            onChange={(isSelected) =>
              change({
                factors: secondFactorKinds.filter((each) =>
                  each === kind ? isSelected : secondFactor.factors.includes(each),
                ),
              })
            }
          />
        ))}
        {problems['secondFactor.factors'] && <p className="problem">{problems['secondFactor.factors']}</p>}
      </fieldset>
      <TextField
        label={t('rememberDays')}
        hint={t('rememberHint')}
        type="number"
        isDisabled={!mayWrite('secondFactor')}
        value={textOf(secondFactor.rememberDays)}
        problem={problems['secondFactor.rememberDays']}
        onChange={(days) => change({ rememberDays: numberOf(days) })}
      />
      <TextField
        label={t('putOffs')}
        type="number"
        isDisabled={!mayWrite('secondFactor')}
        value={textOf(secondFactor.putOffs)}
        problem={problems['secondFactor.putOffs']}
        onChange={(times) => change({ putOffs: numberOf(times) })}
      />
    </Card>
  )
}

function Passwords({ value: { passwordPolicy }, form, mayWrite, reason }: SettingsPart) {
  const t = useT(texts)
  return (
    <Card title={t('passwords')} lead={reason('passwordPolicy')}>
      <Select
        label={t('rules')}
        value={passwordPolicy.rules}
        isDisabled={!mayWrite('passwordPolicy')}
        options={passwordRuleSets.map((rules) => ({ value: rules, label: t(rules) }))}
        onChange={(rules) => form.change({ passwordPolicy: { ...passwordPolicy, rules } })}
      />
      <Switch
        label={t('breached')}
        hint={t('breachedHint')}
        isDisabled={!mayWrite('passwordPolicy')}
        isSelected={passwordPolicy.haveIBeenPwned}
        onChange={(haveIBeenPwned) => form.change({ passwordPolicy: { ...passwordPolicy, haveIBeenPwned } })}
      />
    </Card>
  )
}

function Passkeys({ value: { passkeys }, form, mayWrite, reason }: SettingsPart) {
  const t = useT(texts)
  const change = (given: Partial<typeof passkeys>) => form.change({ passkeys: { ...passkeys, ...given } })
  return (
    <Card title={t('passkeys')} lead={reason('passkeys')}>
      <Switch
        label={t('enablePasskeys')}
        hint={t('enablePasskeysHint')}
        isDisabled={!mayWrite('passkeys')}
        isSelected={passkeys.enabled}
        onChange={(enabled) =>
          change({ enabled, rpId: passkeys.rpId ?? (enabled ? new URL(apiOrigin).hostname : null) })
        }
      />
      <TextField
        label={t('rpId')}
        hint={t('rpIdHint')}
        isCode
        isDisabled={!mayWrite('passkeys')}
        value={passkeys.rpId ?? ''}
        problem={form.problem?.fields['passkeys.rpId']}
        onChange={(rpId) => change({ rpId: rpId || null })}
      />
      <Switch
        label={t('offer')}
        isDisabled={!mayWrite('passkeys')}
        isSelected={passkeys.offer}
        onChange={(offer) => change({ offer })}
      />
    </Card>
  )
}

function Privacy({ value: { accountExistence, smsCountries }, form, mayWrite, reason }: SettingsPart) {
  const t = useT(texts)
  return (
    <Card title={t('privacy')}>
      <Switch
        label={t('hidden')}
        hint={reason('accountExistence') ?? t('hiddenHint')}
        isDisabled={!mayWrite('accountExistence')}
        isSelected={accountExistence === 'hidden'}
        onChange={(isHidden) => form.change({ accountExistence: isHidden ? 'hidden' : 'friendly' })}
      />
      <LinesField
        label={t('smsCountries')}
        hint={t('smsHint')}
        isCode
        isDisabled={!mayWrite('smsCountries')}
        value={smsCountries}
        problem={problemAt(form.problem?.fields ?? {}, 'smsCountries')}
        onChange={(countries) => form.change({ smsCountries: countries.map((each) => each.toUpperCase()) })}
      />
    </Card>
  )
}
