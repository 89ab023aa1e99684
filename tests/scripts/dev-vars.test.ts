import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensureDevVars } from '../../scripts/dev-vars.mjs'

const emptyFolder = () => mkdtempSync(path.join(tmpdir(), 'vestibule-'))
const read = (folder: string) => readFileSync(path.join(folder, '.dev.vars'), 'utf8')

describe('the local secrets', () => {
  it('are generated if they are missing, and are readable only by the file owner', () => {
    const folder = emptyFolder()
    ensureDevVars(folder)
    expect(read(folder)).toMatch(
      /^ROOT_SECRET=[\w-]{43}\nMANAGEMENT_CLIENT_SECRET=[\w-]{43}\nENVIRONMENT=development\n$/,
    )
    expect(statSync(path.join(folder, '.dev.vars')).mode & 0o777).toBe(0o600)
  })

  it('[ASVS-13.2.3] differ between checkouts', () => {
    const [one, other] = [emptyFolder(), emptyFolder()]
    ensureDevVars(one)
    ensureDevVars(other)
    expect(read(one)).not.toBe(read(other))
  })

  it('are kept if they exist', () => {
    const folder = emptyFolder()
    ensureDevVars(folder)
    const before = read(folder)
    ensureDevVars(folder)
    expect(read(folder)).toBe(before)
  })

  it.each([
    {
      name: 'a file without a last newline',
      before: '# mine\nROOT_SECRET="kept"',
      line: 'ROOT_SECRET="kept"',
    },
    {
      name: 'an empty value',
      before: 'MANAGEMENT_CLIENT_SECRET=\n',
      line: 'MANAGEMENT_CLIENT_SECRET=',
    },
    { name: 'other keys', before: 'LIBSQL_URL=http://x\nMY_ROOT_SECRET=1\n', line: 'MY_ROOT_SECRET=1' },
  ])('are completed without changing $name', ({ before, line }) => {
    const folder = emptyFolder()
    writeFileSync(path.join(folder, '.dev.vars'), before)
    ensureDevVars(folder)
    const after = read(folder)
    expect(after.startsWith(before)).toBe(true)
    expect(after.split('\n')).toContain(line)
    for (const key of ['ROOT_SECRET', 'MANAGEMENT_CLIENT_SECRET', 'ENVIRONMENT']) {
      expect(after.match(new RegExp(`^${key}=`, 'gm')), key).toHaveLength(1)
    }
  })
})
