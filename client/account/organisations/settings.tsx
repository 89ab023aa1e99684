import {
  type OrganizationBrand,
  type OrganizationMethod,
  type OrganizationPolicy,
  organizationMethods,
} from '../../../src/contract/organisations/organizations.ts'
import {
  type AddedSecondFactorPolicy,
  addedSecondFactorPolicies,
} from '../../../src/contract/tenants/settings.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../../../src/contract/time.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../../context/boot.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldFrame } from '../../ui/field.tsx'
import { useProblem, useTexts, useView } from '../account-view.tsx'
import { Heading, Input } from '../parts.tsx'
import { Select } from '../profile/profile-selects.tsx'
import { CheckboxGroup } from './checkbox-group.tsx'

type SettingsProps = {
  name: string
  description: string | null
  brand: OrganizationBrand
  policy: OrganizationPolicy
}

/** Changes the name, the brand and the policy of an organisation (spec/organisations#account-centre). */
export function OrganizationSettings({ name, description, brand, policy }: SettingsProps) {
  const t = useTexts()
  return (
    <>
      <Heading title={t('settings')} lead={t('settings_lead')} />
      <BrandForm {...{ name, description, brand }} />
      <PolicyForm policy={policy} />
    </>
  )
}

/** Returns a function that selects the value of a field: as it was typed in this form, or else as it is stored. */
function useTypedValue(intent: string) {
  const { typed } = useView()
  return (name: string, stored: string | null | undefined): string =>
    (typed.intent === intent ? typed[name] : stored) ?? ''
}

function BrandForm({ name, description, brand }: Omit<SettingsProps, 'policy'>) {
  const t = useTexts()
  const initial = useTypedValue('save')
  const url = { type: 'url', maxLength: 2048, dir: 'ltr', autoComplete: 'off' } as const
  return (
    <form method="post" className="account-card account-form profile-form">
      <h2>{t('brand')}</h2>
      <Input
        name="name"
        label={t('organization_name')}
        defaultValue={initial('name', name)}
        maxLength={128}
        dir="auto"
        required
      />
      <Input
        name="description"
        label={t('organization_description')}
        defaultValue={initial('description', description)}
        maxLength={256}
        dir="auto"
      />
      <Input
        {...url}
        name="logo"
        label={t('logo')}
        hint={t('logo_hint')}
        defaultValue={initial('logo', brand.logo)}
      />
      <Input
        {...url}
        name="logoDark"
        label={t('logo_dark')}
        defaultValue={initial('logoDark', brand.logoDark)}
      />
      <Input
        name="color"
        label={t('color')}
        hint={t('color_hint')}
        defaultValue={initial('color', brand.color)}
        maxLength={7}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
      />
      <Checkbox
        name="isPublic"
        value="true"
        defaultChecked={initial('isPublic', brand.isPublic ? 'true' : '') === 'true'}
      >
        {t('brand_public')}
      </Checkbox>
      <Button name="intent" value="save">
        {t('save')}
      </Button>
    </form>
  )
}

const methodPhrases = {
  password: 'input.password',
  code: 'method_code',
  passkey: 'passkeys',
  social: 'method_social',
} as const satisfies Record<OrganizationMethod, string>

const factorPhrases = {
  adaptive: 'factor_adaptive',
  optional: 'factor_optional',
  prompt: 'factor_prompt',
  required: 'factor_required',
} as const satisfies Record<AddedSecondFactorPolicy, string>

function PolicyForm({ policy }: Pick<SettingsProps, 'policy'>) {
  const t = useTexts()
  const initial = useTypedValue('savePolicy')
  return (
    <form method="post" className="account-card account-form profile-form">
      <h2>{t('organization_sign_in')}</h2>
      <p className="account-quiet">{t('organization_sign_in_hint')}</p>
      <Select
        name="secondFactor"
        label={t('factors')}
        value={initial('secondFactor', policy.secondFactor)}
        options={addedSecondFactorPolicies}
      >
        {addedSecondFactorPolicies.map((factor) => (
          <option key={factor} value={factor}>
            {t(factorPhrases[factor])}
          </option>
        ))}
      </Select>
      <SessionSelect value={initial('sessionMaxAgeSeconds', policy.sessionMaxAgeSeconds?.toString())} />
      <CheckboxGroup
        id="policy"
        name="methods"
        legend={t('organization_methods')}
        hint={t('organization_methods_hint')}
        options={organizationMethods.map((method) => ({ value: method, label: t(methodPhrases[method]) }))}
        chosen={initial('methods', policy.methods?.join(' ')).split(' ')}
      />
      <Networks value={initial('networks', policy.networks?.join('\n'))} />
      <Button name="intent" value="savePolicy">
        {t('save')}
      </Button>
    </form>
  )
}

const SESSION_SECONDS = [1, 4, 8, 12, 24, 7 * 24, 30 * 24].map((hours) => hours * HOUR_SECONDS)

function SessionSelect({ value }: { value: string }) {
  const { language } = useBoot()
  const t = useTexts()
  const format = (seconds: number): string => {
    const unit = seconds % DAY_SECONDS === 0 ? 'day' : seconds % HOUR_SECONDS === 0 ? 'hour' : 'minute'
    const size = { day: DAY_SECONDS, hour: HOUR_SECONDS, minute: 60 }[unit]
    const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const
    return new Intl.NumberFormat(toStandardTag(language), options).format(seconds / size)
  }
  return (
    <Select
      name="sessionMaxAgeSeconds"
      label={t('session_length')}
      value={value}
      options={SESSION_SECONDS.map(String)}
      nameOf={(text) => format(Number(text) || 0)}
    >
      {SESSION_SECONDS.map((seconds) => (
        <option key={seconds} value={seconds}>
          {format(seconds)}
        </option>
      ))}
    </Select>
  )
}

function Networks({ value }: { value: string }) {
  const t = useTexts()
  const problem = useProblem('networks')
  return (
    <FieldFrame name="networks" label={t('networks')} hint={t('networks_hint')} problem={problem}>
      {(attributes) => (
        <textarea
          name="networks"
          defaultValue={value}
          rows={3}
          dir="ltr"
          spellCheck={false}
          {...(problem && { autoFocus: true })}
          {...attributes}
        />
      )}
    </FieldFrame>
  )
}
