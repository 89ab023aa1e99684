/**
 * The door to every command: `node scripts/run.mjs start|build|test|deploy|config|doctor|keys|users|million|bench|audit|sbom [arguments]`.
 *
 * On a fresh clone it runs under whatever Node the machine has (20 or newer) and without any package, so this file and
 * what it imports use Node alone. It installs what is missing, then goes on under the Node that package.json pins.
 */
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { install } from './install.mjs'
import { ended, endOnSignal, run } from './processes.mjs'
import { root } from './root.mjs'

const commands = {
  start: async () => (await import('./serve.mjs')).serve,
  build: async () => (await import('./build.mjs')).buildCommand,
  test: async () => (await import('./test.mjs')).test,
  deploy: async () => (await import('./deploy.mjs')).deploy,
  config: async () => await operator('config'),
  doctor: async () => await operator('doctor'),
  keys: async () => await operator('keys'),
  users: async () => await operator('users'),
  million: async () => (await import('./million.mjs')).million,
  bench: async () => (await import('../bench/main.ts')).runBench,
  audit: async () => (await import('./audit.mjs')).audit,
  sbom: async () => (await import('./sbom.mjs')).sbom,
}

/** They talk to a person at a terminal and end themselves when they are asked to; the others are talked to by nobody. */
const operators = ['config', 'doctor', 'keys', 'users']

const pinnedNode = `${root}node_modules/node/bin/node`

const [name = '', ...args] = process.argv.slice(2)
if (!operators.includes(name)) endOnSignal(name === 'start' ? 0 : 130) // to be stopped is the normal end of a server
process.exit(await main())

async function main() {
  if (!isCommand(name))
    return complain(`Usage: node scripts/run.mjs ${Object.keys(commands).join('|')} [arguments]`)
  if (Number.parseInt(process.versions.node, 10) < 20) {
    return complain(
      `Vestibule needs Node 20 or newer to install itself; this is Node ${process.versions.node}.`,
    )
  }
  const problem = await install(root)
  if (problem) return complain(problem)
  if (!isPinnedNode()) {
    const again = [process.argv[1] ?? '', name, ...args]
    return operators.includes(name) ? atTerminal(again) : (await run(pinnedNode, again)).code
  }

  const command = await commands[name]()
  return command(args)
}

/** @param {string} script */
async function operator(script) {
  const { runScript: operate } = await import('../operator/main.ts')
  return (/** @type {string[]} */ given) => operate(script, given)
}

/** With our own terminal. What it means to be asked to stop is for the command to say. @param {string[]} given */
function atTerminal(given) {
  const child = spawn(pinnedNode, given, { stdio: 'inherit' })
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => child.kill(signal))
  }
  return ended(child)
}

function isPinnedNode() {
  return realpathSync(process.execPath) === realpathSync(pinnedNode)
}

/** @param {string} text @returns {text is keyof typeof commands} */
function isCommand(text) {
  return Object.hasOwn(commands, text)
}

/** @param {string} problem */
function complain(problem) {
  console.error(problem)
  return 1
}
