/**
 * `npm run diagrams` also writes the facts in docs/accessibility.md: what is tested, as far as the code and the titles
 * of the tests say it. `tests/generated-documents.test.ts` compares the document with them.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pageTable } from '../client/app/routes.ts'
import { builtInLanguages } from '../src/contract/experience/languages.ts'
import { textDirection } from '../src/domain/experience/direction.ts'
import { screenGroups } from '../tests/journeys/screens.ts'
import { wrapItem } from './generated-sections.mjs'
import { root } from './root.mjs'

export const ACCESSIBILITY = 'docs/accessibility.md'
const WIDTH = 118
const JOURNEYS = 'tests/journeys'

/** Returns the generated sections of the document by their names. */
export async function renderAccessibility() {
  const files = globSync(`${JOURNEYS}/**/*.test.ts`, { cwd: root })
    .sort()
    .map((file) => ({ file, code: readFileSync(path.join(root, file), 'utf8') }))
  /** @param {RegExp} pattern */
  const filesWith = (pattern) => files.filter(({ code }) => pattern.test(code)).length
  const screens = screenGroups.reduce((total, group) => total + group.screens.length, 0)
  const families = files.flatMap(({ code }) =>
    [...code.matchAll(/\binspectStates\('([\w-]+)'/g)].map(([, name = '']) => name),
  )
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const mirrored = builtInLanguages.filter((language) => textDirection(language) === 'rtl')
  const tested = [
    `**Rules**: axe-core ${devDependencies['axe-core']} finds no problem on the ${screens} screens of the ${pageTable.length} sign-in pages, in either theme, on a desktop and on a phone. ${filesWith(/\b(?:axeViolations|expectWhole|expectStill|inspectStates)\b/)} files of tests in Chromium call it or check that nothing moves.`,
    `**States**: errors, dialogs, messages and ends of these families are inspected as well, in English and in Arabic: ${families.map((family) => `\`${family}\``).join(', ')}.`,
    `**Languages**: all ${builtInLanguages.length} built-in languages are checked for texts that do not fit at a width of 320 pixels; ${mirrored.map((language) => `\`${language}\``).join(', ')} are mirrored.`,
    `**Without JavaScript**: ${filesWith(/\b(?:withoutScript|scriptless|waysOf)\b/)} of the ${files.length} files of journeys also run with scripts turned off.`,
  ]
  const byKeyboard = files.flatMap(({ code }) =>
    [...code.matchAll(/\bit\(\s*['"](an? .*(?:using|with) only the keyboard)['"]/g)].map(
      ([, title = '']) => title,
    ),
  )
  return {
    'what is tested': `${tested.map((fact) => wrapItem('- ', fact, WIDTH)).join('\n')}\n`,
    'tasks by keyboard': `${byKeyboard.map((title) => wrapItem('- ', `${upper(title)}.`, WIDTH)).join('\n')}\n`,
  }
}

/** @param {string} text */
const upper = (text) =>
  text.charAt(0).toUpperCase() + text.slice(1).replace(/,? (?:using|with) only the keyboard$/, '')
