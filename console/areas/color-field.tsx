import './color-field.css'
import { phrases, useT } from '../phrases.ts'
import { TextField } from '../ui/fields.tsx'

const texts = phrases({
  en: {
    pick: 'Pick a color: {label}',
    form: 'Enter # and six or three hexadecimal digits, such as #0A7D55. Until then, the preview keeps the last color.',
  },
  de: {
    pick: 'Farbe wählen: {label}',
    form: 'Geben Sie # und sechs oder drei hexadezimale Ziffern ein, wie #0A7D55. Bis dahin behält die Vorschau die letzte Farbe.',
  },
})

/** Tells whether the text is a colour that the API accepts (spec/experience#fields). */
export const isColor = (text: string): boolean => /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text)

type ColorFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  isDisabled: boolean
}

/** Edits a colour as text, next to the browser's colour picker. */
export function ColorField({ label, value, onChange, problem, isDisabled }: ColorFieldProps) {
  const t = useT(texts)
  return (
    <div className="color-field">
      <input
        type="color"
        aria-label={t('pick', { label })}
        value={toSixDigits(value)}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      />
      <TextField
        label={label}
        isCode
        value={value}
        problem={isColor(value) ? problem : t('form')}
        isDisabled={isDisabled}
        onChange={onChange}
      />
    </div>
  )
}

/** Returns the colour with six digits, the only format that a color input accepts. */
function toSixDigits(color: string): string {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color)
  if (short)
    return `#${short
      .slice(1)
      .flatMap((digit) => [digit, digit])
      .join('')}`
  return /^#[\da-f]{6}$/i.test(color) ? color.toLowerCase() : '#000000'
}
