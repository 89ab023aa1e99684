import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readRecords } from '../../console/areas/users/file-records.ts'
import { importFile, NOTHING_DONE, type Progress } from '../../console/areas/users/import-job.ts'
import { userIdOf } from '../../operator/users/batches.ts'
import type { UserFileFormat } from '../../operator/users/formats.ts'
import { readRecords as readByCommand } from '../../operator/users/records.ts'
import type { ImportResult } from '../../src/contract/users/user-import.schema.ts'

/** The browser reads a file of users as the command does (spec/console#users). */

const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-console-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** A file that arrives in pieces of so many bytes. */
function inPieces(bytes: Uint8Array<ArrayBuffer>, size: number): Blob {
  const file = new Blob([bytes])
  file.stream = () =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
        controller.close()
      },
    })
  return file
}

describe('the records of a file', () => {
  const contents: { content: string; format?: UserFileFormat }[] = [
    { content: 'a,b\nc,d\n' },
    { content: 'a\r\nb\r\n' },
    { content: 'a\nb' },
    { content: '\uFEFFa\nb' },
    { content: 'a,"x\r\ny, ""z""",c\r\nd,,"" \n' },
    { content: '"a"\n"b\n\nc",ü\n\n,\n' },
    { content: 'a,b"c"\nd,"e"f\ng' },
    { content: 'a,"never closed\nb,c\nd' },
    { content: 'a,"é😀"\r\nb\rc,d\r\n' },
    { content: 'a,"b"\r' },
    { content: '{"a":1}\r\n\n{"b"\n', format: 'jsonl' },
  ]

  it.each(contents)('are those of the command: $content', async ({ content, format = 'csv' }) => {
    const file = path.join(folder, 'users')
    writeFileSync(file, content)
    const expected = (await all(readByCommand(file, { format }))).map(({ text, line, cells, problem }) => ({
      ...{ text, line, cells },
      isProblem: problem !== undefined,
    }))
    const bytes = new TextEncoder().encode(content)
    for (const size of [1, 3, 1000]) {
      const found = await all(readRecords(inPieces(bytes, size), format))
      expect(
        found.map(({ text, line, cells, problem }) => ({
          ...{ text, line, cells },
          isProblem: problem !== undefined,
        })),
      ).toEqual(expected)
    }
  })

  it('lose a line that is not UTF-8, and no more', async () => {
    const bytes = new Uint8Array([0x61, 0x0a, 0xff, 0x0a, 0x62])
    const found = await all(readRecords(inPieces(bytes, 2), 'jsonl'))
    expect(found.map(({ problem }) => problem)).toEqual([undefined, 'utf8', undefined])
  })
})

describe('an import', () => {
  const created = (users: readonly Record<string, unknown>[]): ImportResult[] =>
    users.map(({ id }, index) => ({ index, status: 'created', id: String(id) }))

  it('sends groups that the API takes, with the ids that the command makes', async () => {
    const lines = Array.from({ length: 450 }, (_, index) => `user_${index},pass-word-${index}`)
    const passwords = new Blob([['username,password', ...lines].join('\n')])
    const groups: (readonly Record<string, unknown>[])[] = []
    const isDone = await importFile(passwords, {
      format: 'csv',
      from: NOTHING_DONE,
      send: async (users) => {
        groups.push(users)
        return created(users)
      },
      onProgress: () => {},
      mayGoOn: async () => true,
    })
    expect(isDone).toBe(true)
    expect(Math.max(...groups.map(({ length }) => length))).toBe(20)
    const users = groups.flat()
    expect(users.length).toBe(450)
    expect(users[1]?.id).toBe(userIdOf('user_1,pass-word-1', 3))
  })

  it('goes on where it stopped, and counts what was refused by its line', async () => {
    const lines = Array.from({ length: 500 }, (_, index) =>
      index === 300 ? 'no JSON' : `{"username":"u${index}"}`,
    )
    const file = new Blob([lines.join('\n')])
    const sent: unknown[] = []
    let progress: Progress = NOTHING_DONE
    const refused: { line: number; code: string }[] = []
    const run = (calls: number) =>
      importFile(file, {
        format: 'jsonl',
        from: progress,
        send: async (users) => {
          sent.push(...users.map(({ username }) => username))
          return users.map(({ id, username }, index) =>
            username === 'u7'
              ? {
                  index,
                  status: 'rejected',
                  error: { code: 'user.username_already_in_use', message: 'taken' },
                }
              : { index, status: username === 'u8' ? 'existing' : 'created', id: String(id) },
          )
        },
        onProgress: (next, rejections) => {
          progress = next
          refused.push(...rejections)
        },
        mayGoOn: async () => calls-- > 0,
      })

    expect(await run(1)).toBe(false)
    expect(progress).toEqual({ line: 201, created: 198, existing: 1, rejected: 1 })
    expect(await run(9)).toBe(true)
    expect(progress).toEqual({ line: 501, created: 497, existing: 1, rejected: 2 })
    expect(sent.length).toBe(499)
    expect(new Set(sent).size).toBe(499)
    expect(refused).toMatchObject([
      { line: 8, code: 'user.username_already_in_use', text: '{"username":"u7"}' },
      { line: 301, code: 'line', text: 'no JSON' },
    ])
  })
})
