import { isFieldVisible } from '../../src/contract/account/account-fields.ts'
import { Button } from '../ui/button.tsx'
import { useCanEdit, useTexts, useView } from './account-view.tsx'
import { CustomFieldDetails, CustomFieldInputs, type CustomFieldValue } from './custom-fields.tsx'
import { ActionLink, Detail, DetailList, Heading, Input } from './parts.tsx'
import { addressFields, type ProfileFieldName, personFields } from './profile-fields.ts'
import { LanguageSelect, TimeZoneSelect } from './profile-selects.tsx'

export type ProfileValues = Readonly<Record<ProfileFieldName, string>>

type ProfileProps = {
  values: ProfileValues
  /** The custom fields that the tenant has defined. */
  fields: readonly CustomFieldValue[]
  avatar: string | null
  hasUsername: boolean
  /** Whether the account centre has a picture page. */
  hasPicture: boolean
}

/** Shows what applications know about the user, and lets the user edit it (spec/account-centre#profile). */
export function Profile({ values, fields: custom, avatar, hasUsername, hasPicture }: ProfileProps) {
  const t = useTexts()
  const { fields } = useView()
  const may = {
    name: useCanEdit('name'),
    username: useCanEdit('username'),
    profile: useCanEdit('profile'),
  }
  const text = (name: ProfileFieldName, label: string, more: object = {}) => (
    <Input key={name} name={name} label={label} defaultValue={values[name]} maxLength={128} {...more} />
  )
  const plain = { autoCapitalize: 'none', spellCheck: false }
  const editable = custom.filter(({ field }) => field.access === 'edit')
  const hasForm = may.name || may.profile || (may.username && hasUsername) || editable.length > 0
  return (
    <>
      <Heading title={t('profile')} lead={t('profile_lead')} />
      {hasPicture && isFieldVisible(fields, 'avatar') && (
        <section className="account-card account-owner">
          {avatar && <img className="account-avatar" src={avatar} alt="" width={64} height={64} />}
          <ActionLink to="/account/picture">{t('picture')}</ActionLink>
        </section>
      )}
      {hasForm && (
        <form method="post" className="account-card account-form">
          {may.name && text('name', t('name'), { autoComplete: 'name' })}
          {may.username &&
            hasUsername &&
            text('username', t('input.username'), { autoComplete: 'username', ...plain })}
          {(may.profile || editable.length > 0) && <h2>{t('about_you')}</h2>}
          {may.profile && (
            <>
              {personFields.map(({ name, label, ...more }) => text(name, t(label), more))}
              <LanguageSelect value={values.locale} />
              <TimeZoneSelect value={values.zoneinfo} />
            </>
          )}
          <CustomFieldInputs fields={editable} />
          {may.profile && (
            <>
              <h2>{t('postal_address')}</h2>
              {addressFields.map(({ name, label, ...more }) => text(name, t(label), more))}
            </>
          )}
          <Button name="intent" value="save">
            {t('save')}
          </Button>
        </form>
      )}
      <ReadOnly values={values} custom={custom.filter(({ field }) => field.access === 'readOnly')} />
    </>
  )
}

/** The fields that users can see but not change. */
function ReadOnly({ values, custom }: { values: ProfileValues; custom: readonly CustomFieldValue[] }) {
  const t = useTexts()
  const { fields } = useView()
  const rows = [
    ...(fields.name === 'readOnly' ? [{ name: 'name' as const, label: t('name') }] : []),
    ...(fields.username === 'readOnly' ? [{ name: 'username' as const, label: t('input.username') }] : []),
    ...(fields.profile === 'readOnly'
      ? [...personFields, ...addressFields].map(({ name, label }) => ({ name, label: t(label) }))
      : []),
  ].filter(({ name }) => values[name] !== '')
  const customRows = custom.filter(({ value }) => value !== '')
  if (rows.length === 0 && customRows.length === 0) return null
  return (
    <section className="account-card">
      <DetailList>
        {rows.map(({ name, label }) => (
          <Detail key={name} name={label}>
            <bdi>{values[name]}</bdi>
          </Detail>
        ))}
        <CustomFieldDetails fields={customRows} />
      </DetailList>
    </section>
  )
}
