/**
 * `npm run release` writes a release to build/release: an archive with the sources and the build of the current commit,
 * a bill of materials, and their checksums. Everybody who runs it for the same commit gets the same bytes, so a release
 * can be checked by building it again (docs/operations/upgrading.md).
 */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildIfStale, OUTPUTS, STAMP } from './build.mjs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'
import { createBillOfMaterials } from './sbom.mjs'

const FOLDER = path.join(root, 'build/release')

const USAGE = `
Usage: npm run release -- [options]

  --fixture FOLDER     Write the Worker and the migrations of the built clone in FOLDER to
                       tests/operations/releases, instead of a release
  --help               Show this help
`

/** @param {string[]} args */
export async function releaseCommand(args) {
  const values = parseOptions(args)
  if (values instanceof Error) return fail(`${values.message}\n${USAGE}`)
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const problem = await findTarProblem()
  if (problem) return fail(problem)
  return values.fixture === undefined ? writeRelease() : writeFixture(path.resolve(values.fixture))
}

/** @param {string[]} args */
function parseOptions(args) {
  try {
    return parseArgs({ args, options: { fixture: { type: 'string' }, help: { type: 'boolean' } } }).values
  } catch (error) {
    return /** @type {Error} */ (error)
  }
}

/** Returns the reason why tar cannot create the archive, or null. Only GNU tar can sort files and set their owner. */
async function findTarProblem() {
  const { code, stdout } = await runProgram('tar', ['--version'], { show: 'never' })
  return code === 0 && stdout.includes('GNU tar')
    ? null
    : 'A release needs GNU tar, but "tar" is another program or missing. Install GNU tar, and put it first in PATH as "tar".'
}

async function writeRelease() {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const problem = findVersionProblem(version, readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'))
  if (problem) return fail(problem)
  const status = await git(['status', '--porcelain', '--untracked-files=normal'])
  if (status === null) return fail('A release is made from a commit. Run this in a clone of the repository.')
  if (status !== '')
    return fail(`A release is made from a commit. Commit or remove these files first:\n${status}`)
  const time = Number(await git(['log', '-1', '--format=%ct']))

  // Whatever else lies in these folders must not become part of a release.
  for (const output of [STAMP, ...OUTPUTS]) rmSync(path.join(root, output), { recursive: true, force: true })
  if (!(await buildIfStale())) return 1
  const bill = await createBillOfMaterials()
  if (!bill)
    return fail("npm couldn't create a bill of materials. Run `npm sbom --package-lock-only` to see why.")

  const name = `vestibule-${version}`
  const staged = path.join(FOLDER, name)
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true })
  const sources = path.join(FOLDER, 'sources.tar')
  const isArchived = (await git(['archive', `--output=${sources}`, 'HEAD'])) !== null
  if (!isArchived || !(await tar(['--extract', `--file=${sources}`, `--directory=${staged}`]))) return 1
  rmSync(sources)
  for (const output of [...OUTPUTS, STAMP])
    cpSync(path.join(root, output), path.join(staged, output), { recursive: true })
  const archive = await packFolder(staged, time)
  if (!archive) return 1
  rmSync(staged, { recursive: true })

  const files = new Map([
    [`${name}.tar.gz`, gzipSync(archive, { level: 9 })],
    [`${name}.cdx.json`, Buffer.from(`${JSON.stringify(withCommitTime(bill, time), null, 2)}\n`)],
  ])
  files.set('SHA256SUMS', Buffer.from(formatChecksums(files)))
  for (const [file, content] of files) writeFileSync(path.join(FOLDER, file), content)
  console.log(`We wrote ${[...files.keys()].join(', ')} to build/release.`)
  return 0
}

/**
 * Writes the Worker and the migrations of a built clone to tests/operations/releases, where a test runs them beside the
 * current code (spec/storage#migrations).
 *
 * @param {string} clone the folder of a clone in which `npm run build` has run
 */
async function writeFixture(clone) {
  const { version } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'))
  const staged = path.join(FOLDER, version)
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true })
  for (const name of ['build/worker', 'migrations', 'wrangler.toml', 'package.json'])
    cpSync(path.join(clone, name), path.join(staged, name), {
      recursive: true,
      filter: (file) => !/\.map$|bundle-meta\.json$|\/meta$/.test(file),
    })
  const archive = await packFolder(staged, 0)
  if (!archive) return 1
  rmSync(staged, { recursive: true })
  const file = `tests/operations/releases/${version}.tar.br`
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: archive.length }
  writeFileSync(path.join(root, file), brotliCompressSync(archive, { params }))
  console.log(`We wrote ${file}.`)
  return 0
}

/**
 * Returns the reason why a version cannot be released, or null. CHANGELOG.md must say when it was released and what has
 * changed.
 *
 * @param {string} version
 * @param {string} changelog the content of CHANGELOG.md
 */
export function findVersionProblem(version, changelog) {
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version} `))
  if (!heading) return `CHANGELOG.md has no section for ${version}, the version in package.json.`
  return /^## [\w.-]+ - \d{4}-\d\d-\d\d$/.test(heading)
    ? null
    : `The section for ${version} in CHANGELOG.md has no date. Its heading must read "## ${version} - YYYY-MM-DD".`
}

/**
 * Packs a folder into a tar archive that depends only on the names, contents and permissions of the files:
 * they are sorted, belong to nobody, and have the same time. Returns null if tar fails.
 *
 * @param {string} folder
 * @param {number} time in seconds since the epoch
 */
export async function packFolder(folder, time) {
  const file = `${folder}.tar`
  const isPacked = await tar([
    '--create',
    `--file=${file}`,
    `--directory=${path.dirname(folder)}`,
    '--format=ustar',
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    // The umask of whoever makes the release decides about the other permissions.
    '--mode=u=rwX,go=rX',
    path.basename(folder),
  ])
  if (!isPacked) return null
  const packed = readFileSync(file)
  rmSync(file)
  return packed
}

/**
 * Replaces the time in a bill of materials, and removes what else differs between runs or machines: its random number
 * and the version of npm.
 *
 * @param {NonNullable<Awaited<ReturnType<typeof createBillOfMaterials>>>} bill
 * @param {number} time in seconds since the epoch
 */
export function withCommitTime({ serialNumber: _, ...bill }, time) {
  const { tools: _tools, ...metadata } = bill.metadata
  return { ...bill, metadata: { ...metadata, timestamp: new Date(time * 1000).toISOString() } }
}

/** Formats checksums for `sha256sum --check`. @param {ReadonlyMap<string, Buffer>} files */
export function formatChecksums(files) {
  const lines = [...files].map(
    ([file, content]) => `${createHash('sha256').update(content).digest('hex')}  ${file}\n`,
  )
  return lines.join('')
}

/** The line endings and attributes of one person must not change the archive. */
const NO_PERSONAL_SETTINGS = ['core.autocrlf=false', 'core.eol=lf', 'core.attributesFile=/dev/null'].flatMap(
  (setting) => ['-c', setting],
)

/** Runs git and returns its output, or null if it fails. @param {string[]} args */
async function git(args) {
  const { code, stdout } = await runProgram('git', [...NO_PERSONAL_SETTINGS, ...args], { show: 'never' })
  return code === 0 ? stdout.trim() : null
}

/** @param {string[]} args */
async function tar(args) {
  const { code } = await runProgram('tar', args, { show: 'onFailure', env: { TAR_OPTIONS: '' } })
  return code === 0
}

/** @param {string} problem */
function fail(problem) {
  console.error(problem)
  return 1
}
