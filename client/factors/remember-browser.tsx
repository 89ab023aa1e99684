import { DEFAULT_REMEMBER_DAYS } from '../../src/contract/sessions/remember-days.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { REMEMBER_FIELD } from './journeys.ts'

/**
 * A checkbox that lets the user skip the second factor in this browser for some days (spec/pages#second-factor).
 * It is unchecked by default.
 */
export function RememberBrowser() {
  const t = useT()
  const { experience, language, values } = useBoot()
  const mayRemember = new URLSearchParams(useCurrentPage().search).get('mayRemember')
  const days = experience.rememberDays ?? DEFAULT_REMEMBER_DAYS
  // The error that caused the redirect to this page indicates whether remembering the browser would have any effect
  // (spec/interaction#factor-of-submit).
  if (days === 0 || mayRemember === 'false') return null
  return (
    // Don't use `Checkbox` here, because it also shows errors and would become part of every page's script.
    <div className="checkbox">
      <label className="checkbox-label">
        <input
          type="checkbox"
          id={REMEMBER_FIELD}
          name={REMEMBER_FIELD}
          defaultChecked={REMEMBER_FIELD in values}
        />
        <span>{t('vestibule.factor_remember', { period: daysIn(language, days) })}</span>
      </label>
    </div>
  )
}

/**
 * Formats a number of days in the language's grammar, which can have up to six plural forms. Uses Latin digits, as in
 * codes.
 */
function daysIn(language: string, days: number): string {
  const format = { style: 'unit', unit: 'day', unitDisplay: 'long', numberingSystem: 'latn' } as const
  return new Intl.NumberFormat(language, format).format(days)
}
