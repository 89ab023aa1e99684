/**
 * `npm run prose [-- --seed N]` draws a random sample of the text that people read: comments, identifiers, test
 * titles, console texts and paragraphs of the documents. Reviewers judge each text without its context. Another seed
 * draws another sample (docs/development/testing.md#prose).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parseSync, Visitor } from 'vite'
import { createSeededRandom } from './random.mjs'
import { root } from './root.mjs'

/** @typedef {{ name: string, text: string, program: import('vite').ESTree.Program, comments: Comment[] }} Source */
/** @typedef {{ type: string, value: string, start: number, end: number }} Comment */
/** @typedef {{ at: string, text: string }} Sample */

const DEFAULT_SEED = 1

const SOURCES = /^(?:src|client|console|operator|scripts|bench|tests)\/.*\.(?:ts|tsx|mjs)$/
const MIN_WORDS = 12

/** @type {Record<string, { count: number, all(): Sample[] }>} */
const groups = {
  Comments: { count: 100, all: () => sources(SOURCES).flatMap(commentsOf) },
  Identifiers: {
    count: 100,
    all: () => sources(/^(?:src|client|console|operator|scripts)\//).flatMap(exportsOf),
  },
  'Test titles': { count: 100, all: () => sources(/^tests\/.*\.test\.tsx?$/).flatMap(titlesOf) },
  'Console texts': { count: 100, all: () => sources(/^console\//).flatMap(englishTextsOf) },
  Paragraphs: { count: 20, all: () => documents().flatMap(paragraphsOf) },
}

/** @param {string[]} args */
export async function proseCommand(args) {
  const { values } = parseArgs({ args, options: { seed: { type: 'string' } } })
  const seed = Number(values.seed ?? DEFAULT_SEED)
  for (const [title, { count, all }] of Object.entries(groups)) {
    const texts = all()
    console.log(`\n## ${title}: ${Math.min(count, texts.length)} of ${texts.length}, drawn by seed ${seed}\n`)
    draw(texts, count, seed).forEach(({ at, text }, index) => {
      console.log(`${index + 1}. ${text} (${at})`)
    })
  }
  return 0
}

/** @param {Sample[]} texts @param {number} count @param {number} seed */
function draw(texts, count, seed) {
  const next = createSeededRandom(seed)
  return texts
    .map((sample) => ({ sample, order: next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ sample }) => sample)
}

const trackedFiles = () =>
  execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

/** @param {RegExp} pattern @returns {Source[]} */
function sources(pattern) {
  return trackedFiles()
    .filter((name) => SOURCES.test(name) && pattern.test(name) && !name.endsWith('.d.ts'))
    .map((name) => {
      const text = readFileSync(path.join(root, name), 'utf8')
      const { program, comments } = parseSync(name, text)
      return { name, text, program, comments }
    })
}

/**
 * Returns the comments of a source. Consecutive line comments count as one.
 *
 * @param {Source} source
 * @returns {Sample[]}
 */
function commentsOf({ name, text, comments }) {
  /** @type {Comment[]} */
  const joined = []
  for (const comment of comments) {
    const last = joined.at(-1)
    const between = last ? text.slice(last.end, comment.start) : ''
    if (last?.type === 'Line' && comment.type === 'Line' && /^\n[ \t]*$/.test(between))
      joined[joined.length - 1] = { ...last, value: `${last.value} ${comment.value}`, end: comment.end }
    else joined.push(comment)
  }
  return joined
    .map((comment) => ({ at: placeOf(name, text, comment.start), text: plainComment(comment.value) }))
    .filter(
      (sample) => /[a-z] [a-z]/i.test(sample.text) && !/biome-ignore|^!|^\/ <reference/.test(sample.text),
    )
}

/** Returns the text of a comment without asterisks and JSDoc types. @param {string} value */
const plainComment = (value) =>
  oneLine(
    value
      .replace(/^[ \t]*\*/gm, '')
      .replace(/@(?:type|typedef|param|returns|template|satisfies|throws)\b[\s\S]*$/, ''),
  )

/** @param {string} text */
const oneLine = (text) => text.replace(/\s+/g, ' ').trim()

/** @param {Source} source @returns {Sample[]} */
function exportsOf({ name, text, program }) {
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return []
    const { declaration } = statement
    const [firstLine = ''] = text.slice(declaration.start, declaration.end).split('\n')
    return [{ at: name, text: `\`${firstLine.slice(0, 120)}\`` }]
  })
}

/** @param {Source} source @returns {Sample[]} */
function titlesOf({ name, text, program }) {
  /** @type {Sample[]} */
  const titles = []
  /** @type {string[]} */
  const groupsAround = []
  new Visitor({
    CallExpression(call) {
      const title = titleOf(call, text)
      if (title === null) return
      if (isTest(call, 'describe')) groupsAround.push(title)
      else titles.push({ at: placeOf(name, text, call.start), text: [...groupsAround, title].join(' › ') })
    },
    'CallExpression:exit'(call) {
      if (titleOf(call, text) !== null && isTest(call, 'describe')) groupsAround.pop()
    },
  }).visit(program)
  return titles
}

/** @param {any} call @param {string} text */
function titleOf({ callee, arguments: [first] }, text) {
  const isTitled = isTest({ callee }, 'it') || isTest({ callee }, 'test') || isTest({ callee }, 'describe')
  if (!isTitled || !/^(?:Literal|TemplateLiteral)$/.test(first?.type ?? '')) return null
  return oneLine(text.slice(first.start + 1, first.end - 1)).replace(/^(?:\[[^\]]+\] )+/, '')
}

/** Checks whether a call is `it(…)`, `it.skipIf(…)(…)` or `it.each(…)(…)`. @param {any} call @param {string} name */
function isTest({ callee }, name) {
  for (let node = callee; node; node = node.callee ?? node.object ?? node.tag)
    if (node.type === 'Identifier') return node.name === name
  return false
}

/** Returns the English texts of phrase tables, `{ en: { key: 'text' } }`. @param {Source} source @returns {Sample[]} */
function englishTextsOf({ name, text, program }) {
  /** @type {Sample[]} */
  const texts = []
  let depth = 0
  /** @param {any} property */
  const isEnglish = ({ key, value }) => key?.name === 'en' && value?.type === 'ObjectExpression'
  new Visitor({
    Property(property) {
      if (isEnglish(property)) depth++
    },
    'Property:exit'(property) {
      if (isEnglish(property)) depth--
      else if (depth > 0 && /^(?:Literal|TemplateLiteral)$/.test(property.value.type)) {
        const { start, end } = property.value
        texts.push({ at: placeOf(name, text, start), text: oneLine(text.slice(start + 1, end - 1)) })
      }
    },
  }).visit(program)
  return texts
}

const documents = () => trackedFiles().filter((name) => /^(?:README|CONTRIBUTING|docs\/.*)\.md$/.test(name))

/**
 * Returns the paragraphs of a document, excluding headings, lists, tables and code.
 *
 * @param {string} name
 * @returns {Sample[]}
 */
function paragraphsOf(name) {
  const text = readFileSync(path.join(root, name), 'utf8')
  const withoutCode = text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '))
  return [...withoutCode.matchAll(/(?<=^|\n\n)(?!\[[^\]]+\]: )[A-Z`*[][\s\S]*?(?=\n\n|\n*$)/g)]
    .map(({ 0: paragraph, index }) => ({ at: placeOf(name, text, index), text: oneLine(paragraph) }))
    .filter((sample) => sample.text.split(' ').length >= MIN_WORDS)
}

/** @param {string} name @param {string} text @param {number} offset */
const placeOf = (name, text, offset) => `${name}:${text.slice(0, offset).split('\n').length}`
