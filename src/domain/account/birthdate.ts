/**
 * The parts of a date of birth, as users enter them in three fields (spec/account-centre#profile). A part that is
 * unknown is an empty string. The month has two digits.
 */
export type BirthdateParts = { day: string; month: string; year: string }

/** The year of a date without a year (OIDC Core §5.1). */
const NO_YEAR = '0000'

/** Splits a stored date of birth: a year, a full date, or a date without its year. */
export function splitBirthdate(value: string): BirthdateParts {
  const [year = '', month = '', day = ''] = value.split('-')
  return { day: day.replace(/^0/, ''), month, year: year === NO_YEAR ? '' : year }
}

/**
 * Joins the parts to the text that is stored. The result is invalid if the parts do not belong together, as a day
 * without a month does not.
 */
export function joinBirthdate({ day, month, year }: BirthdateParts): string {
  if (day === '' && month === '') return year
  return [year || NO_YEAR, month, day.padStart(2, '0')].join('-')
}
