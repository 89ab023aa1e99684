import { useTexts, useView } from '../account-view.tsx'
import { Input } from '../parts.tsx'
import { genderPhrase, genders, OWN_GENDER, OWN_GENDER_FIELD } from './profile-fields.ts'
import { Select } from './profile-selects.tsx'

/**
 * Lets users choose a gender, or enter it in their own words. Style sheets show the text field only while its option is
 * selected.
 */
export function GenderField({ value }: { value: string }) {
  const t = useTexts()
  const { typed } = useView()
  const isOwn = value !== '' && genderPhrase(value) === null
  return (
    <div className="profile-gender">
      <Select
        name="gender"
        label={t('gender')}
        value={isOwn ? OWN_GENDER : value}
        options={[...Object.keys(genders), OWN_GENDER]}
        autoComplete="sex"
      >
        {Object.entries(genders).map(([gender, phrase]) => (
          <option key={gender} value={gender}>
            {t(phrase)}
          </option>
        ))}
        <option value={OWN_GENDER}>{t('gender_own')}</option>
      </Select>
      <Input
        name={OWN_GENDER_FIELD}
        label={t('gender_own')}
        defaultValue={typed[OWN_GENDER_FIELD] ?? (isOwn && value !== OWN_GENDER ? value : '')}
        maxLength={64}
        dir="auto"
      />
    </div>
  )
}
