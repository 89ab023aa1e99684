import { type CustomField, MAX_FIELD_TEXT_LENGTH } from '../../../src/contract/account/custom-fields.ts'
import { isCalendarDate } from '../../../src/contract/day.ts'
import { fieldName, localizedText } from '../../../src/domain/account/custom-fields.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../../context/boot.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { useProblem, useTexts, useView } from '../account-view.tsx'
import { Input } from '../parts.tsx'
import { Select } from './profile-selects.tsx'
import { ProfileRow } from './profile-value.tsx'

/** The input fields for the custom fields that the tenant has defined (spec/account-centre#custom-fields). */

export type CustomFieldValue = { field: CustomField; value: string }

export const CustomFieldInputs = ({
  fields,
  hasInitialFocus,
}: {
  fields: readonly CustomFieldValue[]
  hasInitialFocus: boolean
}) =>
  fields.map((each, index) => (
    <CustomInput key={each.field.key} {...each} hasInitialFocus={hasInitialFocus && index === 0} />
  ))

function CustomInput({
  field,
  value: stored,
  hasInitialFocus,
}: CustomFieldValue & { hasInitialFocus: boolean }) {
  const { language } = useBoot()
  const { typed } = useView()
  const value = typed[fieldName(field)] ?? stored
  const problem = useProblem(fieldName(field))
  const { required } = field
  const name = fieldName(field)
  const label = localizedText(field.label, language)
  const focus = hasInitialFocus && { autoFocus: true }
  const text = { name, label, defaultValue: value, required, ...focus }
  switch (field.type) {
    case 'checkbox':
      return (
        <div>
          {/* The value that is sent if the checkbox is not checked. */}
          <input type="hidden" name={name} value="" />
          <Checkbox
            name={name}
            value="true"
            defaultChecked={value === 'true'}
            problem={problem}
            required={required}
            {...focus}
          >
            {label}
          </Checkbox>
        </div>
      )
    case 'select':
      return (
        <Select
          name={name}
          label={label}
          value={value}
          required={required}
          hasInitialFocus={hasInitialFocus}
          options={field.options.map((option) => option.value)}
        >
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {localizedText(option.label, language)}
            </option>
          ))}
        </Select>
      )
    case 'text':
      return (
        <Input
          {...text}
          dir="auto"
          minLength={field.minLength}
          maxLength={field.maxLength ?? MAX_FIELD_TEXT_LENGTH}
        />
      )
    case 'number':
      return <Input {...text} type="number" step="any" min={field.min} max={field.max} dir="ltr" />
    case 'date':
      return <Input {...text} type="date" min={field.min} max={field.max} />
    case 'url':
      return <Input {...text} type="url" maxLength={2048} dir="ltr" />
  }
}

/** A custom field and its value. */
export function CustomFieldRow({ field, value }: CustomFieldValue) {
  const { language } = useBoot()
  const t = useTexts()
  const displayText = (): string => {
    switch (field.type) {
      case 'checkbox':
        return t(value === 'true' ? 'yes' : 'no')
      case 'date':
        return dayIn(language, value)
      case 'select': {
        const selected = field.options.find((option) => option.value === value)
        return selected ? localizedText(selected.label, language) : value
      }
      case 'text':
      case 'number':
      case 'url':
        return value
    }
  }
  const text = value === '' && field.type !== 'checkbox' ? '' : displayText()
  return <ProfileRow name={localizedText(field.label, language)}>{text && <bdi>{text}</bdi>}</ProfileRow>
}

/**
 * Formats a date without converting it to a time zone. Values stored before the field became a date field are returned
 * unchanged.
 */
function dayIn(language: string, day: string): string {
  if (!isCalendarDate(day)) return day
  return new Intl.DateTimeFormat(toStandardTag(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(day),
  )
}
