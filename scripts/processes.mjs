/**
 * Programs started so that none of them outlives us: each leads a process group of its own (see group-leader.mjs), is
 * asked to end when we are, and is killed when we die without a word. Uses Node alone.
 */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './root.mjs'

/** How long a program that was asked to end may take. */
const GRACE = 8_000
/** The exit code of a program that took too long; the one of timeout(1). */
const TIMED_OUT = 124

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let stopping = false

/**
 * @typedef {object} Options
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] in addition to ours
 * @property {'always' | 'onFailure' | 'never'} [show] its output
 * @property {number} [timeLimit] in milliseconds; then the whole group is killed
 */

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Options} [options]
 * @returns {Promise<{ code: number, stdout: string }>} stdout unless it is always shown
 */
export async function run(program, args, { cwd, env, show = 'always', timeLimit } = {}) {
  const child = start(program, args, { cwd, env, output: show === 'always' ? 'inherit' : 'pipe' })
  /** @type {Buffer[]} */
  const all = []
  /** @type {Buffer[]} */
  const stdout = []
  child.stdout?.on('data', (chunk) => all.push(chunk) && stdout.push(chunk))
  child.stderr?.on('data', (chunk) => all.push(chunk))

  let late = false
  const timer = timeLimit && setTimeout(expire, timeLimit)
  function expire() {
    late = true
    void stop(child)
  }
  const ownCode = await ended(child)
  clearTimeout(timer)
  const code = late ? TIMED_OUT : ownCode

  if (late && show !== 'never')
    console.error(`\n${program} took longer than ${timeLimit} ms and was stopped.`)
  if (show === 'onFailure' && code !== 0 && !stopping) process.stderr.write(Buffer.concat(all))
  return { code, stdout: Buffer.concat(stdout).toString() }
}

/**
 * Starts a program. Nothing may ask a question here, so it gets no terminal to ask on.
 *
 * @param {string} program a path, or a name on PATH with node_modules/.bin first
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, output: 'inherit' | 'pipe' }} options
 */
export function start(program, args, { cwd = root, env, output }) {
  const leader = fileURLToPath(new URL('group-leader.mjs', import.meta.url))
  const child = spawn(process.execPath, [leader, program, ...args], {
    cwd,
    detached: true,
    stdio: ['pipe', output, output],
    env: { ...process.env, PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}`, ...env },
  })
  running.add(child)
  child.once('exit', () => {
    running.delete(child)
    signalGroup(child, 'SIGKILL') // whatever the program left behind
  })
  return child
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} its exit code */
export function ended(child) {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

/** @param {import('node:child_process').ChildProcess} child */
export async function stop(child) {
  if (!running.has(child)) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE)
  await end
  clearTimeout(timer)
}

/** Ctrl-C and its kin end what we started, then us. @param {number} exitCode */
export function endOnSignal(exitCode) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, async () => {
      if (stopping) return // a terminal and npm both deliver one Ctrl-C
      stopping = true
      await Promise.all([...running].map(stop))
      process.exit(exitCode)
    })
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is gone, which is what was wanted.
  }
}
