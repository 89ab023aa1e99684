import { opensDialog } from '../../../client/app/late-dialog.tsx'
import { ENDING, shownRow } from '../../../client/app/page-choice.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { layoutClasses } from '../../domain/experience/page-layout.ts'
import { allStyles, type StyledPage, stylesOf } from '../../domain/experience/style-sheet.ts'
import { builtAssets } from '../assets.ts'

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
  const { color, customCss, layout } = boot.experience
  return {
    page: shownRow(boot)?.page ?? ENDING,
    isDarkPossible: color.isDarkModeEnabled,
    hasCustomCss: customCss !== null,
    around: layoutClasses(layout),
    without: optional.flatMap(({ classes, isUsed }) => (isUsed(boot) ? [] : classes)),
  }
}

/** What only some settings and answers bring into a page. A test renders all pages with and without them. */
const optional: readonly { classes: readonly string[]; isUsed: (boot: BootData) => boolean }[] = [
  {
    classes: ['dialog', 'dialog-header', 'dialog-actions'],
    isUsed: ({ notice }) => opensDialog(notice),
  },
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

/** A landing page is read and filled in before its first call; the other pages call at once, or nearly. A dialog comes with the calls. */
export function modulesFor(boot: BootData): readonly string[] {
  const row = shownRow(boot)
  const page = builtAssets.pages[row?.page ?? ENDING] ?? []
  const callsSoon = (row?.journeys && row.kind !== 'landing') || opensDialog(boot.notice)
  const journeys = callsSoon ? builtAssets.journeys : []
  return [...new Set([builtAssets.entry, ...builtAssets.preload, ...page, ...journeys])]
}
