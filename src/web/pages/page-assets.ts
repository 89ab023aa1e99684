import { hasOpenDialog } from '../../../client/app/late-dialog.tsx'
import { ENDING, findPageToShow } from '../../../client/app/page-choice.ts'
import { BACKUP_CODES_PATH, FACTOR_PATH, SET_UP_PATH } from '../../../client/app/routes.ts'
import { RECOVERY_PATH } from '../../../client/context/paths.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { RETURNING_PATH } from '../../contract/sessions/remembered-accounts.ts'
import { acceptsPhones } from '../../domain/experience/experience-rules.ts'
import { hasTerms } from '../../domain/interactions/terms.ts'
import { builtAssets, type SettingStyleSheet } from '../assets.ts'

const { entry, pages, journeys, settings } = builtAssets

/**
 * Returns the styles to inline into a page (spec/pages#styles), and the URLs of those that the script would otherwise
 * load.
 */
export function collectStyles(boot: BootData): PageStyles {
  const { sheets } = filesOf(boot)
  if (boot.preview) return getPreviewStyles(textOf([...entry.sheets, ...sheets]), sheets)
  const chosenSheets = usedSheets(sheetsOfContent, boot)
  return {
    styles: textOf([...entry.sheets, ...sheets, ...chosenSheets]) + getThemeStyles(boot.experience),
    sheets: chosenSheets.includes(settings.dialog) ? [...sheets, settings.dialog] : sheets,
  }
}

/** Returns the styles of the line that names the application. */
export const getApplicationStyles = (): string => textOf([settings.application])

type PageStyles = { styles: string; sheets: readonly string[] }

/**
 * Returns a preview's styles: those of the page, and the style sheets for all possible settings. The preview's script
 * selects the theme (`client/browser/preview-frame.ts`).
 */
export const getPreviewStyles = (own: string, ownSheets: readonly string[] = []): PageStyles => ({
  styles: own + textOf(Object.values(settings)),
  sheets: [...ownSheets, settings.dialog],
})

type Look = Pick<Experience, 'color' | 'customCss' | 'layout'>

/**
 * Returns the theme and layout styles, which follow a page's other styles. If the tenant allows the dark theme, the
 * theme depends on the system setting.
 */
export const getThemeStyles = (look: Look): string =>
  textOf(usedSheets(sheetsOfLook, look)).replaceAll(
    /[^{}]*\[data-theme=dark\][^{]*\{[^}]*\}/g,
    (rule) => `@media (prefers-color-scheme:dark){${rule.replace(FORCED_DARK, ALLOWED_DARK)}}`,
  )

const FORCED_DARK = '[data-theme=dark]'
const ALLOWED_DARK = '[data-dark-mode=true]:not([data-theme])'

/**
 * Returns the styles of pages other than sign-in pages: the operator's colours for both themes, and the page's own
 * style sheets.
 */
export function getBrandLook({ branding, color }: Experience, own: readonly string[] = []) {
  const look = {
    branding,
    color: { ...color, isDarkModeEnabled: true },
    layout: { type: 'Card' },
    customCss: null,
  } as const
  return { look, styles: textOf(entry.sheets) + getThemeStyles(look) + textOf(own) }
}

const textOf = (sheets: readonly string[]) => sheets.map((address) => builtAssets.styles[address]).join('')

type Choice<Value> = readonly { sheet: SettingStyleSheet; isUsed: (value: Value) => boolean }[]

const isEnrolmentPath = (path: string) => path === SET_UP_PATH || path === BACKUP_CODES_PATH
const isProofPath = (path: string) =>
  path.startsWith(FACTOR_PATH) && path !== RECOVERY_PATH && !isEnrolmentPath(path)

/** The style sheets that only some pages, settings or notices require. */
const sheetsOfContent: Choice<BootData> = [
  { sheet: 'dialog', isUsed: ({ notice }) => hasOpenDialog(notice) },
  { sheet: 'calling-codes', isUsed: ({ experience }) => acceptsPhones(experience) },
  {
    sheet: 'forgot',
    isUsed: ({ experience: { forgotPassword } }) => forgotPassword.email || forgotPassword.phone,
  },
  { sheet: 'terms', isUsed: ({ experience }) => hasTerms(experience) },
  {
    sheet: 'social',
    isUsed: ({ experience }) => experience.socialConnectors.length > 0 || experience.passkeys === true,
  },
  // This page always begins as a new document, so scripts need not load its styles.
  { sheet: 'returning', isUsed: ({ path }) => path === RETURNING_PATH },
  // The pages of second factors always begin as new documents, so scripts need not load their styles.
  { sheet: 'factors', isUsed: ({ path }) => isProofPath(path) },
  { sheet: 'enrolment', isUsed: ({ path }) => isEnrolmentPath(path) },
  { sheet: 'new-app', isUsed: ({ path }) => path === SET_UP_PATH },
  { sheet: 'backup-codes', isUsed: ({ path }) => path === BACKUP_CODES_PATH },
  { sheet: 'recovery', isUsed: ({ path }) => path === RECOVERY_PATH },
  { sheet: 'content', isUsed: ({ experience }) => Object.values(experience.customContent).some(Boolean) },
]

const sheetsOfLook: Choice<Look> = [
  { sheet: 'theming', isUsed: ({ customCss }) => customCss !== null },
  { sheet: 'dark', isUsed: ({ color }) => color.isDarkModeEnabled },
  { sheet: 'layout-card', isUsed: ({ layout }) => layout.type === 'Card' },
  { sheet: 'layout-split', isUsed: ({ layout }) => layout.type === 'Split' },
  { sheet: 'layout-plain', isUsed: ({ layout }) => layout.type === 'Plain' },
]

const usedSheets = <Value>(choice: Choice<Value>, value: Value): string[] =>
  choice.filter(({ isUsed }) => isUsed(value)).map(({ sheet }) => settings[sheet])

const NO_FILES = { modules: [], sheets: [] }

/** Returns the files that this page needs in addition to those of all pages. */
const filesOf = (boot: BootData) => pages[findPageToShow(boot)?.page ?? ENDING] ?? NO_FILES

/**
 * Returns the modules to preload. A landing page does not preload the modules for API calls, because the user first
 * reads and fills in a form. Other pages make calls immediately or soon. The modules for API calls include the dialog.
 */
export function selectModules(boot: BootData): readonly string[] {
  const row = findPageToShow(boot)
  const callsSoon = (row?.journeys && row.kind !== 'landing') || hasOpenDialog(boot.notice)
  return [...new Set([...entry.modules, ...filesOf(boot).modules, ...(callsSoon ? journeys.modules : [])])]
}
