import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { deriveUserId, readBatches, type UserBatch } from '../../operator/users/batches.ts'
import { replaceDurably, writeDurably } from '../../operator/users/durable.ts'
import { exportUsers } from '../../operator/users/export-command.ts'
import { formatHeaderLine, formatRowLine, parseHeader, parseUserRow } from '../../operator/users/formats.ts'
import { openRejectedFile } from '../../operator/users/import-file.ts'
import {
  type FilePosition,
  type FileRecord,
  readRecords as readChunks,
} from '../../operator/users/records.ts'
import { newEnvironment } from './environments.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function createFile(content: string | Buffer): string {
  const file = path.join(folder, `${files++}`)
  writeFileSync(file, content)
  return file
}

const readRecords = (file: string, format: 'csv' | 'jsonl', from?: FilePosition) =>
  readChunks(createReadStream(file, { start: from?.offset ?? 0 }), format, from)

async function recordsOf(content: string | Buffer, format: 'csv' | 'jsonl' = 'csv'): Promise<FileRecord[]> {
  return all(readRecords(createFile(content), format))
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = []
  for await (const item of items) result.push(item)
  return result
}

async function* splitIntoChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const MEGABYTE = 1024 * 1024

describe('the records in a file', () => {
  it.each([
    {
      case: 'lines',
      content: 'a,b\nc,d\n',
      expected: [
        ['a,b', 1],
        ['c,d', 2],
      ],
    },
    {
      case: 'Windows lines',
      content: 'a\r\nb\r\n',
      expected: [
        ['a', 1],
        ['b', 2],
      ],
    },
    {
      case: 'a last line without a line break',
      content: 'a\nb',
      expected: [
        ['a', 1],
        ['b', 2],
      ],
    },
    {
      case: 'a byte order mark',
      content: '\uFEFFa\nb',
      expected: [
        ['a', 1],
        ['b', 2],
      ],
    },
    {
      case: 'line breaks in cells',
      content: 'a,"b\nb"\nc',
      expected: [
        ['a,"b\nb"', 1],
        ['c', 3],
      ],
    },
    {
      case: 'escaped quotes',
      content: '"a ""b"" \n",c\nd',
      expected: [
        ['"a ""b"" \n",c', 1],
        ['d', 3],
      ],
    },
    { case: 'an empty file', content: '', expected: [] },
  ])('are parsed from $case', async ({ content, expected }) => {
    const records = await recordsOf(content)
    expect(records.map(({ text, line }) => [text, line])).toEqual(expected)
  })

  it.each<{ content: string; format?: 'csv' | 'jsonl' }>([
    { content: '\uFEFFa\r\nb' },
    { content: 'a,"x\r\ny, ""z""",c\r\nd,,"" \n' },
    { content: '"a"\n"b\n\nc",ü\n\n,\n' },
    { content: 'a,b"c"\nd,"e"f\ng' },
    { content: 'a,"never closed\nb,c\nd' },
    { content: 'a,"é😀"\r\nb\rc,d\r\n' },
    { content: 'a,"b"\r' },
    { content: '{"a":1}\r\n\n{"b"\n', format: 'jsonl' },
  ])('do not depend on how the file is split into chunks: $content', async ({ content, format = 'csv' }) => {
    const bytes = Buffer.from(content)
    const whole = await recordsOf(content, format)
    for (const size of [1, 3])
      expect(await all(readChunks(splitIntoChunks(bytes, size), format))).toEqual(whole)
  })

  it('exclude only one line if a quote is misplaced', async () => {
    const records = await recordsOf('a,b\n5" disk,a""b\nc,"d"e\nf\n')
    expect(records.map(({ text, line, problem }) => [text, line, problem])).toEqual([
      ['a,b', 1, undefined],
      ['5" disk,a""b', 2, 'quote'],
      ['c,"d"e', 3, 'quote'],
      ['f', 4, undefined],
    ])
  })

  it('exclude only one line if a quote is never closed', async () => {
    const records = await recordsOf('a,b\nc,"d\ne,f\n')
    expect(records.map(({ text, line, problem }) => [text, line, problem])).toEqual([
      ['a,b', 1, undefined],
      ['c,"d', 2, 'open'],
      ['e,f', 3, undefined],
    ])
  })

  it('exclude only one line if a quote is not closed within a megabyte', async () => {
    const count = 30_000
    const rest = `${'x'.repeat(40)},y\n`.repeat(count)
    const [first, ...others] = await recordsOf(`c,"d\n${rest}`)
    expect(first).toMatchObject({ text: 'c,"d', problem: 'open' })
    expect(others).toHaveLength(count)
    expect(others.some(({ problem }) => problem)).toBe(false)
  })

  it('continue after a line that is too long', async () => {
    const records = await recordsOf(`a\n${'x'.repeat(3 * MEGABYTE)}\nb`, 'jsonl')
    expect(records.map(({ text, line, problem }) => [text.length, line, problem])).toEqual([
      [1, 1, undefined],
      [1024, 2, 'long'],
      [1, 3, undefined],
    ])
    expect(records[2]).toMatchObject({ text: 'b', start: 3 * MEGABYTE + 3 })
  })

  it('are read on demand, so a file can be larger than memory', async () => {
    const file = createFile('first\n')
    truncateSync(file, 64 * 1024 * MEGABYTE) // a sparse file, which takes no disk space
    for await (const record of readRecords(file, 'jsonl')) {
      expect(record).toMatchObject({ text: 'first', next: { offset: 6, line: 2 } })
      break
    }
  })

  it('are reported if they are not UTF-8', async () => {
    const records = await recordsOf(
      Buffer.concat([Buffer.from('a\n'), Buffer.from([0xe4, 0x0a]), Buffer.from('ü')]),
    )
    expect(records.map(({ problem }) => problem)).toEqual([undefined, 'utf8', undefined])
  })

  it('are the same when reading resumes at any position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', '\n', '\r\n', '😀') }), {
          maxLength: 20,
        }),
        async (parts) => {
          const file = createFile(parts.join('\n'))
          const whole = await all(readRecords(file, 'csv'))
          for (const [index, record] of whole.entries()) {
            // An unclosed quote affects later records, so files with problems are skipped.
            if (whole.some(({ problem }) => problem)) break
            const rest = await all(readRecords(file, 'csv', record.next))
            expect(rest).toEqual(whole.slice(index + 1))
          }
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('CSV rows', () => {
  const header = parseHeader(['username', 'isSuspended', 'createdAt', 'roleNames', 'customData', 'name'])
  const cellsOf = async (row: string) => (await recordsOf(row))[0]?.cells ?? []

  it.each([
    { row: 'ada,,,,,', user: { username: 'ada' } },
    {
      row: '"ada",yes,2026-01-02T03:04:05Z,"a; b","{""x"":1}","Ada, Countess"',
      user: {
        username: 'ada',
        isSuspended: true,
        createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
        roleNames: ['a', 'b'],
        customData: { x: 1 },
        name: 'Ada, Countess',
      },
    },
    {
      row: 'ada,0,1767323045000,,,',
      user: { username: 'ada', isSuspended: false, createdAt: 1_767_323_045_000 },
    },
  ])('can contain $row', async ({ row, user }) => {
    expect(parseUserRow(await cellsOf(row), header)).toEqual({ user })
  })

  it('preserve a profile when exported and imported', async () => {
    const names = parseHeader(['username', 'profile', 'profileUpdatedAt'])
    const user = {
      username: 'ada',
      profile: { nickname: 'A "B", C', address: { formatted: '1 Street\nLondon' } },
      profileUpdatedAt: 1_767_323_045_000,
    }
    expect(parseUserRow(await cellsOf(formatRowLine(user, names)), names)).toEqual({ user })
  })

  it('preserve an agreement to the terms when exported and imported', async () => {
    const names = parseHeader(['username', 'termsAgreement'])
    const termsAgreement = {
      agreedAt: 1_767_323_045_000,
      policy: 'Manual',
      termsOfUseUrl: 'https://example.com/terms,1',
      privacyPolicyUrl: null,
    }
    const line = formatRowLine({ username: 'ada', termsAgreement }, names)
    expect(parseUserRow(await cellsOf(line), names)).toEqual({ user: { username: 'ada', termsAgreement } })
    expect(formatRowLine({ username: 'ada' }, names)).toBe('ada,\r\n')
  })

  it.each([
    { row: 'ada', problem: 'has 1 cells instead of 6' },
    { row: 'ada,,yesterday,,,', problem: 'createdAt cannot be read' },
    { row: 'ada,,,,{x},', problem: 'customData cannot be read' },
  ])('are rejected with "$problem": $row', async ({ row, problem }) => {
    expect(parseUserRow(await cellsOf(row), header)).toEqual({ problem })
  })

  it.each(['', 'nick', 'name,name', 'name;username', '"name'])(
    'cannot follow the header "%s"',
    async (text) => {
      const cells = await cellsOf(text)
      expect(() => parseHeader(cells)).toThrow(/first line/)
    },
  )

  it('[ASVS-1.2.10] are escaped against spreadsheet formulas, and can be read back unchanged', async () => {
    const names = parseHeader(['username', 'name'])
    expect(formatHeaderLine(names)).toBe('username,name\r\n')
    expect(formatRowLine({ username: 'ada', name: '=HYPERLINK("http://evil")' }, names)).toBe(
      `ada,"'=HYPERLINK(""http://evil"")"\r\n`,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', "'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';') }),
        async (name) => {
          const line = formatRowLine({ username: 'ada', name }, names)
          const cell = line.slice('ada,'.length)
          expect(cell).not.toMatch(/^"?[=+\-@\t\r](?!\n$)/)
          // In some locales, spreadsheets treat these characters as cell separators even inside quotes.
          expect(cell.slice(0, -2)).not.toMatch(/[;\t\r\n]"*[=+\-@\t\r]/)
          expect(parseUserRow(await cellsOf(line), names)).toEqual({
            user: { username: 'ada', ...(name && { name }) },
          })
        },
      ),
    )
  })
})

describe('a user’s generated id', () => {
  it('depends on both the text and the line number', () => {
    expect(deriveUserId('{"name":"Ada"}', 7)).toBe(deriveUserId('{"name":"Ada"}', 7))
    expect(deriveUserId('{"name":"Ada"}', 7)).not.toBe(deriveUserId('{"name":"Ada"}', 8))
    const ids = new Set(Array.from({ length: 1000 }, (_, line) => deriveUserId('', line)))
    expect(ids.size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^[\dA-Za-z]{12}$/)
  })
})

describe('import batches', () => {
  const batchesOf = (content: string, format: 'csv' | 'jsonl', offset = 0, line = 1): Promise<UserBatch[]> =>
    all(readBatches(createFile(content), format, { offset, line }))

  it('contain at most 200 users, and no more passwords or bytes than an API call accepts', async () => {
    const lines = (count: number, user: object) => `${JSON.stringify(user)}\n`.repeat(count)
    const sizes = async (content: string) =>
      (await batchesOf(content, 'jsonl')).map(({ entries }) => entries.length)
    expect(await sizes(lines(450, { name: 'a' }))).toEqual([200, 200, 50])
    expect(await sizes(lines(45, { password: 'a' }))).toEqual([20, 20, 5])
    expect(await sizes(lines(12, { name: 'a'.repeat(100_000) }))).toEqual([5, 5, 2])
  })

  it('continue after the previous batch, and keep all line numbers', async () => {
    const content = `name\n${Array.from({ length: 250 }, (_, index) => `"user\n${index}"\n`).join('')}\n  \n"open\n`
    const [first, second] = await batchesOf(content, 'csv')
    expect(first?.entries).toHaveLength(200)
    const [again] = await batchesOf(content, 'csv', first?.end.offset, first?.end.line)
    expect(again).toEqual(second)
    expect(again?.entries.map(({ record }) => record.line)).toEqual([
      ...Array.from({ length: 50 }, (_, index) => 402 + 2 * index),
      504,
    ])
    expect(again?.entries.at(-1)).toMatchObject({ problem: 'has quotes that are not closed' })
  })
})

describe('a file that is written durably', () => {
  it('is complete even if system calls write only parts of it', () => {
    const file = createFile('before')
    const handle = openSync(file, 'r+')
    const writeFewBytes = (to: number, bytes: Uint8Array, from: number, length: number, at: number) =>
      writeSync(to, bytes, from, Math.min(3, length), at)
    expect(writeDurably(handle, 'äöü and more', 6, writeFewBytes)).toBe(15)
    closeSync(handle)
    expect(readFileSync(file, 'utf8')).toBe('beforeäöü and more')
  })

  it('is replaced atomically', () => {
    const file = createFile('a longer text')
    replaceDurably(file, 'short')
    expect(readFileSync(file, 'utf8')).toBe('short')
  })
})

describe('the file with rejected lines', () => {
  const rejection = { line: 1, code: 'line', reason: 'is not JSON', text: 'x' }

  it('is continued after the last saved position', () => {
    const file = createFile('kept\nnot acknowledged\n')
    const rejected = openRejectedFile(file, 5)
    expect(rejected.append([])).toBe(5)
    const bytes = rejected.append([rejection])
    expect(rejected.append([rejection])).toBe(2 * bytes - 5)
    rejected.close()
    const line = `${JSON.stringify(rejection)}\n`
    expect(readFileSync(file, 'utf8')).toBe(`kept\n${line}${line}`)
  })

  it('cannot be continued if lines are missing', () => {
    const file = createFile('kep')
    expect(() => openRejectedFile(file, 5)).toThrow('has lost rejected lines')
    rmSync(file)
    expect(() => openRejectedFile(file, 5)).toThrow('has 0 of 5 bytes')
  })
})

describe('an interrupted export', () => {
  const interruptedExport = (content: string | null, state: object | string) => {
    const file = createFile(content ?? '')
    if (content === null) rmSync(file)
    const stateFile = `${file}.export-state.json`
    writeFileSync(stateFile, typeof state === 'string' ? state : JSON.stringify(state))
    return { file, stateFile }
  }
  const state = { version: 1, origin: 'http://localhost:1', format: 'jsonl', after: 'a', bytes: 10, users: 1 }

  it.each([
    { case: 'has lost part of its file', content: 'nine byte', state, says: 'it has 9 of 10 bytes' },
    { case: 'has lost its file', content: null, state, says: 'it has 0 of 10 bytes' },
    {
      case: 'has an incomplete state file',
      content: '',
      state: '{"version"',
      says: 'belongs to another export',
    },
  ])('cannot be resumed if it $case', async ({ content, state, says }) => {
    const { file } = interruptedExport(content, state)
    const run = exportUsers.run('users export', [file, '--format', 'jsonl'], newEnvironment().environment)
    await expect(run).rejects.toThrow(says)
  })

  it('cannot be resumed with secrets if it was started without them', async () => {
    const { file } = interruptedExport('ten bytes\n', state)
    const args = [file, '--format', 'jsonl', '--with-totp-secrets']
    const run = exportUsers.run('users export', args, newEnvironment().environment)
    await expect(run).rejects.toThrow('belongs to another export')
  })

  it('resumes after the last complete page', async () => {
    const { file, stateFile } = interruptedExport('ten bytes\nhalf a pa', state)
    const requests: string[] = []
    const { environment } = newEnvironment({
      fetch: async (input) => {
        const url = new URL(new Request(input).url)
        requests.push(url.pathname + url.search)
        return Response.json(
          url.pathname === '/oidc/token'
            ? { access_token: 'x' }
            : { users: [{ id: 'b', name: 'Bo' }], next: null },
        )
      },
    })
    expect(await exportUsers.run('users export', [file, '--format', 'jsonl'], environment)).toBe(0)
    expect(requests).toContain('/api/users/export?after=a&limit=500')
    expect(readFileSync(file, 'utf8')).toBe('ten bytes\n{"id":"b","name":"Bo"}\n')
    expect(() => readFileSync(stateFile)).toThrow('ENOENT')
  })
})
