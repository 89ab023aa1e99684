import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { runProgram } from '../../scripts/processes.mjs'
import { root } from '../../scripts/root.mjs'

describe('running a program', { timeout: 30_000 }, () => {
  it('returns the exit code', async () => {
    expect((await runProgram('sh', ['-c', 'exit 7'])).code).toBe(7)
  })

  it('returns the output if it is not displayed', async () => {
    expect(await runProgram('sh', ['-c', 'echo said'], { show: 'never' })).toEqual({
      code: 0,
      stdout: 'said\n',
    })
  })

  it('prefers the programs in node_modules', async () => {
    const { stdout } = await runProgram('node', ['-p', 'process.execPath'], { show: 'never' })
    expect(stdout).toContain('node_modules/node/bin/node')
  })

  it('fails if the program does not exist', async () => {
    expect((await runProgram('no-such-program', [], { show: 'never' })).code).toBe(127)
  })

  it('kills the program and its child processes after the time limit', async () => {
    const file = pidFile()
    const { code } = await runProgram('sh', ['-c', `sleep 60 & echo $! > ${file}; wait`], {
      timeLimit: 500,
      show: 'never',
    })
    expect(code).toBe(124)
    await waitUntilGone(file)
  })

  it('kills any child processes that the program leaves behind', async () => {
    const file = pidFile()
    await runProgram('sh', ['-c', `sleep 60 & echo $! > ${file}`])
    await waitUntilGone(file)
  })
})

describe.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('when this process receives %s', (signal) => {
  it('all started programs exit', async () => {
    const file = pidFile()
    const script = path.join(path.dirname(file), 'script.mjs')
    writeFileSync(
      script,
      `import { exitOnSignal, runProgram } from ${JSON.stringify(pathToFileURL(`${root}scripts/processes.mjs`).href)}
       exitOnSignal(0)
       await runProgram('sh', ['-c', 'sleep 60 & echo $! > ${file}; wait'])`,
    )
    const child = spawn(process.execPath, [script], { stdio: 'ignore' })
    await vi.waitFor(() => expect(pid(file)).toBeGreaterThan(0), 5000)
    child.kill(signal)
    const [code] = await once(child, 'exit')
    expect(code).toBe(signal === 'SIGKILL' ? null : 0)
    await waitUntilGone(file)
  })
})

const pidFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'vestibule-')), 'pid')
const pid = (file: string) => Number(readFileSync(file, 'utf8'))

async function waitUntilGone(file: string) {
  await vi.waitFor(() => expect(isRunning(pid(file))).toBe(false), 5000)
}

/** Checks whether a process is running. A zombie process (Z) has already exited. */
function isRunning(id: number) {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    return false
  }
}
