/**
 * zod's error messages in 48 languages are 40 kB of the Worker, because `@hono/zod-openapi` takes zod as a whole, and with it
 * `z.locales`. Nobody reads them: refusals have texts of our own. This writes zod's two indexes without them into `build/zod`;
 * wrangler.toml puts that in zod's place. Types and tests have zod as it is.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { root } from './root.mjs'

const folder = path.join(root, 'build/zod')
const zod = path.dirname(createRequire(import.meta.url).resolve('zod/package.json'))

mkdirSync(folder, { recursive: true })
writeFileSync(path.join(folder, 'index.js'), withOwnIndexes(read('index.js'), ''))
writeFileSync(
  path.join(folder, 'external.js'),
  withOwnIndexes(withoutLocales('v4/classic/external.js'), 'v4/classic'),
)
writeFileSync(path.join(folder, 'core.js'), withOwnIndexes(withoutLocales('v4/core/index.js'), 'v4/core'))

/** @param {string} file */
function read(file) {
  return readFileSync(path.join(zod, file), 'utf8')
}

/** @param {string} file */
function withoutLocales(file) {
  const [before, after, ...more] = read(file).split('export * as locales from "../locales/index.js";\n')
  if (after === undefined || more.length > 0)
    throw new Error(`zod/${file} has no locales where it used to have them`)
  return before + after
}

/**
 * @param {string} code
 * @param {string} from the folder it stood in
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
