import type { Experience } from '../../contract/experience/experience.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import { brandShades, pageColor, type Shades } from '../../domain/experience/brand.ts'
import { textDirection } from '../../domain/experience/direction.ts'
import { layoutClass, renderLayoutPicture } from '../../domain/experience/page-layout.ts'
import { toStandardTag } from '../../domain/experience/standard-tag.ts'

/**
 * Creates the HTML around a page's markup as strings, so that the browser hydrates only `#app` (spec/pages#rendering).
 * It contains everything that is needed for the first paint.
 */
export type HtmlFrame = {
  language: string
  title: string
  platform: 'web' | 'mobile'
  nonce: string
  look: Pick<Experience, 'branding' | 'color' | 'customCss' | 'layout'>
  styles: string
  /** The URLs of the style sheets whose content is in `styles`. The script does not load these again. */
  sheets?: readonly string[]
  /**
   * The URLs of the page's modules, all of which are preloaded. The first one is run. Empty for pages without a script.
   */
  modules: readonly string[]
  /** The HTML of the line that names the application, or '' if there is none. */
  applicationLine?: string
  /** The boot data for the script, or null on pages without a script. */
  boot: Partial<BootData> | null
  /** The URL to which the page redirects automatically, even without JavaScript (spec/pages#onward). */
  nextUrl?: string | null
}

const FAVICON = '/favicon.svg'
/** Apple's home screen does not support SVG icons. */
const APPLE_TOUCH_ICON = '/apple-touch-icon.png'

/** Returns the HTML before and after the markup of the page. */
export function renderHtmlFrame(page: HtmlFrame): { head: string; tail: string } {
  const { language, title, platform, nonce, look, modules } = page
  const isDarkPossible = look.color.isDarkModeEnabled
  const brand = brandShades(look.color)
  const includedSheets = page.sheets?.length ? ` data-styles="${page.sheets.join(' ')}"` : ''
  const head = [
    '<!doctype html>',
    `<html lang="${escapeHtml(toStandardTag(language))}" dir="${textDirection(language)}" class="${layoutClass(look.layout)}" data-dark-mode="${isDarkPossible}">`,
    '<head><meta charset="utf-8">',
    ...(page.nextUrl ? [`<meta http-equiv="refresh" content="0;url=${escapeHtml(page.nextUrl)}">`] : []),
    `<title>${escapeHtml(title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    `<meta name="color-scheme" content="${isDarkPossible ? 'light dark' : 'light'}">`,
    ...themeColors(brand, page),
    ...icons(look.branding.favicon),
    ...modules.map((address) => `<link rel="modulepreload" href="${escapeHtml(address)}">`),
    `<style nonce="${nonce}">${escapeStyle(page.styles)}${brandStyles(brand, look)}</style>`,
    ...(look.customCss ? [`<style nonce="${nonce}">${escapeStyle(look.customCss)}</style>`] : []),
    `</head><body class="${platform === 'mobile' ? 'mobile' : 'desktop'}">${renderLayoutPicture(look.layout)}${page.applicationLine ?? ''}<div id="app">`,
  ]
  const tail = [
    '</div>',
    ...(page.boot ? [`<script type="application/json" id="boot">${escapeJson(page.boot)}</script>`] : []),
    ...modules
      .slice(0, 1)
      .map((address) => `<script type="module" src="${escapeHtml(address)}"${includedSheets}></script>`),
    '</body></html>',
  ]
  return { head: head.join(''), tail: tail.join('') }
}

type BrandShades = ReturnType<typeof brandShades>

/** Returns the `theme-color` meta tags, which set the colours that a phone shows around a page. */
function themeColors(
  { light, dark }: BrandShades,
  { look: { color, layout }, platform }: HtmlFrame,
): string[] {
  const top = layout.type !== 'Card' ? 'plain' : platform === 'mobile' ? 'narrow' : 'card'
  const brandOf = (shades: Shades) => shades['--color-brand-default'] ?? color.primaryColor
  return [
    `<meta name="theme-color" content="${pageColor(brandOf(light), 'light', top)}">`,
    ...(dark
      ? [
          `<meta name="theme-color" media="(prefers-color-scheme:dark)" content="${pageColor(brandOf(dark), 'dark', top)}">`,
        ]
      : []),
  ]
}

function icons(favicon: string | undefined): string[] {
  return [
    `<link rel="icon" href="${escapeHtml(favicon ?? FAVICON)}">`,
    `<link rel="apple-touch-icon" sizes="180x180" href="${escapeHtml(favicon ?? APPLE_TOUCH_ICON)}">`,
  ]
}

/**
 * Returns the CSS variables for the operator's brand colour and its shades (spec/experience#brand-shades), for the
 * light theme and, if it is enabled, the dark theme (`client/styles/dark.css`).
 */
function brandStyles({ light, dark }: BrandShades, { customCss }: HtmlFrame['look']): string {
  const declarations = (shades: Shades) =>
    Object.entries(shades)
      .filter(([name]) => customCss !== null || !FOR_OPERATORS.includes(name))
      .map(([name, value]) => `${name}:${value}`)
      .join(';')
  const lightRule = `:root{${declarations(light)}}`
  return dark
    ? `${lightRule}@media (prefers-color-scheme:dark){html:not([data-theme]){${declarations(dark)}}}`
    : lightRule
}

/** The brand shades that only custom CSS uses (spec/experience#css-variables). */
const FOR_OPERATORS = ['focused', 'hover', 'pressed'].map((name) => `--color-overlay-brand-${name}`)

/** Escapes CSS for a style element, which only `</style` can close. CSS reads `\/` as a slash. */
export function escapeStyle(css: string): string {
  return css.replaceAll('</', '<\\/')
}

/**
 * Returns JSON for a script element. The JSON cannot close the element, and it contains no characters that JavaScript
 * treats as line breaks.
 */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
