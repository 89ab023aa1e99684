import { expect, it } from 'vitest'
import { codeOf, importsOf, sourceFiles } from '../kit/source-files.ts'

/** An export that is never imported is either unused or should be private to its file. */

const importers = sourceFiles(['console', 'tests', 'bench', 'operator'])

it('every export in the console is imported somewhere', () => {
  const unused = sourceFiles(['console'])
    .filter((file) => !file.includes('/guides/') && !file.endsWith('.config.ts'))
    .flatMap((file) => exportsOf(file).map((name) => ({ file, name })))
    .filter(({ file, name }) => {
      const named = new RegExp(`\\b${name}\\b`)
      return !importers.some((other) => importsOf(other).includes(file) && named.test(codeOf(other)))
    })
  expect(unused).toEqual([])
})

const exportsOf = (file: string) =>
  [...codeOf(file).matchAll(/^export (?:async )?(?:const|function\*?|type|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
