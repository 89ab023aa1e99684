/**
 * The entry point of every command: `node scripts/run.mjs
 * start|build|test|mutants|prose|diagrams|deploy|admin|config|connect|doctor|keys|users|million|screens|bench|conformance|audit|sbom|release
 * [arguments]`, or `--version`. On a fresh clone it runs under the machine's own Node (20 or newer) and without any packages, so this
 * file and its static imports use only Node's own modules. It installs the packages, then continues under the Node
 * version that package.json pins.
 */
import { spawn } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { installPackages } from './install.mjs'
import { exitOnSignal, runProgram, waitForExitCode } from './processes.mjs'
import { root } from './root.mjs'

const commands = {
  start: async () => (await import('./serve.mjs')).startCommand,
  build: async () => (await import('./build.mjs')).buildCommand,
  test: async () => (await import('./test.mjs')).testCommand,
  mutants: async () => (await import('./mutants.mjs')).mutantsCommand,
  prose: async () => (await import('./prose.mjs')).proseCommand,
  diagrams: async () => (await import('./diagrams.mjs')).diagramsCommand,
  deploy: async () => (await import('./deploy.mjs')).deployCommand,
  admin: async () => await operatorCommand('admin'),
  config: async () => await operatorCommand('config'),
  connect: async () => await operatorCommand('connect'),
  doctor: async () => await operatorCommand('doctor'),
  keys: async () => await operatorCommand('keys'),
  users: async () => await operatorCommand('users'),
  million: async () => (await import('./million.mjs')).millionCommand,
  screens: async () => (await import('./screens.mjs')).screensCommand,
  bench: async () => (await import('../bench/main.ts')).runBench,
  conformance: async () => (await import('./conformance.mjs')).conformanceCommand,
  audit: async () => (await import('./audit.mjs')).auditCommand,
  sbom: async () => (await import('./sbom.mjs')).sbomCommand,
  release: async () => (await import('./release.mjs')).releaseCommand,
}

/** The commands that interact with the terminal and handle signals themselves. */
const interactiveCommands = ['admin', 'config', 'connect', 'doctor', 'keys', 'users']

const pinnedNode = `${root}node_modules/node/bin/node`

// Caches the compiled code of this process and its child processes. This halves the start-up time of a command.
process.env.NODE_COMPILE_CACHE ??= `${root}.cache/node`
module.enableCompileCache?.()

const [name = '', ...args] = process.argv.slice(2)
if (!interactiveCommands.includes(name)) exitOnSignal(name === 'start' ? 0 : 130) // a signal is the normal way to stop a server
process.exit(await main())

async function main() {
  if (isVersionRequest([name, ...args])) {
    console.log(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).version)
    return 0
  }
  if (!isCommand(name))
    return reportError(`Usage: node scripts/run.mjs ${Object.keys(commands).join('|')} [arguments]`)
  if (Number.parseInt(process.versions.node, 10) < 20) {
    return reportError(
      `Vestibule needs Node 20 or newer to install its packages, but this is Node ${process.versions.node}.`,
    )
  }
  const problem = await installPackages(root)
  if (problem) return reportError(problem)
  if (!isPinnedNode()) {
    const argv = [process.argv[1] ?? '', name, ...args]
    return interactiveCommands.includes(name)
      ? runAtTerminal(argv)
      : (await runProgram(pinnedNode, argv)).code
  }

  const command = await commands[name]()
  return command(args)
}

/**
 * Reports whether the last argument asks for the version. It does not if it can be the value of the option before it, or
 * follows `--`.
 *
 * @param {string[]} args
 */
function isVersionRequest(args) {
  return args.at(-1) === '--version' && !args.at(-2)?.startsWith('-') && !args.includes('--')
}

/** @param {string} script */
async function operatorCommand(script) {
  const { runScript } = await import('../operator/main.ts')
  return (/** @type {string[]} */ args) => runScript(script, args)
}

/**
 * Runs a command at the terminal of this process. The command itself handles SIGINT and SIGTERM.
 *
 * @param {string[]} argv
 */
function runAtTerminal(argv) {
  const child = spawn(pinnedNode, argv, { stdio: 'inherit' })
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => child.kill(signal))
  }
  return waitForExitCode(child)
}

function isPinnedNode() {
  return realpathSync(process.execPath) === realpathSync(pinnedNode)
}

/** @param {string} text @returns {text is keyof typeof commands} */
function isCommand(text) {
  return Object.hasOwn(commands, text)
}

/** @param {string} problem */
function reportError(problem) {
  console.error(problem)
  return 1
}
