/**
 * `npm run screens` takes screenshots of every state of the end users' pages and every email, on desktop and phone, in
 * English and Arabic, and in both themes, through the journeys that inspect them, and of every console page. It writes
 * them to tests/screenshots, together with the emails as HTML and a page that shows them all. `npm run screens -- docs`
 * draws the pictures and the table of docs/development/design.md.
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildIfStale } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { renderContactSheet } from './contact-sheet.mjs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'

const FOLDER = path.join(root, 'tests/screenshots')
const JOURNEYS = ['tests/journeys/screens/', 'tests/journeys/experience/layouts.test.ts']
const DOCS = ['design', 'looks'].map((name) => `tests/drawings/${name}.draw.ts`)
const CONSOLE = 'tests/drawings/console.draw.ts'

/** @param {string[]} args */
export async function screensCommand([target, ...others]) {
  if ((target !== undefined && target !== 'docs') || others.length > 0) {
    console.error('Usage: npm run screens [-- docs]')
    return 1
  }
  const chromium = await findChromium()
  if ('problem' in chromium) {
    console.error(chromium.problem)
    return 1
  }
  if (!(await buildIfStale())) return 1
  const env = {
    CHROMIUM_PATH: chromium.path,
    DRAW: target ?? 'screens',
    // Use the fonts that the tests install, so that screenshots are the same on every machine.
    FONTCONFIG_FILE: path.join(root, 'scripts/drawing-fonts.conf'),
  }
  /** @param {string} config @param {...string} files */
  const run = async (config, ...files) =>
    (await runProgram('vitest', ['run', '--config', config, ...files], { env })).code
  if (target === 'docs') return run('vitest.drawings.config.ts', ...DOCS)

  rmSync(FOLDER, { recursive: true, force: true })
  const inspected = await run('vitest.browser.config.ts', ...JOURNEYS)
  const drawn = await run('vitest.drawings.config.ts', CONSOLE)
  const files = existsSync(FOLDER)
    ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /\.(?:png|html)$/.test(file),
      )
    : []
  const sheet = path.join(FOLDER, 'index.html')
  if (files.length > 0) writeFileSync(sheet, renderContactSheet(files.sort()))
  console.log(
    `${files.filter((file) => file.endsWith('.png')).length} pictures: ${path.relative(process.cwd(), sheet)}`,
  )
  return files.length > 0 ? inspected || drawn : 1
}
