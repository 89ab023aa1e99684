import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  findVersionProblem,
  formatChecksums,
  packFolder,
  releaseCommand,
  withCommitTime,
} from '../../scripts/release.mjs'
import { sweepOfProcess } from '../kit/sweep.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

/** Unpacks the release of a clone, and checks that `npm run deploy` has nothing to build there. */
function expectBuilt(clone: string): void {
  const archive = path.join(clone, `build/release/vestibule-${version}.tar.gz`)
  const unpacked = path.join(temporary, 'unpacked', `vestibule-${version}`)
  mkdirSync(path.dirname(unpacked), { recursive: true })
  execFileSync('tar', ['--extract', `--file=${archive}`, `--directory=${path.dirname(unpacked)}`])
  renameSync(path.join(clone, 'node_modules'), path.join(unpacked, 'node_modules'))
  const output = execFileSync('node', ['scripts/run.mjs', 'build'], { cwd: unpacked, encoding: 'utf8' })
  expect(output).toBe('')
}

const temporary = mkdtempSync(path.join(os.tmpdir(), 'release-'))
afterAll(() => rmSync(temporary, { recursive: true }))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('the version', () => {
  it('is the same in package-lock.json, and has a section in the changelog', () => {
    const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': object } }
    expect(lock).toMatchObject({ version, packages: { '': { version } } })
    expect(read('CHANGELOG.md')).toContain(`\n## ${version} - `)
  })

  it.each([['--version'], ['doctor', '--version'], ['config', 'plan', '--version']])(
    'is printed by every command: %s %s %s',
    (...args) => {
      expect(execFileSync('node', ['scripts/run.mjs', ...args], { encoding: 'utf8' })).toBe(`${version}\n`)
    },
  )

  it('is not printed if --version is the value of an option', () => {
    const run = () => execFileSync('node', ['scripts/run.mjs', 'release', '--fixture', '--version'])
    expect(run).toThrow(/argument is ambiguous/)
  })

  it('can be released once its section in the changelog has a date', () => {
    expect(findVersionProblem('1.2.0', '# Changelog\n\n## 1.2.0 - 2026-12-01\n')).toBeNull()
    expect(findVersionProblem('1.2.0', '# Changelog\n\n## 1.2.0 - unreleased\n')).toMatch(/has no date/)
    expect(findVersionProblem('1.2.0', '# Changelog\n\n## 1.1.0 - 2026-12-01\n')).toMatch(/no section/)
  })
})

describe('a release', () => {
  it('has an archive that depends only on names, contents and whether a file can be executed', async () => {
    const archives = []
    for (const [attempt, names] of [
      ['a.js', 'b.sh'],
      ['b.sh', 'a.js'],
    ].entries()) {
      const folder = path.join(temporary, String(attempt), 'vestibule-1.2.0')
      mkdirSync(folder, { recursive: true })
      for (const name of names) {
        const file = path.join(folder, name)
        writeFileSync(file, `the content of ${name}`)
        const permissions = attempt === 0 ? 0o644 : 0o600
        chmodSync(file, name.endsWith('.sh') ? permissions | 0o111 : permissions)
        utimesSync(file, attempt, attempt)
      }
      archives.push(await packFolder(folder, 1_800_000_000))
    }
    const [first, second] = archives
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true)
    const content = first?.toString('latin1')
    expect(content).toContain('vestibule-1.2.0/b.sh')
    expect(content).toContain('the content of a.js')
  })

  it('has a bill of materials with the time of the commit, but no random number and no version of npm', () => {
    const bill = {
      serialNumber: 'urn:uuid:1',
      metadata: { timestamp: 'now', tools: [{ vendor: 'npm', name: 'cli', version: '11.0.0' }] },
      components: [],
      dependencies: [],
    }
    expect(withCommitTime(bill, 1_800_000_000)).toEqual({
      metadata: { timestamp: '2027-01-15T08:00:00.000Z' },
      components: [],
      dependencies: [],
    })
  })

  it.each([['--fixtures', '.'], ['--hepl'], ['1.2.0']])(
    'is not made if an argument is unknown: %s',
    async (...args) => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      expect(await releaseCommand(args)).toBe(1)
      expect(printed.mock.calls.join()).toContain('Usage: npm run release')
    },
  )

  it('explains its options', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
    expect(await releaseCommand(['--help'])).toBe(0)
    expect(printed.mock.calls.join()).toContain('--fixture FOLDER')
  })

  it('needs GNU tar', async () => {
    const folder = path.join(temporary, 'other-tar')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'tar'), '#!/bin/sh\necho "bsdtar 3.7.2"\n', { mode: 0o755 })
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await releaseCommand([])).toBe(1)
    expect(printed.mock.calls.join()).toContain('A release needs GNU tar')
  })

  it('has checksums that sha256sum accepts', () => {
    const files = new Map([['a.txt', Buffer.from('a')]])
    writeFileSync(path.join(temporary, 'a.txt'), 'a')
    writeFileSync(path.join(temporary, 'SHA256SUMS'), formatChecksums(files))
    const check = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: temporary, encoding: 'utf8' })
    expect(check).toBe('a.txt: OK\n')
  })

  it.runIf(sweepOfProcess().isExhaustive)(
    'has the same bytes in two clones with different paths',
    { timeout: 900_000 },
    () => {
      const checksums = ['one', 'a-longer-path/two'].map((name) => {
        const clone = path.join(temporary, name)
        const run = (program: string, ...args: string[]) =>
          execFileSync(program, args, { cwd: clone, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
        execFileSync('git', ['clone', '--quiet', process.cwd(), clone])
        const changelog = path.join(clone, 'CHANGELOG.md')
        writeFileSync(
          changelog,
          read(changelog).replace(`## ${version} - unreleased`, `## ${version} - 2026-12-01`),
        )
        run('git', 'config', 'user.email', 'tests@example.com')
        run('git', 'config', 'user.name', 'Tests')
        const time = { GIT_AUTHOR_DATE: '2026-12-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-12-01T00:00:00Z' }
        execFileSync('git', ['commit', '--all', '--allow-empty', '--quiet', '--message', 'A release'], {
          cwd: clone,
          env: { ...process.env, ...time },
        })
        run('node', 'scripts/run.mjs', 'release')
        if (name === 'one') expectBuilt(clone)
        return read(path.join(clone, 'build/release/SHA256SUMS'))
      })
      expect(checksums[0]).toMatch(/^[\da-f]{64} {2}vestibule-/)
      expect(checksums[1]).toBe(checksums[0])
    },
  )
})
