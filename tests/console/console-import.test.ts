import { describe, expect, it } from 'vitest'
import { importFile, NO_PROGRESS, type Progress } from '../../console/areas/users/import-job.ts'
import { deriveUserId } from '../../operator/users/batches.ts'
import type { ImportResult } from '../../src/contract/users/user-import.schema.ts'

/** Tests that the console imports a file of users in the same way as `npm run users` (spec/console#users). */

describe('an import', () => {
  const created = (users: readonly Record<string, unknown>[]): ImportResult[] =>
    users.map(({ id }, index) => ({ index, status: 'created', id: String(id) }))

  it("sends batches within the API's limits, with the same user ids as `npm run users`", async () => {
    const lines = Array.from({ length: 450 }, (_, index) => `user_${index},pass-word-${index}`)
    const passwords = new Blob([['username,password', ...lines].join('\n')])
    const groups: (readonly Record<string, unknown>[])[] = []
    const isDone = await importFile(passwords, {
      format: 'csv',
      from: NO_PROGRESS,
      send: async (users) => {
        groups.push(users)
        return created(users)
      },
      onProgress: () => {},
      mayContinue: async () => true,
    })
    expect(isDone).toBe(true)
    expect(Math.max(...groups.map(({ length }) => length))).toBe(20)
    const users = groups.flat()
    expect(users.length).toBe(450)
    expect(users[1]?.id).toBe(deriveUserId('user_1,pass-word-1', 3))
  })

  it('continues where it stopped, and reports rejected lines', async () => {
    const lines = Array.from({ length: 500 }, (_, index) =>
      index === 300 ? 'no JSON' : `{"username":"u${index}"}`,
    )
    const file = new Blob([lines.join('\n')])
    const sent: unknown[] = []
    let progress: Progress = NO_PROGRESS
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
        mayContinue: async () => calls-- > 0,
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
