import { Button, ButtonLink } from '../../ui/button.tsx'
import { useLinkWithQuery, useTexts, useView } from '../account-view.tsx'
import { Input } from '../parts.tsx'
import { BirthdateField } from './birthdate-field.tsx'
import { CustomFieldInputs, type CustomFieldValue } from './custom-fields.tsx'
import { GenderField } from './gender-field.tsx'
import type { ProfileGroup, ProfileValues, profileFields } from './profile-fields.ts'
import { CountrySelect, LanguageSelect, TimeZoneSelect } from './profile-selects.tsx'

type Field = (typeof profileFields)[number]

type ProfileFormProps = {
  group: ProfileGroup
  values: ProfileValues
  fields: { own: readonly Field[]; tenants: readonly CustomFieldValue[] }
  now: number
}

/** Edits one group of the profile (spec/account-centre#profile). */
export function ProfileForm({ group, values, fields: { own, tenants }, now }: ProfileFormProps) {
  const t = useTexts()
  const pathWithLink = useLinkWithQuery()
  const { problem, typed } = useView()
  return (
    <form method="post" className="account-card account-form profile-form" aria-labelledby={`${group}-title`}>
      {own.map((field, index) => (
        <ProfileInput
          key={field.name}
          field={field}
          value={typed[field.name] ?? values[field.name]}
          now={now}
          hasInitialFocus={index === 0 && !problem}
        />
      ))}
      <CustomFieldInputs fields={tenants} hasInitialFocus={!problem} />
      <div className="account-actions">
        <Button name="intent" value="save">
          {t('save')}
        </Button>
        <ButtonLink kind="quiet" href={`${pathWithLink('/account/profile')}#edit-${group}`}>
          {t('action.cancel')}
        </ButtonLink>
      </div>
    </form>
  )
}

type InputProps = { field: Field; value: string; now: number; hasInitialFocus: boolean }

function ProfileInput({ field: { name, label, input }, value, now, hasInitialFocus }: InputProps) {
  const t = useTexts()
  switch (name) {
    case 'birthdate':
      return <BirthdateField value={value} hasInitialFocus={hasInitialFocus} />
    case 'gender':
      return <GenderField value={value} />
    case 'locale':
      return <LanguageSelect value={value} hasInitialFocus={hasInitialFocus} />
    case 'zoneinfo':
      return <TimeZoneSelect value={value} now={now} hasInitialFocus={hasInitialFocus} />
    case 'address.country':
      return <CountrySelect value={value} />
    default:
      return (
        <Input
          name={name}
          label={t(label)}
          defaultValue={value}
          maxLength={128}
          {...(hasInitialFocus && { autoFocus: true })}
          {...input}
        />
      )
  }
}
