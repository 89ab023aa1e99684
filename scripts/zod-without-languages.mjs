/**
 * Writes zod's two index files without the parts that the Worker does not need to `build/zod`, which
 * scripts/worker-bundle.mjs uses in place of zod. Types and tests use zod itself. `@hono/zod-openapi` imports all of
 * zod with `z.locales`, so error messages in 48 languages would add 40 kB to the Worker; we don't use them, because
 * our errors have their own messages. Nor do we use schemas that are read from JSON Schema (4 kB) or compiled to code
 * (30 kB), which Workers forbid.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { root } from './root.mjs'
import { writeIfChanged } from './write-changed.mjs'

const LOCALES = 'export * as locales from "../locales/index.js";\n'
const FROM_JSON_SCHEMA = 'export { fromJSONSchema } from "./from-json-schema.js";\n'
const COMPILER = 'export * from "./compile.js";\n'
/** The names that zod's classic index exports from the compiler. */
const COMPILER_NAMES = [
  ' INVALID,',
  ' compile, withParser, ZodCompileAsyncError, ZodCompileUnsupportedError,',
]

const folder = path.join(root, 'build/zod')
const zod = path.dirname(createRequire(import.meta.url).resolve('zod/package.json'))

writeIfChanged(path.join(folder, 'index.js'), withOwnIndexes(read('index.js'), ''))
writeIfChanged(
  path.join(folder, 'external.js'),
  withOwnIndexes(
    without('v4/classic/external.js', [LOCALES, FROM_JSON_SCHEMA, ...COMPILER_NAMES]),
    'v4/classic',
  ),
)
writeIfChanged(
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
      throw new Error(`zod/${file} does not contain this part exactly once: ${part}`)
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
  return code.replaceAll(/ from "(\.[^"]+)"/g, (_, specifier) => {
    const file = path.posix.join(from, specifier)
    return ` from "${own.get(file) ?? path.relative(folder, path.join(zod, file))}"`
  })
}
