/** `npm test [-- stages]`: every check. A line per stage with its time, the sum last; after a failed stage the others still run. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { buildIfStale } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { keepTemporaryFilesInMemory } from './memory-folder.mjs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'
import { checkTally, failures, stageLine, summary, vitestTally } from './tally.mjs'

/** @typedef {import('./tally.mjs').Tally} Tally */

const MINUTE = 60_000

/** `npm run test:exhaustive` (docs/development/testing.md). */
const isExhaustive = process.env.SWEEP === 'all'
/** An exhaustive run draws its seed, `npm test` is the same every time; `SEED=<number>` repeats a run. */
const seed = process.env.SEED ?? (isExhaustive ? String(Math.floor(Math.random() * 2 ** 31)) : undefined)
const patience = isExhaustive ? 8 : 1

/** The tests that failed in any stage. @type {string[]} */
const failed = []

/** @satisfies {Record<string, { title: string, run: () => Promise<Tally> }>} */
const stages = {
  build: {
    title: 'Build',
    run: async () => checkTally((await buildIfStale()) ? 0 : 1),
  },
  lint: {
    title: 'Format and lint',
    run: () => check('biome', ['check', '.']),
  },
  types: {
    title: 'Types',
    // Garbage is collected half as often, which saves a tenth of the processor time.
    run: () => check('tsc', ['-p', 'tsconfig.json'], { GOGC: '200' }),
  },
  workers: {
    title: 'Tests in the Workers runtime',
    run: () => vitest('workers', ['--project', 'workers']),
  },
  node: {
    title: 'Tests in Node',
    run: () => vitest('node', ['--project', 'node', '--project', 'operator']),
  },
  browser: {
    title: 'Tests in Chromium, against a started server',
    run: () => inChromium(),
  },
}

/**
 * Nothing that the build makes is linted, so both begin. After the build these run side by side, the stages of each one after
 * another. Tests wait for pages and for calls that are lost on purpose more than they compute: two processors are busy for 60 %
 * of the time with two sequences.
 *
 * @type {(keyof typeof stages)[][]}
 */
const sequences = [['browser'], ['workers'], ['types', 'node']]

/** In a fresh container it is installed, which waits for the network: it begins before the build. @type {ReturnType<typeof findChromium> | undefined} */
let chromium

/** @param {string[]} names of stages; none means all */
export async function test(names) {
  const unknown = names.filter((name) => !Object.hasOwn(stages, name))
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. The stages are ${Object.keys(stages).join(', ')}.`)
    return 1
  }
  if (seed !== undefined) console.log(`SEED=${seed}${isExhaustive ? ' SWEEP=all' : ''}`)
  const started = Date.now()
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
  const { line, exitCode } = summary(tallies)
  console.log(`\n${Math.round((Date.now() - started) / 1000)} s\n${line}`)
  return exitCode
}

/** @param {keyof typeof stages} name */
async function runStage(name) {
  const { title, run } = stages[name]
  const started = Date.now()
  const tally = await run()
  console.log(stageLine(title, tally, Date.now() - started))
  return tally
}

/** @param {string} program @param {string[]} args @param {Record<string, string>} [env] */
async function check(program, args, env = {}) {
  const { code } = await runProgram(program, args, { show: 'onFailure', timeLimit: 5 * MINUTE, env })
  return checkTally(code)
}

async function inChromium() {
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
 * What it prints is shown only when it fails: the failed tests, with what the Worker logged meanwhile.
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
  // A forgotten `.only` would falsify the sum.
  const { code } = await runProgram('vitest', ['run', '--allowOnly=false', ...reporters, ...args], {
    show: 'onFailure',
    yields,
    timeLimit: 20 * patience * MINUTE,
    env: { ...env, ...(seed === undefined ? {} : { SEED: seed }) },
  })
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  failed.push(...failures(report))
  return vitestTally(report, code)
}
