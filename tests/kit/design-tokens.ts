import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import { brandShades, brandThemes } from '../../src/domain/experience/brand.ts'
import { contrast, fullHex, mixed } from './contrast.ts'
import { repositoryRoot } from './source-files.ts'

/** Generates the token tables of docs/development/design.md from the styles and the brand colours of a new tenant. */

type Values = Readonly<Record<string, string>>
export type Token = { name: string; light: string; dark: string; contrast: string }

const stylesheet = (name: string) =>
  readFileSync(path.join(repositoryRoot, 'client/styles', name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')

/**
 * Returns the declarations of the light and of the dark theme. The declarations in our styles precede those
 * that only operators set.
 */
export function themeSheets(): string[] {
  const [ofOperators = '', darkOfOperators = ''] = stylesheet('theming.css').split('html[')
  return [
    stylesheet('tokens.css').replace(/body\.mobile.*/s, '') + ofOperators,
    stylesheet('dark.css') + darkOfOperators,
  ]
}

const declared = (rule: string): Values =>
  Object.fromEntries(
    [...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\s+/g, ' ').trim(),
    ]),
  )

/**
 * The colours of texts, lines and marks, with the backgrounds on which they must be visible. Text needs a contrast of
 * 4.5, lines need 3.
 */
const roles: Readonly<Record<string, { on: readonly string[]; atLeast: number }>> = {
  ...Object.fromEntries(
    [
      '--color-type-primary',
      '--color-type-secondary',
      '--color-type-link',
      '--color-brand-readable',
      '--color-danger-default',
      '--color-success-default',
    ].map((name) => [name, { on: Object.keys(brandThemes.light.surfaces), atLeast: 4.5 }]),
  ),
  '--color-brand-text': {
    on: ['--color-brand-fill', '--color-brand-fill-hover', '--color-brand-fill-pressed'],
    atLeast: 4.5,
  },
  '--color-neutral-variant-60': { on: ['--color-bg-float'], atLeast: 3 },
}

/** Returns all tokens in the order of the styles, each with its lowest contrast in the light and in the dark theme. */
export function designTokens(): (Token & { isEnough: boolean })[] {
  const [root = '', darkRules = ''] = themeSheets()
  const shades = brandShades({ ...DEFAULT_EXPERIENCE.color, isDarkModeEnabled: true })
  const light = { ...shades.light, ...declared(root) }
  const dark = { ...light, ...shades.dark, ...declared(darkRules) }
  return Object.keys(light).map((name) => {
    const role = roles[name]
    const ratios = [light, dark].map((theme) =>
      role ? lowest(theme, name, role.on) : Number.POSITIVE_INFINITY,
    )
    return {
      name,
      light: resolved(light, name),
      dark: resolved(dark, name),
      contrast: role ? ratios.map((ratio) => (Math.floor(ratio * 10) / 10).toFixed(1)).join(' / ') : '',
      isEnough: ratios.every((ratio) => ratio >= (role?.atLeast ?? 0)),
    }
  })
}

const lowest = (theme: Values, name: string, grounds: readonly string[]) =>
  Math.min(...grounds.map((ground) => contrast(resolved(theme, name), resolved(theme, ground))))

/** Resolves a value. Colours become `#rrggbb`, or `#rrggbbaa` if they are translucent. */
function resolved(theme: Values, name: string): string {
  const value = withVariables(theme, theme[name] ?? '')
  const mix = /^color-mix\(in srgb, (#\w+|\w+) (\d+)%, (#\w+|\w+)\)$/.exec(value)
  if (mix) {
    const [, one = '', percent = '', other = ''] = mix
    const share = Number(percent) / 100
    if (other === 'transparent') return fullHex(one) + alphaOf(share)
    return mixed(colorOf(one), colorOf(other), share)
  }
  return value
    .replaceAll(/#[\da-f]+\b/gi, (hex) => fullHex(hex))
    .replaceAll(
      /rgba?\((\d+)[, ]+(\d+)[, ]+(\d+)(?:\s*[/,]\s*([\d.]+)(%?))?\)/g,
      (_, red, green, blue, alpha, unit) =>
        `#${[red, green, blue].map((each) => Number(each).toString(16).padStart(2, '0')).join('')}${
          alpha === undefined ? '' : alphaOf(Number(alpha) / (unit === '%' ? 100 : 1))
        }`,
    )
}

const withVariables = (theme: Values, value: string): string =>
  value.replaceAll(/var\((--[\w-]+)\)/g, (whole, name) =>
    name === '--font-family' ? whole : withVariables(theme, theme[name] ?? whole),
  )

const colorOf = (text: string) => (text === 'white' ? '#ffffff' : fullHex(text))
const alphaOf = (share: number) =>
  Math.round(share * 255)
    .toString(16)
    .padStart(2, '0')

/** Builds the tables of docs/development/design.md: first colours, then everything else. */
export function tokenTable(): string {
  const isColor = ({ light }: Token) => light.startsWith('#') || light.startsWith('hsl')
  const tokens = designTokens()
  return [
    ...table(
      ['Token', 'Light', 'Dark', 'Contrast'],
      tokens.filter(isColor).map(({ name, light, dark, contrast: ratio }) => [name, light, dark, ratio]),
    ),
    '',
    ...table(
      ['Token', 'Value', 'Theme'],
      tokens
        .filter((token) => !isColor(token))
        .flatMap(({ name, light, dark }) =>
          light === dark
            ? [[name, shortFont(light), 'both']]
            : [
                [name, light, 'light'],
                [name, dark, 'dark'],
              ],
        ),
    ),
  ].join('\n')
}

/** All font stacks start with the same family, so the table shows only the first name. */
const shortFont = (value: string) =>
  value.replace(' var(--font-family)', '').replace(/^(system-ui), .*$/, '$1, …')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) =>
    row.map((cell, at) => (cell && /^[-#\dhs]/.test(cell) && head[at] !== 'Contrast' ? `\`${cell}\`` : cell)),
  )
  const widths = head.map((title, at) =>
    Math.max(title.length, ...cells.map((row) => (row[at] ?? '').length)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)]
}
