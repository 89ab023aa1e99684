import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { callApi, runCommand, runProcess, workFolder } from './commands.ts'

const folder = workFolder()
const fileAt = (name: string) => path.join(folder, name)

/**
 * Runs a command in a terminal, which `script` from Debian's bsdutils simulates. `output` contains stdout and stderr.
 */
async function atTerminal(command: string, { typing = '', env = {} } = {}) {
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `node scripts/run.mjs ${command}`, '/dev/null'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        TERM: 'xterm-256color',
        VESTIBULE_ORIGIN: inject('origin'),
        VESTIBULE_CLIENT_SECRET: inject('managementSecret'),
        ...env,
      },
    },
  )
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
    // Type the answer once the question is shown.
    if (typing && output.includes('[y/N]')) {
      child.stdin.write(typing)
      typing = ''
    }
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

describe('a user at a terminal', { timeout: 120_000 }, () => {
  const file = fileAt('asked.json')
  const hook = { event: 'PostSignIn', config: { url: 'https://asked.example', retries: 0 } }
  const hooks = () => callApi<unknown[]>('GET', '/hooks')
  afterAll(async () => {
    writeFileSync(file, '{"hooks":{}}')
    await runCommand('config', ['apply', '--file', file, '--yes', '--allow-delete'])
  })

  it('is asked for confirmation and can decline', async () => {
    writeFileSync(file, JSON.stringify({ hooks: { asked: hook } }))
    const { code, output } = await atTerminal(`config apply --file ${file}`, { typing: 'n\n' })
    expect([code, await hooks()]).toEqual([1, []])
    expect(output).toContain("We didn't change anything.")
    expect(output).toContain('\u001b[32m+ hooks.asked\u001b[39m')
  })

  it('can confirm changes and deletions', async () => {
    const { code } = await atTerminal(`config apply --file ${file}`, { typing: 'y\n' })
    expect([code, await hooks()]).toEqual([0, [expect.objectContaining({ id: 'asked' })]])

    writeFileSync(file, '{"hooks":{}}')
    const afterDeletion = await atTerminal(`config apply --file ${file}`, {
      typing: 'y\n',
      env: { NO_COLOR: '1' },
    })
    expect([afterDeletion.code, await hooks()]).toEqual([0, []])
    expect(afterDeletion.output).toContain('1 to delete: hooks.asked')
    expect(afterDeletion.output).not.toContain('\u001b[3')
  })

  it('sees an import’s progress', async () => {
    const users = fileAt('progress.jsonl')
    writeFileSync(
      users,
      Array.from({ length: 500 }, (_, index) => `{"username":"progress_${index}"}\n`).join(''),
    )
    const { code, output } = await atTerminal(`users import ${users}`)
    expect(code).toBe(0)
    expect(output).toMatch(/\[#+-*\] \d+% {2}\d+ users, \d+\/s {2}(\d+:\d\d|--:--) left/)
    expect(output).toContain('We read 500 users: 500 created, 0 existing, 0 rejected.')
  })
})

describe('docs/operations/commands.md', { timeout: 120_000 }, () => {
  it('contains example settings that can be applied unchanged', async () => {
    const [, example = ''] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/operations/commands.md', 'utf8')) ?? []
    const before = fileAt('before.json')
    const documented = fileAt('vestibule.config.ts')
    const helpers = path.relative(folder, path.resolve('operator/config/define-config.ts'))
    writeFileSync(documented, example.replace('./operator/config/define-config.ts', helpers))
    await runCommand('config', ['export', '--file', before])

    const env = { SENDGRID_KEY: 'SG.example', GITHUB_SECRET: 'example' }
    const applied = await runProcess('config', ['apply', '--file', documented, '--yes'], { env })
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await runCommand('config', ['plan', '--file', documented], { env })
    expect(stdout).toMatch(/^No changes/)
    const back = await runCommand('config', ['apply', '--file', before, '--yes', '--allow-delete'])
    expect(back).toMatchObject({ code: 0, stderr: '' })
  })

  it('contains example users that can be imported unchanged', async () => {
    const [, example = ''] =
      /```csv\n([\s\S]*?)```/.exec(readFileSync('docs/operations/commands.md', 'utf8')) ?? []
    const file = fileAt('people.csv')
    writeFileSync(file, example)
    const { code, stdout } = await runCommand('users', ['import', file])
    expect([code, stdout]).toEqual([0, 'We read 1 user: 1 created, 0 existing, 0 rejected.\n'])
  })
})
