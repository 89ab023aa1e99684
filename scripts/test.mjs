/**
 * `npm test [-- stages]` runs all checks. It prints one line per stage with its duration, and the totals at the end.
 * If a stage fails, the others still run.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { installAzurite } from './azurite.mjs'
import { buildIfStale } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { keepTemporaryFilesInMemory } from './memory-folder.mjs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'
import { formatStageLine, listFailures, summarizeTallies, tallyCheck, tallyVitestRun } from './tally.mjs'

/** @typedef {import('./tally.mjs').Tally} Tally */

const MINUTE = 60_000

/** True if this process runs `npm run test:exhaustive` (docs/development/testing.md). */
const isExhaustive = process.env.SWEEP === 'all'
/**
 * The seed of the property-based sweeps. `npm test` always uses the same one, and an exhaustive run draws a new one.
 * `SEED=<number>` repeats a run.
 */
const seed = process.env.SEED ?? (isExhaustive ? String(Math.floor(Math.random() * 2 ** 31)) : undefined)
const timeoutFactor = isExhaustive ? 8 : 1

/** The tests that failed in any stage. @type {string[]} */
const failed = []

/** @satisfies {Record<string, { title: string, run: () => Promise<Tally> }>} */
const stages = {
  build: {
    title: 'Build',
    run: async () => tallyCheck((await buildIfStale()) ? 0 : 1),
  },
  lint: {
    title: 'Format and lint',
    run: () => check('biome', ['check', '.']),
  },
  types: {
    title: 'Types',
    // Collecting garbage half as often saves a tenth of the CPU time.
    run: () => check('tsc', ['-p', 'tsconfig.json'], { GOGC: '200' }),
  },
  workers: {
    title: 'Tests in the Workers runtime',
    run: async () =>
      isExhaustive && !(await installAzurite())
        ? { passed: 0, failed: 1 }
        : vitest('workers', ['--project', 'workers']),
  },
  node: {
    title: 'Tests in Node',
    run: () => vitest('node', ['--project', 'node', '--project', 'operator']),
  },
  browser: {
    title: 'Tests in Chromium, against a started server',
    run: () => runInChromium(),
  },
}

/**
 * The stages that run in parallel after the build, grouped into sequences. Linting starts together with the build,
 * because no build output is linted. Tests spend more time waiting (for pages, and for requests that are lost on
 * purpose) than computing: two sequences would keep two CPUs only 60% busy.
 *
 * @type {(keyof typeof stages)[][]}
 */
const sequences = [['browser'], ['workers'], ['types', 'node']]

/**
 * The browser for the tests. In a fresh container it has to be downloaded and installed, so this starts before the
 * build.
 *
 * @type {ReturnType<typeof findChromium> | undefined}
 */
let chromium

/** @param {string[]} names the names of stages; none means all */
export async function testCommand(names) {
  const unknown = names.filter((name) => !Object.hasOwn(stages, name))
  if (unknown.length > 0) {
    console.error(
      `We don't know these stages: ${unknown.join(', ')}. Choose from: ${Object.keys(stages).join(', ')}.`,
    )
    return 1
  }
  if (seed !== undefined) console.log(`SEED=${seed}${isExhaustive ? ' SWEEP=all' : ''}`)
  const startedAt = Date.now()
  keepTemporaryFilesInMemory()
  const isIncluded = (/** @type {string} */ name) => names.length === 0 || names.includes(name)
  if (isIncluded('browser')) chromium = findChromium()
  /** @type {Tally[]} */
  const tallies = []
  const lint = isIncluded('lint') ? runStage('lint') : undefined
  tallies.push(await runStage('build'))
  await Promise.all(
    sequences.map(async (sequence) => {
      for (const name of sequence) if (isIncluded(name)) tallies.push(await runStage(name))
    }),
  )
  if (lint) tallies.push(await lint)
  if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`)
  const { line, exitCode } = summarizeTallies(tallies)
  console.log(`\n${Math.round((Date.now() - startedAt) / 1000)} s\n${line}`)
  return exitCode
}

/** @param {keyof typeof stages} name */
async function runStage(name) {
  const { title, run } = stages[name]
  const startedAt = Date.now()
  const tally = await run()
  console.log(formatStageLine(title, tally, Date.now() - startedAt))
  return tally
}

/** @param {string} program @param {string[]} args @param {Record<string, string>} [env] */
async function check(program, args, env = {}) {
  const { code } = await runProgram(program, args, { show: 'onFailure', timeLimit: 5 * MINUTE, env })
  return tallyCheck(code)
}

async function runInChromium() {
  const browser = await (chromium ?? findChromium())
  if ('problem' in browser) {
    console.error(browser.problem)
    return { passed: 0, failed: 1 }
  }
  return vitest('browser', ['--config', 'vitest.browser.config.ts'], {
    env: { CHROMIUM_PATH: browser.path },
    yields: false,
  })
}

/**
 * Runs vitest. If it fails, shows the failed tests and the log of the Worker.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, yields?: boolean }} [options]
 */
async function vitest(name, args, { env = {}, yields = true } = {}) {
  const file = path.join(root, `build/test-results/${name}.json`)
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  // A forgotten `.only` would make the totals wrong.
  const { code } = await runProgram('vitest', ['run', '--allowOnly=false', ...reporters, ...args], {
    show: 'onFailure',
    yields,
    timeLimit: 20 * timeoutFactor * MINUTE,
    env: { ...env, ...(seed === undefined ? {} : { SEED: seed }) },
  })
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  failed.push(...listFailures(report))
  return tallyVitestRun(report, code)
}
