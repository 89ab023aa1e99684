import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { PageStyles, StyleRule } from '../src/domain/experience/style-sheet.ts'
import { styleRules } from './style-rules.ts'

const CLIENT = path.resolve('client')
const PAGES = path.join(CLIENT, 'pages')
/** What every page may show. The dialog is loaded when there is one. */
const SHELL = ['app/app.tsx', 'app/dialogs.tsx'].map((file) => path.join(CLIENT, file))

/**
 * The style sheet in pieces, and the classes that the modules of each page name, without the modules that they import later
 * (ADR-0068). `importsOf` answers what a module imports.
 */
export function stylesOfPages(
  css: string,
  pages: readonly string[],
  importsOf: (id: string) => readonly string[],
): PageStyles {
  const rules = styleRules(css)
  const known = new Set(rules.flatMap(({ classes = [] }) => classes))

  const classesOf = (roots: readonly string[], isLeftOut: (id: string) => boolean = () => false) => {
    const found = new Set(roots)
    for (const id of found)
      for (const each of importsOf(id)) if (each.startsWith(CLIENT) && !isLeftOut(each)) found.add(each)
    const named = [...found].flatMap((id) => classesNamedIn(readFileSync(id, 'utf8'), known))
    return [...new Set(named)]
  }
  const isPage = (id: string) => path.dirname(id) === PAGES
  const shell = classesOf(SHELL, isPage)
  const beyondShell = (...roots: string[]) => classesOf(roots).filter((name) => !shell.includes(name))
  return {
    rules,
    shell,
    pages: Object.fromEntries(pages.map((name) => [name, beyondShell(path.join(PAGES, `${name}.tsx`))])),
  }
}

/**
 * The sheet of pages that the server alone renders, which are no part of the browser's modules: the rules whose classes these files
 * name.
 */
export function stylesOfFiles(css: string, files: readonly string[]): PageStyles {
  const rules = styleRules(css)
  const known = new Set(rules.flatMap(({ classes = [] }) => classes))
  const named = files.flatMap((file) => classesNamedIn(readFileSync(path.join(CLIENT, file), 'utf8'), known))
  const shell = [...new Set([...named, 'desktop', 'mobile'])]
  const around = /^layout-/
  const isUsed = ({ classes = [] }: StyleRule) =>
    classes.every((name) => shell.includes(name) || around.test(name))
  return { rules: rules.filter(isUsed), shell, pages: {} }
}

/**
 * The classes among `known` that a module can give to an element: every word of its texts that is one. `button-${kind}` stands
 * for all classes that begin so.
 */
export function classesNamedIn(source: string, known: ReadonlySet<string>): string[] {
  const code = source.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs, '')
  const words = [...code.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].flatMap((text) =>
    (text[1] ?? text[2] ?? text[3] ?? '').split(/\s+/),
  )
  const starts = words.flatMap((word) => /^([\w-]+-)\$\{/.exec(word)?.[1] ?? [])
  return [...known].filter((name) => words.includes(name) || starts.some((start) => name.startsWith(start)))
}
