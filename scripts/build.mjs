/**
 * Builds everything that a deployment uploads: the WebAssembly modules (build/wasm), zod in English only (build/zod), a
 * list of common passwords, the browser files of the sign-in pages and the console (build/client), and the Worker
 * (build/worker).
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { computeFingerprint } from './fingerprint.mjs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'
import { bundleWorker } from './worker-bundle.mjs'

const MINUTE = 60_000

/** The folder that contains the file named by `main` in wrangler.toml. */
export const WORKER_FOLDER = 'build/worker'

const INPUTS = [
  'client',
  'console',
  'samples',
  'locales',
  'src',
  'vite.config.ts',
  // The Worker contains the version.
  'package.json',
  'package-lock.json',
  'scripts/extract-wasm.mjs',
  'scripts/argon2-module.mjs',
  'scripts/zod-without-languages.mjs',
  'scripts/common-passwords.mjs',
  'scripts/worker-bundle.mjs',
  'scripts/vite-base.ts',
  'scripts/build.mjs',
]
export const OUTPUTS = [
  'build/wasm',
  'build/zod',
  'build/common-passwords.json',
  'build/client',
  WORKER_FOLDER,
]
/** The file with the fingerprint of the inputs, by which a clone or an unpacked release knows that it is built. */
export const STAMP = 'build/.built-from'
const stampFile = path.join(root, STAMP)

/** Runs `npm run build`. */
export async function buildCommand() {
  return (await buildIfStale()) ? 0 : 1
}

/**
 * Builds everything, unless the inputs are unchanged since the last build.
 *
 * @returns {Promise<boolean>} whether the build is complete
 */
export async function buildIfStale() {
  const inputs = computeFingerprint(root, INPUTS)
  const hasOutputs = OUTPUTS.every((folder) => existsSync(path.join(root, folder)))
  if (hasOutputs && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === inputs) return true

  console.log('Building…')
  rmSync(stampFile, { force: true })
  const steps = [
    { program: 'node', args: ['scripts/extract-wasm.mjs'] },
    { program: 'node', args: ['scripts/zod-without-languages.mjs'] },
    { program: 'node', args: ['scripts/common-passwords.mjs'] },
    { program: 'vite', args: ['build', '--logLevel', 'warn'] },
    // Build the console last, because the previous step empties the folder.
    { program: 'vite', args: ['build', '--logLevel', 'warn', '--config', 'console/vite.config.ts'] },
  ]
  for (const { program, args } of steps) {
    const { code } = await runProgram(program, args, { show: 'onFailure', timeLimit: 5 * MINUTE })
    if (code !== 0) {
      console.error(`\nThe build failed: "${program} ${args.join(' ')}" exited with code ${code}.`)
      return false
    }
  }
  try {
    await bundleWorker({ entry: 'src/worker.ts', folder: path.join(root, WORKER_FOLDER) })
  } catch {
    console.error("\nThe build failed: we couldn't bundle the Worker. The message above says why.")
    return false
  }
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, inputs)
  return true
}
