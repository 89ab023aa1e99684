import { expect, it } from 'vitest'
import { codeOf, importsOf, sourceFiles } from '../kit/source-files.ts'

/** What is exported and imported by nothing is left over, or belongs to its file alone. */

const importers = sourceFiles(['console', 'tests', 'bench', 'operator'])

it('every export of the console is imported', () => {
  const left = sourceFiles(['console'])
    .filter((file) => !file.includes('/guides/') && !file.endsWith('.config.ts'))
    .flatMap((file) => exportsOf(file).map((name) => ({ file, name })))
    .filter(({ file, name }) => {
      const named = new RegExp(`\\b${name}\\b`)
      return !importers.some((other) => importsOf(other).includes(file) && named.test(codeOf(other)))
    })
  expect(left).toEqual([])
})

const exportsOf = (file: string) =>
  [...codeOf(file).matchAll(/^export (?:async )?(?:const|function\*?|type|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
