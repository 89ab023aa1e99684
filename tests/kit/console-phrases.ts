import { runInNewContext } from 'node:vm'
import { failureSentences } from '../../operator/doctor/failure-reasons.ts'
import { sourceFiles, sourceTextOf } from './source-files.ts'

/** A table of console texts, as it is passed to `phrases`. */
export type WrittenTable = {
  file: string
  /** The name of the constant that contains the table. */
  name: string
  en: Record<string, string>
  de: Record<string, string>
}

/** The values that tables take from other modules. */
const imported = { failureSentences }

/** Reads the tables from the source code, because the components that define the tables need a browser. */
export const writtenTables = (): WrittenTable[] =>
  sourceFiles(['console']).flatMap((file) =>
    [...sourceTextOf(file).matchAll(/const (\w+) = phrases\((\{\n[\s\S]*?\n\})\)/g)].map(
      ([, name = '', table]) => ({ file, name, ...runInNewContext(`(${table})`, imported) }),
    ),
  )
