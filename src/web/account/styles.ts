import accountStyles from '../../../build/account-styles.json'
import type { Experience } from '../../contract/experience.ts'
import { allStyles, type PageStyles, stylesOf } from '../../domain/style-sheet.ts'

const sheet: PageStyles = accountStyles

/** The styles of all pages of the account centre: what they do not use is not in their sheet (ADR-0090). */
export const accountStylesFor = ({ color, customCss }: Pick<Experience, 'color' | 'customCss'>): string =>
  stylesOf(sheet, {
    page: '',
    isDarkPossible: color.isDarkModeEnabled,
    hasCustomCss: customCss !== null,
    around: ['layout-card'],
    without: [],
  })

/** With any settings: for a preview. */
export const wholeAccountSheet = (): string => allStyles(sheet)
