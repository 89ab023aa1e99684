import { runInNewContext } from 'node:vm'
import { sourceFiles, sourceTextOf } from './source-files.ts'

/** A table of texts in the console, as `phrases` gets it. */
export type WrittenTable = {
  file: string
  /** Of the constant that holds it. */
  name: string
  en: Record<string, string>
  de: Record<string, string>
}

/** Read from the source: the components around them need a browser. */
export const writtenTables = (): WrittenTable[] =>
  sourceFiles(['console']).flatMap((file) =>
    [...sourceTextOf(file).matchAll(/const (\w+) = phrases\((\{\n[\s\S]*?\n\})\)/g)].map(
      ([, name = '', table]) => ({ file, name, ...runInNewContext(`(${table})`) }),
    ),
  )
