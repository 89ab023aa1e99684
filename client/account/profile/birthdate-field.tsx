import { type BirthdateParts, splitBirthdate } from '../../../src/domain/account/birthdate.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../../context/boot.tsx'
import { FieldError } from '../../ui/field.tsx'
import { useProblem, useTexts, useView } from '../account-view.tsx'

/** Asks for a date of birth in three fields, in the order of the page's language (spec/account-centre#profile). */
export function BirthdateField({ value, hasInitialFocus }: { value: string; hasInitialFocus: boolean }) {
  const { language } = useBoot()
  const t = useTexts()
  const { typed } = useView()
  const problem = useProblem('birthdate')
  const tag = `${toStandardTag(language)}-u-ca-gregory-nu-latn`
  const parts = splitBirthdate(value)
  const partNames = new Intl.DisplayNames(tag, { type: 'dateTimeField' })
  return (
    <fieldset className="field profile-birthdate">
      <legend className="field-label">{t('birthdate')}</legend>
      <div className="profile-birthdate-parts">
        {orderOfParts(tag).map((part, index) => {
          const attributes = {
            id: `birthdate.${part}`,
            name: `birthdate.${part}`,
            className: 'field-input',
            autoComplete: `bday-${part}`,
            defaultValue: typed[`birthdate.${part}`] ?? parts[part],
            ...(problem && { 'aria-invalid': true, 'aria-describedby': 'birthdate-problem' }),
            ...((problem || hasInitialFocus) && index === 0 && { autoFocus: true }),
          }
          const digits = part === 'year' ? 4 : 2
          return (
            <div key={part}>
              <label className="profile-part-label" htmlFor={attributes.id}>
                {capitalize(partNames.of(part) ?? part, tag)}
              </label>
              <div className="field-box">
                {part === 'month' ? (
                  <select {...attributes}>
                    <option value="">–</option>
                    {monthNames(tag).map((name, month) => (
                      <option key={name} value={String(month + 1).padStart(2, '0')}>
                        {name}
                      </option>
                    ))}
                  </select>
                ) : (
                  <input
                    {...attributes}
                    inputMode="numeric"
                    pattern={`[0-9]{1,${digits}}`}
                    maxLength={digits}
                    dir="ltr"
                  />
                )}
              </div>
            </div>
          )
        })}
      </div>
      <FieldError of="birthdate" text={problem} />
    </fieldset>
  )
}

const isPart = (type: string): type is keyof BirthdateParts =>
  type === 'day' || type === 'month' || type === 'year'

const orderOfParts = (tag: string): (keyof BirthdateParts)[] =>
  new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', year: 'numeric' })
    .formatToParts(0)
    .map(({ type }) => type)
    .filter(isPart)

function monthNames(tag: string): string[] {
  const format = new Intl.DateTimeFormat(tag, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => capitalize(format.format(Date.UTC(2000, month)), tag))
}

const capitalize = (text: string, tag: string): string =>
  text.charAt(0).toLocaleUpperCase(tag) + text.slice(1)
