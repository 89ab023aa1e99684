import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * Tests that style sheets work in both text directions because they use no physical directions such as left and right.
 */
const sheets = globSync('client/**/*.css').map((file) => ({
  file,
  rules: withoutComments(readFileSync(file, 'utf8')),
}))

function withoutComments(css: string): string {
  return css.replaceAll(/\/\*.*?\*\//gs, '')
}

type Declaration = { property: string; value: string }

const declarations = (rules: string): Declaration[] =>
  [...rules.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+)/g)].map(([, property = '', value = '']) => ({
    property,
    value: value.trim(),
  }))

const isPhysical = ({ property, value }: Declaration) =>
  /(?:^|-)(?:left|right)(?:-|$)/.test(property) ||
  (/^(?:text-align|float|clear|caption-side)$/.test(property) && /^(?:left|right)$/.test(value)) ||
  (/^(?:padding|margin|inset|border-width|border-radius|scroll-padding|scroll-margin)$/.test(property) &&
    hasSides(property, value)) ||
  (/^(?:transform|translate)$/.test(property) && /translate(?:X|3d)?\((?!0)/.test(value))

/**
 * Checks whether a declaration treats left and right differently. In a list of four values, the second is right and the
 * fourth left.
 */
function hasSides(property: string, value: string): boolean {
  const [one, two, three, four] = parts(value)
  if (property !== 'border-radius') return four !== undefined && two !== four
  return (two !== undefined && one !== two) || (four !== undefined && three !== four)
}

/** Splits a CSS value at spaces outside parentheses. */
const parts = (value: string) => value.match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []

describe.each(sheets)('$file', ({ rules }) => {
  it('uses no physical directions such as left or right', () => {
    expect(declarations(rules).filter(isPhysical)).toEqual([])
  })
})

it.each([
  { property: 'margin-left', value: '4px' },
  { property: 'border-top-right-radius', value: '4px' },
  { property: 'text-align', value: 'left' },
  { property: 'padding', value: '8px 8px 8px 16px' },
  { property: 'inset', value: '0 auto 0 calc(1px + 2px)' },
  { property: 'transform', value: 'translateX(4px)' },
])('the check reports the declaration $property: $value', (declaration) => {
  expect(isPhysical(declaration)).toBe(true)
})
