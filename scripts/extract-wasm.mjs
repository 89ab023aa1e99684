/**
 * Workers refuse to compile WebAssembly from bytes, and hash-wasm contains its modules as base64. This writes the modules
 * into `build/wasm` as files that the bundler ships, an index of them, and a copy of hash-wasm with the name of each module in
 * place of its bytes; `src/storage/shipped-modules.ts` resolves the names. Matching by bytes would ship every module twice:
 * 29 kB more after compression. Argon2 comes from another package.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { argon2Module } from './argon2-module.mjs'
import { root } from './root.mjs'
import { writeChanged } from './write-changed.mjs'

/** Modules for the formats of imported hashes (scrypt uses sha256). */
const NEEDED = ['bcrypt', 'scrypt', 'sha256', 'sha512']
const EMBEDDED = /(var name\S* = "(?<name>\w+)";\s*var data\S* = )"(?<base64>[^"]+)"/g

const require = createRequire(import.meta.url)
const source = readFileSync(path.join(path.dirname(require.resolve('hash-wasm')), 'index.esm.js'), 'utf8')
const embedded = new Map([...source.matchAll(EMBEDDED)].map(({ groups }) => [groups?.name, groups?.base64]))

const folder = path.join(root, 'build/wasm')
writeChanged(path.join(folder, 'argon2.wasm'), argon2Module())
for (const name of NEEDED) writeChanged(path.join(folder, `${name}.wasm`), moduleOf(name))
const imports = NEEDED.map((name) => `import ${name} from './${name}.wasm'\n`).join('')
writeChanged(path.join(folder, 'index.js'), `${imports}\nexport default { ${NEEDED.join(', ')} }\n`)
writeChanged(
  path.join(folder, 'hash-wasm.js'),
  source.replaceAll(EMBEDDED, (_, before, name) => `${before}"${Buffer.from(name).toString('base64')}"`),
)
writeChanged(path.join(folder, 'hash-wasm.d.ts'), "export * from 'hash-wasm'\n")

/** @param {string} name */
function moduleOf(name) {
  const bytes = Buffer.from(embedded.get(name) ?? '', 'base64')
  if (!WebAssembly.validate(bytes)) throw new Error(`hash-wasm has no module "${name}" at the expected place`)
  return bytes
}
