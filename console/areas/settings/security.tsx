import {
  passwordRuleSets,
  secondFactorKinds,
  secondFactorPolicies,
} from '../../../src/contract/tenants/settings.ts'
import { useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { Checkbox, LinesField, Select, Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { policyPhrases } from '../second-factor-policy.tsx'
import { texts } from './phrases.ts'
import type { SettingsPart } from './settings-form.ts'

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

function SecondFactor({ value: { secondFactor, passkeys }, form, fieldsIn, reason }: SettingsPart) {
  const t = useT(texts, policyPhrases)
  const fields = fieldsIn('secondFactor')
  const factors = fields.choice('factors')
  return (
    <Card title={t('secondFactor')} lead={reason('secondFactor')}>
      <Select
        label={t('secondFactorPolicy')}
        {...fields.choice('policy')}
        options={secondFactorPolicies.map((policy) => ({ value: policy, label: t(policy) }))}
      />
      <fieldset className="group">
        <legend>{t('countedFactors')}</legend>
        {secondFactorKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={t(kind)}
            hint={
              kind === 'passkey' && !passkeys.enabled && secondFactor.factors.includes(kind)
                ? t('passkeysAreOff')
                : undefined
            }
            isDisabled={factors.isDisabled}
            isSelected={secondFactor.factors.includes(kind)}
            onChange={(isSelected) =>
              factors.onChange(
                secondFactorKinds.filter((each) =>
                  each === kind ? isSelected : secondFactor.factors.includes(each),
                ),
              )
            }
          />
        ))}
        {form.problem?.fields['secondFactor.factors'] && (
          <p className="problem">{form.problem.fields['secondFactor.factors']}</p>
        )}
      </fieldset>
      <TextField
        label={t('secondFactor.rememberDays')}
        hint={t('rememberHint')}
        {...fields.number('rememberDays')}
      />
      <TextField label={t('secondFactor.putOffs')} {...fields.number('putOffs')} />
    </Card>
  )
}

function Passwords({ fieldsIn, reason }: SettingsPart) {
  const t = useT(texts)
  const fields = fieldsIn('passwordPolicy')
  return (
    <Card title={t('passwordPolicy')} lead={reason('passwordPolicy')}>
      <Select
        label={t('passwordPolicy.rules')}
        hint={t('rulesHint')}
        {...fields.choice('rules')}
        options={passwordRuleSets.map((rules) => ({ value: rules, label: t(rules) }))}
      />
      <Switch
        label={t('passwordPolicy.haveIBeenPwned')}
        hint={t('breachedHint')}
        {...fields.flag('haveIBeenPwned')}
      />
    </Card>
  )
}

function Passkeys({ value: { passkeys }, form, fieldsIn, reason }: SettingsPart) {
  const t = useT(texts)
  const fields = fieldsIn('passkeys')
  return (
    <Card title={t('passkeys')} lead={reason('passkeys')}>
      <Switch
        label={t('passkeys.enabled')}
        hint={t('enablePasskeysHint')}
        {...fields.flag('enabled')}
        onChange={(enabled) => {
          const rpId = passkeys.rpId ?? (enabled ? new URL(apiOrigin).hostname : null)
          form.change({ passkeys: { ...passkeys, enabled, rpId } })
        }}
      />
      <TextField label={t('passkeys.rpId')} hint={t('rpIdHint')} isCode {...fields.nullable('rpId')} />
      <Switch label={t('passkeys.offer')} {...fields.flag('offer')} />
    </Card>
  )
}

function Privacy({
  value: { accountExistence, newSignInNotices, rememberAccounts },
  form,
  fields,
  mayWrite,
  reason,
}: SettingsPart) {
  const t = useT(texts)
  return (
    <Card title={t('privacy')}>
      <Switch
        label={t('accountExistence')}
        hint={reason('accountExistence') ?? t('hiddenHint')}
        isDisabled={!mayWrite('accountExistence')}
        isSelected={accountExistence === 'hidden'}
        onChange={(isHidden) => form.change({ accountExistence: isHidden ? 'hidden' : 'friendly' })}
      />
      <Switch
        label={t('newSignInNotices')}
        hint={reason('newSignInNotices') ?? t('newSignInHint')}
        isDisabled={!mayWrite('newSignInNotices')}
        isSelected={newSignInNotices}
        onChange={(isOn) => form.change({ newSignInNotices: isOn })}
      />
      <Switch
        label={t('rememberAccounts')}
        hint={t('rememberAccountsHint')}
        isSelected={rememberAccounts}
        onChange={(isOn) => form.change({ rememberAccounts: isOn })}
      />
      <LinesField
        label={t('smsCountries')}
        hint={t('smsHint')}
        isCode
        {...fields.lines('smsCountries')}
        onChange={(countries) => form.change({ smsCountries: countries.map((each) => each.toUpperCase()) })}
      />
    </Card>
  )
}
