/**
 * Draws the data model in docs/architecture.md from the Drizzle tables, with one Mermaid diagram per chapter.
 * `tests/architecture.test.ts` compares the document with the tables.
 */
import { globSync } from 'node:fs'
import path from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { root } from './root.mjs'

/** @typedef {ReturnType<typeof getTableConfig>} Table */

export const DATA_MODEL_DOCUMENT = 'docs/architecture.md'
const TABLES = 'src/storage/tables'
/** Returns the section of each chapter, in Markdown. */
export async function renderDataModel() {
  const sections = []
  for (const [chapter, tables] of await tablesByChapter()) {
    const entities = tables.map(entityOf).join('\n')
    const relations = tables.flatMap(relationsOf).join('\n')
    const diagram = [entities, relations].filter(Boolean).join('\n')
    sections.push(`### ${chapter}\n\n\`\`\`mermaid\nerDiagram\n${diagram}\n\`\`\`\n`)
  }
  return sections.join('\n')
}

/**
 * The folder that contains a table's file determines its chapter. A file outside a folder, such as that of the log
 * tables, is a chapter of its own.
 */
export async function tablesByChapter() {
  /** @type {Map<string, Table[]>} */
  const chapters = new Map()
  for (const file of globSync('**/*.ts', { cwd: path.join(root, TABLES) }).sort()) {
    const chapter = path.dirname(file) === '.' ? path.basename(file, '.ts') : path.dirname(file)
    const exports = Object.values(await import(path.join(root, TABLES, file)))
    const tables = exports
      .filter((value) => is(value, SQLiteTable))
      .map((table) => getTableConfig(table))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
    if (tables.length > 0) chapters.set(chapter, [...(chapters.get(chapter) ?? []), ...tables])
  }
  return [...chapters].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** @param {Table} table */
function entityOf({ name, columns, primaryKeys, foreignKeys }) {
  const primary = new Set(primaryKeys.flatMap((key) => key.columns).map((column) => column.name))
  const foreign = new Set(foreignKeys.flatMap((key) => key.reference().columns).map((column) => column.name))
  const lines = columns.map((column) => {
    const keys = [
      ...(column.primary || primary.has(column.name) ? ['PK'] : []),
      ...(foreign.has(column.name) ? ['FK'] : []),
    ]
    const optional = column.notNull ? '' : ' "optional"'
    return `    ${column.getSQLType()} ${column.name}${keys.length > 0 ? ` ${keys.join(', ')}` : ''}${optional}`
  })
  return `  ${name} {\n${lines.join('\n')}\n  }`
}

/** @param {Table} table */
const relationsOf = ({ name, foreignKeys }) =>
  foreignKeys.flatMap((key) => {
    const { foreignTable, columns } = key.reference()
    const label = columns.map((column) => column.name).filter((column) => column !== 'tenant_id')
    // Omit the reference to the tenant: every table has it, so the diagram would have a line to each of them.
    return label.length === 0
      ? []
      : `  ${getTableConfig(foreignTable).name} ||--o{ ${name} : "${label.join(', ')}"`
  })
