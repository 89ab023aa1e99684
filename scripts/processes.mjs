/**
 * Starts programs that never outlive this process. Each program is in a process group of its own (group-leader.mjs).
 * The group is terminated when this process exits, and killed when this process is killed. This file uses only Node's
 * own modules.
 */
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './root.mjs'

/** The time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_PERIOD = 8_000
/** The exit code after a timeout, the same as that of timeout(1). */
const TIMED_OUT = 124

/**
 * The folder in which Node programs keep their compiled code. With it, starting wrangler takes a fifth less CPU time.
 */
const NODE_COMPILE_CACHE = path.join(root, 'build/compile-cache')

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let stopping = false

/**
 * @typedef {object} Options
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] in addition to the variables of this process
 * @property {'always' | 'onFailure' | 'never'} [show] when to show the output
 * @property {number} [timeLimit] in milliseconds, after which the whole group is killed
 * @property {boolean} [yields] whether it runs at a lower priority than other programs
 */

/**
 * Runs a program until it exits.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Options} [options]
 * @returns {Promise<{ code: number, stdout: string }>} stdout, or an empty string if the output is always shown
 */
export async function runProgram(
  program,
  args,
  { cwd, env, show = 'always', timeLimit, yields = false } = {},
) {
  const output = show === 'always' ? 'inherit' : 'pipe'
  const child = startProgram(program, args, { cwd, env, output })
  if (yields && child.pid) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL)
  /** @type {Buffer[]} */
  const all = []
  /** @type {Buffer[]} */
  const stdout = []
  child.stdout?.on('data', (chunk) => all.push(chunk) && stdout.push(chunk))
  child.stderr?.on('data', (chunk) => all.push(chunk))

  let hasTimedOut = false
  const timer = timeLimit && setTimeout(expire, timeLimit)
  function expire() {
    hasTimedOut = true
    void stopProgram(child)
  }
  const exitCode = await waitForExitCode(child)
  clearTimeout(timer)
  const code = hasTimedOut ? TIMED_OUT : exitCode

  if (hasTimedOut && show !== 'never')
    console.error(`\n${program} exceeded its limit of ${timeLimit} ms and was stopped.`)
  if (show === 'onFailure' && code !== 0 && !stopping) process.stderr.write(Buffer.concat(all))
  return { code, stdout: Buffer.concat(stdout).toString() }
}

/**
 * Starts a program without a terminal, so that it cannot prompt for input.
 *
 * @param {string} program a path, or a name on PATH with node_modules/.bin first
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, output: 'inherit' | 'pipe' }} options
 */
export function startProgram(program, args, { cwd = root, env, output }) {
  const leader = fileURLToPath(new URL('group-leader.mjs', import.meta.url))
  const child = spawn(process.execPath, [leader, program, ...args], {
    cwd,
    detached: true,
    stdio: ['pipe', output, output],
    env: {
      NODE_COMPILE_CACHE,
      ...process.env,
      PATH: `${path.join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      ...env,
    },
  })
  running.add(child)
  child.once('exit', () => {
    running.delete(child)
    signalGroup(child, 'SIGKILL') // kills processes that the program left behind
  })
  return child
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} its exit code */
export function waitForExitCode(child) {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

/** @param {import('node:child_process').ChildProcess} child */
export async function stopProgram(child) {
  if (!running.has(child)) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_PERIOD)
  await exited
  clearTimeout(timer)
}

/** Makes SIGINT, SIGTERM and SIGHUP stop the started programs and then exit this process. @param {number} exitCode */
export function exitOnSignal(exitCode) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, async () => {
      if (stopping) return // the terminal and npm both deliver the same Ctrl-C
      stopping = true
      await Promise.all([...running].map(stopProgram))
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
    // The group has already exited.
  }
}
