/**
 * Leads a process group: `node group-leader.mjs program [arguments]`, started detached with a pipe as stdin. The pipe
 * closes when whoever started us is gone, even by SIGKILL, and then the whole group goes: a development server must not
 * keep its port after the terminal, or the test run, has died.
 */
import { spawn } from 'node:child_process'

const [program = '', ...args] = process.argv.slice(2)
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })

child.on('error', ({ message }) => {
  console.error(`${program} could not be started: ${message}`)
  process.exit(127)
})
child.on('exit', (code) => process.exit(code ?? 1))

process.stdin.resume()
process.stdin.on('close', () => process.kill(-process.pid, 'SIGKILL'))

// Signals go to the group, so the program has them already: wait for its end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
