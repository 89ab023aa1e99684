/**
 * `npm run test:mutants [-- domain|drawn] [--seed N] [--count N]` measures how many faults the tests find. StrykerJS
 * injects one fault (a mutant) at a time and runs the tests that reach it. `domain` runs every mutant of `src/domain`,
 * or a sample if `--count` is given, with the goal of killing 92% of them. `drawn` runs a sample of mutants of the
 * other layers, with the goal of killing 85% (ADR-0057). The seed decides which mutants are drawn.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { commonTokens } from '@stryker-mutator/api/plugin'
import { Stryker } from '@stryker-mutator/core'
import { createInstrumenter } from '@stryker-mutator/instrumenter'
import { createInjector } from 'typed-inject'
import { parseSync, Visitor } from 'vite'
import { keepTemporaryFilesInMemory } from './memory-folder.mjs'
import { createSeededRandom } from './random.mjs'
import { root } from './root.mjs'

/** @typedef {{ fileName: string, mutatorName: string, replacement: string, location: Location, status: string }} Mutant */
/** @typedef {{ start: Position, end: Position }} Location */
/** @typedef {{ line: number, column: number }} Position */

const DEFAULT_SEED = 20_261_122

/** The surviving mutants that no test can kill, because they behave like the original. */
const EQUIVALENT = 'tests/mutants/equivalent.json'

/**
 * @typedef {{
 *   project: string, goal: number, concurrency: number, timeoutMS: number, maxTestRunnerReuse: number,
 *   mutate(options: { seed: number, count?: number }): Promise<string[]>
 * }} Run
 */

/** @type {Record<string, Run>} */
const runs = {
  domain: {
    project: 'node',
    goal: 92,
    concurrency: 2,
    timeoutMS: 5_000,
    maxTestRunnerReuse: 0,
    mutate: async ({ seed, count }) =>
      count ? drawRanges(['domain'], { seed, count }) : ['src/domain/**/*.ts'],
  },
  drawn: {
    project: 'workers',
    goal: 85,
    concurrency: 1,
    timeoutMS: 300_000,
    // A single process of the Workers pool that runs all tests would lose its connection before it reports the results.
    maxTestRunnerReuse: 1,
    mutate: ({ seed, count = 100 }) => drawRanges(['application', 'storage', 'oidc', 'api'], { seed, count }),
  },
}

/** @param {string[]} args */
export async function mutantsCommand(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { seed: { type: 'string' }, count: { type: 'string' } },
  })
  const seed = Number(values.seed ?? DEFAULT_SEED)
  const count = values.count === undefined ? undefined : Number(values.count)
  const names = positionals.length > 0 ? positionals : Object.keys(runs)
  keepTemporaryFilesInMemory()
  let isMet = true
  for (const name of names) {
    const run = runs[name]
    if (!run)
      throw new Error(`We don't know the run "${name}". Choose from: ${Object.keys(runs).join(', ')}.`)
    console.log(`\n--- Mutants: ${name}, seed ${seed}`)
    process.env.MUTANTS = run.project
    const results = await new Stryker(optionsFor(run, await run.mutate({ seed, count }))).runMutationTest()
    isMet = report(results, run.goal) && isMet
  }
  return isMet ? 0 : 1
}

/** @param {Run} run @param {string[]} mutate */
const optionsFor = ({ concurrency, timeoutMS, maxTestRunnerReuse }, mutate) => ({
  mutate,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  // StrykerJS reads tsconfig.json through an interface that TypeScript 7 has removed. It needs nothing from that file.
  tsconfigFile: 'tsconfig.none.json',
  coverageAnalysis: /** @type {const} */ ('perTest'),
  // Mutants of code that runs when a module is loaded would each need a new process.
  ignoreStatic: true,
  maxTestRunnerReuse,
  concurrency,
  timeoutMS,
  dryRunTimeoutMinutes: 45,
  tempDirName: 'build/stryker',
  ignorePatterns: ['build/stryker', 'build/test-results', 'tests/screenshots', '.wrangler'],
  reporters: ['progress-append-only'],
})

/**
 * Draws mutants in function bodies, based on the seed. Each is returned as a range that contains no other mutant.
 *
 * @param {string[]} layers
 * @param {{ seed: number, count: number }} options
 */
async function drawRanges(layers, { seed, count }) {
  const all = await listMutants(layers.map((layer) => `src/${layer}`))
  const single = all.filter(
    (mutant) =>
      all.filter((other) => other.fileName === mutant.fileName && isWithin(other, mutant)).length === 1,
  )
  const draw = createSeededRandom(seed)
  return single
    .map((mutant) => ({ mutant, order: draw() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ mutant: { fileName, location } }) => {
      const { start, end } = location
      return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`
    })
}

/** @param {string[]} folders */
async function listMutants(folders) {
  // Every method of this logger, such as `debug()` or `isDebugEnabled()`, logs nothing and returns false.
  const logger = new Proxy({}, { get: () => () => false })
  const instrumenter = createInjector()
    .provideValue(commonTokens.options, {})
    .provideValue(commonTokens.logger, logger)
    .provideFactory(commonTokens.getLogger, () => () => logger)
    .injectFunction(createInstrumenter)
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name}`),
  )
  const texts = new Map(files.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]))
  const { mutants } = await instrumenter.instrument(
    [...texts].map(([name, content]) => ({ name, mutate: true, content })),
    { ignorers: [], plugins: null, excludedMutations: [], noHeader: false },
  )
  const bodies = new Map([...texts].map(([name, text]) => [name, functionBodies(name, text)]))
  return mutants.filter((mutant) =>
    bodies.get(mutant.fileName)?.some((location) => isWithin(mutant, { location })),
  )
}

/**
 * Returns the locations of function bodies, with lines and columns counted from zero.
 *
 * @param {string} name
 * @param {string} text
 */
function functionBodies(name, text) {
  /** @type {Location[]} */
  const bodies = []
  const collect = (/** @type {{ body: { start: number, end: number } | null }} */ { body }) => {
    if (body) bodies.push({ start: positionAt(text, body.start), end: positionAt(text, body.end) })
  }
  const visitor = new Visitor({
    FunctionDeclaration: collect,
    FunctionExpression: collect,
    ArrowFunctionExpression: collect,
  })
  visitor.visit(parseSync(name, text).program)
  return bodies
}

/** @param {string} text @param {number} offset */
function positionAt(text, offset) {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 }
}

/** @param {{ location: Location }} inner @param {{ location: Location }} outer */
function isWithin({ location: inner }, { location: outer }) {
  const before = (/** @type {Position} */ a, /** @type {Position} */ b) =>
    a.line < b.line || (a.line === b.line && a.column <= b.column)
  return before(outer.start, inner.start) && before(inner.end, outer.end)
}

/** @param {readonly Mutant[]} results @param {number} goal percent */
function report(results, goal) {
  /** @type {{ file: string, mutant: string, reason: string }[]} */
  const equivalent = JSON.parse(readFileSync(path.join(root, EQUIVALENT), 'utf8'))
  const named = results.map((mutant) => ({ ...mutant, ...nameOf(mutant) }))
  const checked = named.filter(
    ({ status, file, mutant }) =>
      !/^(?:Ignored|CompileError|RuntimeError)$/.test(status) &&
      !equivalent.some((row) => row.file === file && row.mutant === mutant),
  )
  const survivors = checked.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  for (const { at, mutant, status } of survivors) console.log(`${status} ${at} ${mutant}`)
  const score = (100 * (checked.length - survivors.length)) / checked.length
  console.log(
    `${checked.length - survivors.length} of ${checked.length} mutants killed, ${score.toFixed(1)}%; the goal is ${goal}%`,
  )
  return score >= goal
}

/**
 * Names a mutant by the original code and its replacement. The name has no line number, because that changes.
 *
 * @param {Mutant} mutant
 */
function nameOf({ fileName, location: { start, end }, replacement }) {
  const file = path.relative(root, path.resolve(root, fileName))
  // In its results, StrykerJS counts lines and columns from one.
  const lines = readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  const original = lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === lines.length - 1 ? end.column - 1 : undefined),
    )
    .join(' ')
  const short = (/** @type {string} */ text) => text.replaceAll(/\s+/g, ' ').slice(0, 120)
  return { file, at: `${file}:${start.line}`, mutant: `${short(original)} -> ${short(replacement)}` }
}
