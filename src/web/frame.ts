import type { BootData } from '../contract/boot.ts'
import type { Color, Experience } from '../contract/experience.ts'
import { brandShades, type Shades } from '../domain/brand.ts'
import { direction } from '../domain/direction.ts'
import { standardTag } from '../domain/standard-tag.ts'

/**
 * The HTML around a page, as strings: what React draws lies between them, so that the browser may hydrate `#app`
 * alone (design 2). Everything the first paint needs is in here.
 */
export type Frame = {
  language: string
  title: string
  platform: 'web' | 'mobile'
  nonce: string
  look: Pick<Experience, 'branding' | 'color' | 'customCss'>
  styles: string
  /** Addresses of modules: the first is run, all are fetched early. None on pages that have nothing to run. */
  modules: readonly string[]
  boot: BootData | null
  /** Where the browser goes on by itself, without script. */
  onward?: string | null
}

const FAVICON = '/favicon.svg'
/** Apple's home screen takes no SVG. */
const APPLE_TOUCH_ICON = '/apple-touch-icon.png'

/** What surrounds a page on a phone: `--color-bg-body` of `client/styles`. */
const THEME_COLOR = { light: '#ffffff', dark: '#111214' }

/** Everything before and after the application's own markup. */
export function frame(page: Frame): { head: string; tail: string } {
  const { language, title, platform, nonce, look, modules } = page
  const isDarkPossible = look.color.isDarkModeEnabled
  const head = [
    '<!doctype html>',
    `<html lang="${escapeHtml(standardTag(language))}" dir="${direction(language)}" data-dark-mode="${isDarkPossible}"${page.boot && page.boot.languages.length > 1 ? ' data-languages' : ''}>`,
    '<head><meta charset="utf-8">',
    ...(page.onward ? [`<meta http-equiv="refresh" content="0;url=${escapeHtml(page.onward)}">`] : []),
    `<title>${escapeHtml(title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    `<meta name="color-scheme" content="${isDarkPossible ? 'light dark' : 'light'}">`,
    `<meta name="theme-color" content="${THEME_COLOR.light}">`,
    ...(isDarkPossible
      ? [`<meta name="theme-color" media="(prefers-color-scheme:dark)" content="${THEME_COLOR.dark}">`]
      : []),
    ...icons(look.branding.favicon),
    ...modules.map((address) => `<link rel="modulepreload" href="${escapeHtml(address)}">`),
    `<style nonce="${nonce}">${escapeStyle(page.styles)}${brandStyles(look.color)}</style>`,
    ...(look.customCss ? [`<style nonce="${nonce}">${escapeStyle(look.customCss)}</style>`] : []),
    `</head><body class="${platform === 'mobile' ? 'mobile' : 'desktop'}"><div id="app">`,
  ]
  const tail = [
    '</div>',
    ...(page.boot ? [`<script type="application/json" id="boot">${escapeJson(page.boot)}</script>`] : []),
    ...modules.slice(0, 1).map((address) => `<script type="module" src="${escapeHtml(address)}"></script>`),
    '</body></html>',
  ]
  return { head: head.join(''), tail: tail.join('') }
}

function icons(favicon: string | undefined): string[] {
  return [
    `<link rel="icon" href="${escapeHtml(favicon ?? FAVICON)}">`,
    `<link rel="apple-touch-icon" sizes="180x180" href="${escapeHtml(favicon ?? APPLE_TOUCH_ICON)}">`,
  ]
}

/** The operator's colour and its shades (contract 10.2), in the theme the styles show (`client/styles/index.css`). */
function brandStyles(color: Color): string {
  const { light, dark } = brandShades(color)
  const lightRule = `:root{${declarations(light)}}`
  return dark
    ? `${lightRule}@media (prefers-color-scheme:dark){html:not([data-theme]){${declarations(dark)}}}`
    : lightRule
}

const declarations = (shades: Shades) =>
  Object.entries(shades)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')

/** Text for between tags and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Only `</style` ends a style element. In CSS the backslash changes nothing: `\/` is a slash. */
export function escapeStyle(css: string): string {
  return css.replaceAll('</', '<\\/')
}

/** JSON that neither ends its script element nor, read as a script by mistake, breaks a line. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
