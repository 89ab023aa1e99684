/**
 * Leads a process group: `node group-leader.mjs program [arguments]`, started detached with a pipe as stdin. The pipe
 * closes when the parent process ends, even by SIGKILL, and then the whole group is killed. Without this, a
 * development server would keep its port after the terminal or the test run has ended.
 */
import { spawn } from 'node:child_process'

const [program = '', ...args] = process.argv.slice(2)
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })

child.on('error', ({ message }) => {
  console.error(`We couldn't start ${program}: ${message}`)
  process.exit(127)
})
child.on('exit', (code) => process.exit(code ?? 1))

process.stdin.resume()
process.stdin.on('close', () => process.kill(-process.pid, 'SIGKILL'))

// Signals are sent to the whole group, so the program receives them too. This process waits for the program to exit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
