/** `npm test [-- stages]`: every check there is. The last line is the sum; a stage that fails does not stop the others. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from './build.mjs'
import { chromium } from './chromium.mjs'
import { run } from './processes.mjs'
import { root } from './root.mjs'
import { checkTally, failures, summary, vitestTally } from './tally.mjs'

const MINUTE = 60_000

/** What failed anywhere, told again at the end. @type {string[]} */
const failed = []

/** @type {Record<string, { title: string, run: () => Promise<import('./tally.mjs').Tally> }>} */
const stages = {
  lint: {
    title: 'Format and lint',
    run: async () => checkTally((await run('biome', ['check', '.'], { timeLimit: 3 * MINUTE })).code),
  },
  types: {
    title: 'Types',
    run: async () => checkTally((await run('tsc', ['-p', 'tsconfig.json'], { timeLimit: 5 * MINUTE })).code),
  },
  workers: {
    title: 'Tests in the Workers runtime and in Node',
    run: () => vitest({ name: 'workers', args: [], timeLimit: 15 * MINUTE }),
  },
  browser: {
    title: 'Tests in Chromium and with OpenID Connect clients, against a started server',
    run: async () => {
      const found = await chromium()
      if ('problem' in found) {
        console.error(found.problem)
        return { passed: 0, failed: 1 }
      }
      return vitest({
        name: 'browser',
        args: ['--config', 'vitest.browser.config.ts'],
        env: { CHROMIUM_PATH: found.path },
        timeLimit: 25 * MINUTE,
      })
    },
  },
}

/** @param {string[]} names of stages; none means all */
export async function test(names) {
  const unknown = names.filter((name) => !Object.hasOwn(stages, name))
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. The stages are ${Object.keys(stages).join(', ')}.`)
    return 1
  }
  const tallies = (await build()) ? [] : [{ passed: 0, failed: 1 }]
  for (const [name, stage] of Object.entries(stages)) {
    if (names.length > 0 && !names.includes(name)) continue
    console.log(`\n--- ${stage.title}`)
    tallies.push(await stage.run())
  }
  if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`)
  const { line, exitCode } = summary(tallies)
  console.log(`\n${line}`)
  return exitCode
}

/** @param {{ name: string, args: string[], timeLimit: number, env?: Record<string, string> }} options */
async function vitest({ name, args, timeLimit, env }) {
  const file = path.join(root, `build/test-results/${name}.json`)
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  // A forgotten `.only` would make the sum a lie.
  const { code } = await run('vitest', ['run', '--allowOnly=false', ...reporters, ...args], {
    timeLimit,
    env,
  })
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  failed.push(...failures(report))
  return vitestTally(report, code)
}
