/**
 * zod's error messages in 48 languages would be 40 kB of the Worker, because `@hono/zod-openapi` imports zod as a whole with
 * `z.locales`. They are not used: refusals have messages of the product. Nor are schemas read from JSON Schema (4 kB) or
 * compiled to code (30 kB), which Workers forbid. This writes zod's two index files without them into `build/zod`, which
 * scripts/worker-bundle.mjs uses in place of zod. Types and tests use zod itself.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { root } from './root.mjs'
import { writeChanged } from './write-changed.mjs'

const LOCALES = 'export * as locales from "../locales/index.js";\n'
const FROM_JSON_SCHEMA = 'export { fromJSONSchema } from "./from-json-schema.js";\n'
const COMPILER = 'export * from "./compile.js";\n'
/** The names by which the classic index exports it. */
const COMPILER_NAMES = [
  ' INVALID,',
  ' compile, withParser, ZodCompileAsyncError, ZodCompileUnsupportedError,',
]

const folder = path.join(root, 'build/zod')
const zod = path.dirname(createRequire(import.meta.url).resolve('zod/package.json'))

writeChanged(path.join(folder, 'index.js'), withOwnIndexes(read('index.js'), ''))
writeChanged(
  path.join(folder, 'external.js'),
  withOwnIndexes(
    without('v4/classic/external.js', [LOCALES, FROM_JSON_SCHEMA, ...COMPILER_NAMES]),
    'v4/classic',
  ),
)
writeChanged(
  path.join(folder, 'core.js'),
  withOwnIndexes(without('v4/core/index.js', [LOCALES, COMPILER]), 'v4/core'),
)

/** @param {string} file */
function read(file) {
  return readFileSync(path.join(zod, file), 'utf8')
}

/**
 * @param {string} file
 * @param {string[]} parts
 */
function without(file, parts) {
  return parts.reduce((code, part) => {
    const [before, after, ...more] = code.split(part)
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`zod/${file} does not have exactly once: ${part}`)
    return before + after
  }, read(file))
}

/**
 * @param {string} code
 * @param {string} from the folder of the original file
 */
function withOwnIndexes(code, from) {
  const own = new Map([
    ['v4/classic/external.js', './external.js'],
    ['v4/core/index.js', './core.js'],
  ])
  return code.replaceAll(/ from "(\.[^"]+)"/g, (_, address) => {
    const file = path.posix.join(from, address)
    return ` from "${own.get(file) ?? path.relative(folder, path.join(zod, file))}"`
  })
}
