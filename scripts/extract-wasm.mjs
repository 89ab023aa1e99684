/**
 * workerd compiles no WebAssembly at run time, and hash-wasm brings its modules as base64 inside JavaScript.
 * This takes them apart, into `build/wasm`: the modules as files, which wrangler ships as modules; an index of them;
 * and hash-wasm itself with the name of each module in the place of its bytes, by which
 * `src/storage/shipped-modules.ts` knows what it asks for. No byte is shipped twice. Argon2 comes from elsewhere.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { argon2Module } from './argon2-module.mjs'
import { root } from './root.mjs'

/** What imported hashes need, directly or inside (scrypt uses sha256). */
const NEEDED = ['bcrypt', 'scrypt', 'sha256', 'sha512']
const CARRIED = /(var name\S* = "(?<name>\w+)";\s*var data\S* = )"(?<base64>[^"]+)"/g

const require = createRequire(import.meta.url)
const source = readFileSync(path.join(path.dirname(require.resolve('hash-wasm')), 'index.esm.js'), 'utf8')
const carried = new Map([...source.matchAll(CARRIED)].map(({ groups }) => [groups?.name, groups?.base64]))

const folder = path.join(root, 'build/wasm')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
writeFileSync(path.join(folder, 'argon2.wasm'), argon2Module())
for (const name of NEEDED) writeFileSync(path.join(folder, `${name}.wasm`), moduleOf(name))
const imports = NEEDED.map((name) => `import ${name} from './${name}.wasm'\n`).join('')
writeFileSync(path.join(folder, 'index.js'), `${imports}\nexport default { ${NEEDED.join(', ')} }\n`)
writeFileSync(
  path.join(folder, 'hash-wasm.js'),
  source.replaceAll(CARRIED, (_, before, name) => `${before}"${Buffer.from(name).toString('base64')}"`),
)
writeFileSync(path.join(folder, 'hash-wasm.d.ts'), "export * from 'hash-wasm'\n")

/** @param {string} name */
function moduleOf(name) {
  const bytes = Buffer.from(carried.get(name) ?? '', 'base64')
  if (!WebAssembly.validate(bytes))
    throw new Error(`hash-wasm has no module "${name}" where it used to have it`)
  return bytes
}
