import { DEFAULT_REMEMBER_DAYS } from '../../src/contract/sessions/remember-days.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { REMEMBER_FIELD } from './journeys.ts'

/**
 * Offers not to ask this browser for a second factor for some days (spec/pages#second-factor). Not ticked by default.
 */
export function RememberBrowser() {
  const t = useT()
  const { experience, language, values } = useBoot()
  const mayRemember = new URLSearchParams(useCurrentPage().search).get('mayRemember')
  const days = experience.rememberDays ?? DEFAULT_REMEMBER_DAYS
  // The error that leads to this page says if remembering would change nothing (spec/interaction#factor-of-submit).
  if (days === 0 || mayRemember === 'false') return null
  return (
    // Not `Checkbox`, which also shows problems and would become part of the script of every page.
    <div className="checkbox remember">
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
 * Formats a number of days in the grammar of the language, which may have up to six plurals. The digits match those of
 * the codes.
 */
function daysIn(language: string, days: number): string {
  const format = { style: 'unit', unit: 'day', unitDisplay: 'long', numberingSystem: 'latn' } as const
  return new Intl.NumberFormat(language, format).format(days)
}
