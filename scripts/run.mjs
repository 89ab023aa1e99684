/**
 * The door to every command: `node scripts/run.mjs start|build|test|deploy [arguments]`.
 *
 * On a fresh clone it runs under whatever Node the machine has (20 or newer) and without any package, so this file and
 * what it imports use Node alone. It installs what is missing, then goes on under the Node that package.json pins.
 */
import { realpathSync } from 'node:fs'
import { install } from './install.mjs'
import { endOnSignal, run } from './processes.mjs'
import { root } from './root.mjs'

const commands = {
  start: async () => (await import('./serve.mjs')).serve,
  build: async () => (await import('./build.mjs')).buildCommand,
  test: async () => (await import('./test.mjs')).test,
  deploy: async () => (await import('./deploy.mjs')).deploy,
}

const pinnedNode = `${root}node_modules/node/bin/node`

const [name = '', ...args] = process.argv.slice(2)
endOnSignal(name === 'start' ? 0 : 130) // to be stopped is the normal end of a server
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
  if (!isPinnedNode()) return (await run(pinnedNode, [process.argv[1] ?? '', name, ...args])).code

  const command = await commands[name]()
  return command(args)
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
