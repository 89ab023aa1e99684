import { choosePage } from '../../client/app/page-choice.ts'
import { findPage } from '../../client/routes.ts'
import type { BootData } from '../contract/boot.ts'
import { allStyles, type StyledPage, stylesOf } from '../domain/style-sheet.ts'
import { builtAssets } from './assets.ts'

/** The styles that are part of a page (spec/pages#styles). A preview shows any page with any settings. */
export function stylesFor(boot: BootData): string {
  return boot.preview ? wholeSheet() : made(shownAs(boot))
}

/** The whole sheet, which the script adds before it shows another page. */
export const stylesFileFor = ({ preview }: BootData): string | null =>
  preview ? null : builtAssets.stylesFile

/** For the pages beside the experience. */
export const wholeSheet = (): string => allStyles(builtAssets.styles)

function shownAs(boot: BootData): StyledPage {
  const { color, customCss } = boot.experience
  const choice = boot.error || boot.logout ? null : choosePage(boot.path, boot)
  return {
    page: choice?.kind === 'page' ? choice.row.page : null,
    isDarkPossible: color.isDarkModeEnabled,
    hasCustomCss: customCss !== null,
    without: optional.flatMap(({ classes, isUsed }) => (isUsed(boot) ? [] : classes)),
  }
}

/** What only some settings bring into a page. A test renders all pages with and without them. */
const optional: readonly { classes: readonly string[]; isUsed: (boot: BootData) => boolean }[] = [
  {
    classes: ['vestibule-custom-content'],
    isUsed: ({ experience, path }) => Boolean(experience.customContent[path]),
  },
  {
    classes: ['social', 'social-list', 'social-row', 'social-logo', 'or'],
    isUsed: ({ experience }) => experience.socialConnectors.length > 0,
  },
  {
    classes: ['country-code', 'country-button'],
    isUsed: ({ experience: { signIn, signUp, forgotPassword } }) =>
      forgotPassword.phone ||
      signUp.identifiers.includes('phone') ||
      signIn.methods.some(({ identifier }) => identifier === 'phone'),
  },
]

/** As many as there are pages, times the kinds of settings: a page that is rendered for one request need not collect its styles again. */
const known = new Map<string, string>()

function made(shown: StyledPage): string {
  const key = JSON.stringify(shown)
  const styles = known.get(key) ?? stylesOf(builtAssets.styles, shown)
  known.set(key, styles)
  return styles
}

/** A landing page is read and filled in before its first call; the other pages call at once, or nearly. */
export function modulesFor({ path }: BootData): readonly string[] {
  const row = findPage(path)
  const page = (row && builtAssets.pages[row.page]) ?? []
  const journeys = row?.journeys && row.kind !== 'landing' ? builtAssets.journeys : []
  return [...new Set([builtAssets.entry, ...builtAssets.preload, ...page, ...journeys])]
}
