/**
 * Extracts the WebAssembly modules of hash-wasm, which contains them as base64, because Workers do not compile
 * WebAssembly from bytes. This script writes the modules to `build/wasm` as files for the bundler, an index of them,
 * and a copy of hash-wasm in which the name of each module replaces its bytes; `src/storage/shipped-modules.ts`
 * resolves the names. Identifying modules by their bytes instead would ship each of them twice, which adds 29 kB after
 * compression. Argon2 comes from another package.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { loadArgon2Module } from './argon2-module.mjs'
import { root } from './root.mjs'
import { writeIfChanged } from './write-changed.mjs'

/** The modules for the hash formats that can be imported (scrypt uses sha256). */
const NEEDED = ['bcrypt', 'scrypt', 'sha256', 'sha512']
const EMBEDDED = /(var name\S* = "(?<name>\w+)";\s*var data\S* = )"(?<base64>[^"]+)"/g

const require = createRequire(import.meta.url)
const source = readFileSync(path.join(path.dirname(require.resolve('hash-wasm')), 'index.esm.js'), 'utf8')
const embedded = new Map([...source.matchAll(EMBEDDED)].map(({ groups }) => [groups?.name, groups?.base64]))

const folder = path.join(root, 'build/wasm')
writeIfChanged(path.join(folder, 'argon2.wasm'), loadArgon2Module())
for (const name of NEEDED) writeIfChanged(path.join(folder, `${name}.wasm`), readModule(name))
const imports = NEEDED.map((name) => `import ${name} from './${name}.wasm'\n`).join('')
writeIfChanged(path.join(folder, 'index.js'), `${imports}\nexport default { ${NEEDED.join(', ')} }\n`)
writeIfChanged(
  path.join(folder, 'hash-wasm.js'),
  source.replaceAll(EMBEDDED, (_, before, name) => `${before}"${Buffer.from(name).toString('base64')}"`),
)
writeIfChanged(path.join(folder, 'hash-wasm.d.ts'), "export * from 'hash-wasm'\n")

/** @param {string} name */
function readModule(name) {
  const bytes = Buffer.from(embedded.get(name) ?? '', 'base64')
  if (!WebAssembly.validate(bytes))
    throw new Error(`We found no valid module "${name}" in hash-wasm at the expected place`)
  return bytes
}
