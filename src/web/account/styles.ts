import accountSheet from '../../../build/account-styles.json'
import type { Experience } from '../../contract/experience/experience.ts'
import { builtAssets } from '../assets.ts'
import { stylesOfPreview, themeStyles } from '../pages/page-assets.ts'

/** The styles of all pages of the account centre (ADR-0090). */
export const accountStylesFor = ({ color, customCss }: Pick<Experience, 'color' | 'customCss'>): string =>
  accountSheet + themeStyles({ color, customCss, layout: { type: 'Card' } })

/** Of a preview: the styles for any settings, and the scripts of a page of sign-in, which draws those of the account centre too. */
export const previewedAccountAssets = () => ({
  ...stylesOfPreview(accountSheet),
  modules: builtAssets.entry.modules,
})
