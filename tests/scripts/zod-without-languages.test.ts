import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

const loaded = (file: string) => import(/* @vite-ignore */ path.resolve('build/zod', file))
const LEFT_OUT = [
  'INVALID',
  'ZodCompileAsyncError',
  'ZodCompileUnsupportedError',
  'compile',
  'fromJSONSchema',
  'locales',
  'withParser',
  'compileFn',
]
const withoutLeftOut = (names: object) => Object.keys(names).filter((name) => !LEFT_OUT.includes(name))

it('the zod build contains all of zod except its locales, fromJSONSchema and the compiler', async () => {
  execFileSync(process.execPath, ['scripts/zod-without-languages.mjs'])
  const [index, core] = [await loaded('index.js'), await loaded('core.js')]
  expect(Object.keys(index.z).sort()).toEqual(withoutLeftOut(z).sort())
  expect(Object.keys(core).sort()).toEqual(withoutLeftOut(z.core).sort())
  expect(index.z.string().safeParse(1).error.issues[0].message).toBe(
    z.string().safeParse(1).error?.issues[0]?.message,
  )
})
