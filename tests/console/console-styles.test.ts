import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Style sheets remain loaded after navigation, so the styles of one area must not affect another. */

function selectorsOf(file: string): string[] {
  const rules = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const heads = [...rules.matchAll(/([^{};]+)\{/g)].map(([, head = '']) => head.trim())
  const outsideParentheses = /,(?![^(]*\))/
  return heads.filter((head) => !head.startsWith('@')).flatMap((head) => head.split(outsideParentheses))
}

const classesOf = (selector: string) => selector.match(/\.[a-z][\w-]*/g) ?? []

const sheets = globSync('console/{areas/*,styles,styles/parts}/*.css').map((file) => ({
  file,
  selectors: selectorsOf(file),
}))

it.each(sheets.filter(({ file }) => file.includes('/areas/')))(
  '$file only styles its own classes',
  ({ file, selectors }) => {
    const others = new Set(
      sheets.filter((other) => other.file !== file).flatMap((other) => other.selectors.flatMap(classesOf)),
    )
    expect(selectors.length).toBeGreaterThan(0)
    expect(selectors.filter((selector) => classesOf(selector).every((name) => others.has(name)))).toEqual([])
  },
)
