/**
 * Moves the files of one step of `scripts/chapters.json` to their chapters (ADR-0158), rewrites the imports of all files and the paths
 * that texts mention. It may be run again: what has been moved stays. Removed once the move has landed.
 *
 *     node scripts/move-to-chapters.mjs contract
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isImportTypeNode, isLiteralTypeNode, isStringLiteral, SyntaxKind } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import { root } from './root.mjs'

const EXTENSION = /(?:\.(?:test|property\.test|schema|d))?\.(?:tsx?|mjs|cjs|js|json|css|txt)$/
const TEXT = /\.(?:tsx?|mjs|cjs|js|jsonc?|md|toml|ya?ml|html|css|svg|txt)$|^[^.]+$/
/** Texts that name former paths on purpose, or that no person has written. */
const NOT_REWRITTEN = /^(?:package-lock\.json|migrations\/|scripts\/(?:chapters\.json|move-to-chapters\.mjs))/

const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })

/** @type {{ folders: Record<string, string>, steps: Record<string, Record<string, Record<string, string[]>>> }} */
const map = JSON.parse(readFileSync(path.join(root, 'scripts/chapters.json'), 'utf8'))
const step = map.steps[process.argv[2] ?? '']
if (!step) throw new Error(`name a step: ${Object.keys(map.steps).join(', ')}`)

const files = git('ls-files').split('\n').filter(Boolean)
const moves = readMoves(step)
const folders = Object.entries(map.folders).filter(([folder]) => [...moves.keys()].some(isBelow(folder)))
const specifiers = readSpecifiers()
for (const [from, to] of moves) {
  mkdirSync(path.join(root, path.dirname(to)), { recursive: true })
  git('mv', from, to)
}
rewriteImports(specifiers)
rewriteMentions()
execFileSync('npx', ['biome', 'check', '--write', '--log-level=warn', '.'], { cwd: root, stdio: 'inherit' })

/**
 * From where to where, for the files that are not there yet.
 * @param {Record<string, Record<string, string[]>>} sources by folder, then by target folder
 */
function readMoves(sources) {
  /** @type {Map<string, string>} */
  const wanted = new Map()
  for (const [source, targets] of Object.entries(sources))
    for (const [target, names] of Object.entries(targets))
      for (const name of names) wanted.set(`${source}/${name}`, `${target}/${name}`)
  const places = new Set(wanted.values())
  const unmapped = files.filter(
    (file) => path.dirname(file) in sources && !wanted.has(file) && !places.has(file),
  )
  if (unmapped.length > 0) throw new Error(`not in the map:\n${unmapped.join('\n')}`)

  const left = [...wanted].filter(([from, to]) => from !== to && files.includes(from))
  const taken = left.filter(([, to]) => files.includes(to))
  if (taken.length > 0) throw new Error(`there twice:\n${taken.join('\n')}`)
  return new Map(left)
}

/** The places in each source file where another file is named relative to it: `[begin, end, text]`, by file. */
function readSpecifiers() {
  const api = new API({ cwd: root })
  const config = path.join(root, 'tsconfig.json')
  const project = api.updateSnapshot({ openProject: config }).getProject(config)
  if (!project) throw new Error('tsconfig.json describes no project')
  /** @type {Map<string, [number, number, string][]>} */
  const all = new Map()
  for (const file of files) {
    const source = /\.(?:tsx?|mjs|js)$/.test(file)
      ? project.program.getSourceFile(path.join(root, file))
      : undefined
    if (!source) continue
    /** @type {[number, number, string][]} */
    const places = []
    const visit = (/** @type {import('typescript/unstable/ast').Node} */ node) => {
      const literal = specifierIn(node)
      if (literal && (literal.text.startsWith('.') || isUrl(node)))
        places.push([literal.getStart(source) + 1, literal.end - 1, literal.text])
      node.forEachChild(visit)
    }
    visit(source)
    all.set(file, places)
  }
  api.close()
  return all
}

/** The literal by which a node names a file: an import or export, `import()`, a type, `new URL()`, a glob. */
function specifierIn(/** @type {any} */ node) {
  switch (node.kind) {
    case SyntaxKind.ImportDeclaration:
    case SyntaxKind.ExportDeclaration:
      return node.moduleSpecifier && isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier : null
    case SyntaxKind.ImportType:
      return isImportTypeNode(node) &&
        isLiteralTypeNode(node.argument) &&
        isStringLiteral(node.argument.literal)
        ? node.argument.literal
        : null
    case SyntaxKind.NewExpression:
      return isUrl(node) ? node.arguments[0] : null
    case SyntaxKind.CallExpression: {
      const first = node.arguments[0]
      const takesFile = /^(?:import|import\.meta\.glob(?:<[^>]*>)?|vi\.\w+)$/.test(node.expression.getText())
      return first && takesFile && isStringLiteral(first) ? first : null
    }
    default:
      return null
  }
}

/** `new URL('…', import.meta.url)`. */
function isUrl(/** @type {any} */ node) {
  return (
    node.kind === SyntaxKind.NewExpression &&
    node.expression.getText() === 'URL' &&
    node.arguments?.[0]?.kind === SyntaxKind.StringLiteral &&
    node.arguments[1]?.getText() === 'import.meta.url'
  )
}

function rewriteImports(/** @type {Map<string, [number, number, string][]>} */ all) {
  for (const [file, places] of all) {
    const place = moves.get(file) ?? file
    let text = readFileSync(path.join(root, place), 'utf8')
    for (const [begin, end, specifier] of places.toReversed()) {
      const [name = '', query = ''] = specifier.split(/(?=\?)/)
      const target = path.join(path.dirname(file), name)
      if (!moves.has(target) && place === file) continue
      const relative = path.relative(path.dirname(place), moves.get(target) ?? target)
      const written = relative.startsWith('.') || !specifier.startsWith('.') ? relative : `./${relative}`
      text = text.slice(0, begin) + written + query + text.slice(end)
    }
    writeChanged(place, text)
  }
}

/** Paths in comments, documents, settings and texts of tests: from the root, from `src`, and with or without their extension. */
function rewriteMentions() {
  /** @type {Map<string, string>} */
  const names = new Map()
  const add = (/** @type {string} */ from, /** @type {string} */ to) => {
    names.set(from, to)
    if (from.startsWith('src/')) names.set(from.slice(4), to.slice(4))
  }
  for (const [from, to] of folders) {
    names.set(from, to)
    names.set(`${from}/`, `${to}/`)
  }
  for (const [from, to] of moves) names.set(from.replace(EXTENSION, ''), to.replace(EXTENSION, ''))
  for (const [from, to] of moves) add(from, to)

  for (const file of git('ls-files')
    .split('\n')
    .filter((file) => TEXT.test(file) && !NOT_REWRITTEN.test(file))) {
    if (!existsSync(path.join(root, file))) continue
    const text = readFileSync(path.join(root, file), 'utf8')
    const isCode = /\.(?:tsx?|mjs|js|css)$/.test(file)
    writeChanged(
      file,
      text.replaceAll(/(?<![\w./-])(?:[\w.-]+\/)+[\w.-]*/g, (mention) => {
        // Imports are rewritten already; `./src/` is from the root, as in settings.
        if (isCode && /^\.(?!\/(?:src|client|tests)\/)/.test(mention)) return mention
        const [, up = '', name = '', stop = ''] = /^((?:\.\.?\/)*)(.*?)(\.?)$/.exec(mention) ?? []
        const to = names.get(name)
        return to === undefined ? mention : up + to + stop
      }),
    )
  }
}

/** Writes a file if it has changed. */
function writeChanged(/** @type {string} */ file, /** @type {string} */ text) {
  const full = path.join(root, file)
  if (readFileSync(full, 'utf8') !== text) writeFileSync(full, text)
}

function isBelow(/** @type {string} */ folder) {
  return (/** @type {string} */ file) => file.startsWith(`${folder}/`)
}
