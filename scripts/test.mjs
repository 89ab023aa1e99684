/** `npm test [-- stages]`: every check there is. The last line is the sum; a stage that fails does not stop the others. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { buildIfStale } from './build.mjs'
import { chromium } from './chromium.mjs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'
import { checkTally, failures, summary, vitestTally } from './tally.mjs'

const MINUTE = 60_000

/** What failed anywhere, told again at the end. @type {string[]} */
const failed = []

/** @type {Record<string, { title: string, run: () => Promise<import('./tally.mjs').Tally> }>} */
const stages = {
  lint: {
    title: 'Format and lint',
    run: async () => checkTally((await runProgram('biome', ['check', '.'], { timeLimit: 3 * MINUTE })).code),
  },
  types: {
    title: 'Types',
    run: async () =>
      checkTally((await runProgram('tsc', ['-p', 'tsconfig.json'], { timeLimit: 5 * MINUTE })).code),
  },
  workers: {
    title: 'Tests in the Workers runtime and in Node',
    run: () => vitest({ name: 'workers', args: [], timeLimit: 35 * MINUTE }),
  },
  browser: {
    title: 'Tests in Chromium and with OpenID Connect clients, against a started server',
    run: () => inChromium({ name: 'browser', args: [], timeLimit: 30 * MINUTE }),
  },
  // docs/faults.md says what is hostile about it.
  hostile: {
    title: 'Flows and journeys once more, on a hostile platform',
    run: async () => {
      const env = { HOSTILE: '1' }
      const flows = ['--project', 'workers', ...hostileFlows]
      const [inWorkers, inBrowser] = [
        await vitest({ name: 'hostile-workers', args: flows, env, timeLimit: 8 * MINUTE }),
        await inChromium({ name: 'hostile-browser', args: hostileJourneys, env, timeLimit: 12 * MINUTE }),
      ]
      return { passed: inWorkers.passed + inBrowser.passed, failed: inWorkers.failed + inBrowser.failed }
    },
  },
}

/** Flows that count no round trip which may be made twice here. */
const hostileFlows = [
  'tests/api/flows.test.ts',
  'tests/api/interaction.test.ts',
  'tests/api/social-flows.test.ts',
  'tests/web/identifier-forms.test.ts',
  'tests/web/code-forms.test.ts',
  'tests/web/forms.test.ts',
  'tests/web/social-forms.test.ts',
  'tests/oidc/authorization-code.test.ts',
  'tests/oidc/consent-and-resources.test.ts',
  'tests/oidc/restart.test.ts',
]

const hostileJourneys = [
  'tests/journeys/sign-in.test.ts',
  'tests/journeys/codes.test.ts',
  'tests/journeys/keyboard.test.ts',
  'tests/journeys/script.test.ts',
  'tests/journeys/social-server.test.ts',
  'tests/journeys/openid-clients.test.ts',
  'tests/journeys/reactions.test.ts',
  'tests/journeys/adversity.test.ts',
  'tests/journeys/hostile-platform.test.ts',
]

/** @param {string[]} names of stages; none means all */
export async function test(names) {
  const unknown = names.filter((name) => !Object.hasOwn(stages, name))
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. The stages are ${Object.keys(stages).join(', ')}.`)
    return 1
  }
  const tallies = (await buildIfStale()) ? [] : [{ passed: 0, failed: 1 }]
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

/** @param {VitestRun} options */
async function inChromium({ args, env, ...options }) {
  const found = await chromium()
  if ('problem' in found) {
    console.error(found.problem)
    return { passed: 0, failed: 1 }
  }
  return vitest({
    ...options,
    args: ['--config', 'vitest.browser.config.ts', ...args],
    env: { ...env, CHROMIUM_PATH: found.path },
  })
}

/** @typedef {{ name: string, args: readonly string[], timeLimit: number, env?: Record<string, string> }} VitestRun */

/** @param {VitestRun} options */
async function vitest({ name, args, timeLimit, env }) {
  const file = path.join(root, `build/test-results/${name}.json`)
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  // A forgotten `.only` would make the sum a lie.
  const { code } = await runProgram('vitest', ['run', '--allowOnly=false', ...reporters, ...args], {
    timeLimit,
    env,
  })
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  failed.push(...failures(report))
  return vitestTally(report, code)
}
