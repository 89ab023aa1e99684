import accountStyles from '../../../build/account-styles.json'
import type { Experience } from '../../contract/experience/experience.ts'
import { allStyles, type PageStyles, stylesOf } from '../../domain/experience/style-sheet.ts'
import { builtAssets } from '../assets.ts'

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

/** Of a preview: the styles for any settings, and the scripts of a page of sign-in, which draws those of the account centre too. */
export const previewedAccountAssets = () => ({
  styles: allStyles(sheet),
  modules: [builtAssets.entry, ...builtAssets.preload],
})
