/**
 * `npm run sbom` writes a bill of materials of the shipped packages to build/sbom.cdx.json, in the CycloneDX format.
 * npm creates it from package-lock.json without network access.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'
import { readLockedPackages } from './shipped.mjs'

const SBOM_FILE = `${root}build/sbom.cdx.json`

export async function sbomCommand() {
  const bill = await createBillOfMaterials()
  if (!bill) {
    console.error("npm couldn't create a bill of materials. Run `npm sbom --package-lock-only` to see why.")
    return 1
  }
  mkdirSync(`${root}build`, { recursive: true })
  writeFileSync(SBOM_FILE, `${JSON.stringify(bill, null, 2)}\n`)
  console.log(
    `${bill.components.length} packages ship. We wrote the bill of materials to build/sbom.cdx.json.`,
  )
  return 0
}

/** @returns {Promise<{ serialNumber?: string, metadata: any, components: any[], dependencies: any[] } | null>} */
export async function createBillOfMaterials() {
  const result = await runProgram(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--include=dev'],
    {
      cwd: root,
      show: 'never',
    },
  )
  if (result.code !== 0) return null
  const bill = JSON.parse(jsonIn(result.stdout))
  const { name } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  // Don't use npm's `--omit=dev`, because it also omits shipped packages that a development tool depends on.
  const ships = new Set(readLockedPackages().flatMap((entry) => (entry.ships ? [nameAndVersion(entry)] : [])))
  const components = bill.components.filter((/** @type {Part} */ part) => ships.has(nameAndVersion(part)))
  const refs = new Set([bill.metadata.component, ...components].map((part) => part['bom-ref']))
  return {
    ...bill,
    // Without this, npm uses the name of the folder.
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name } },
    components: components.map((/** @type {Part} */ part) => ({ ...part, scope: 'required' })),
    dependencies: bill.dependencies.flatMap((/** @type {Needs} */ { ref, dependsOn = [] }) =>
      refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }] : [],
    ),
  }
}

/** @typedef {{ name: string, version: string }} Part */
/** @typedef {{ ref: string, dependsOn?: string[] }} Needs */

/** @param {Part} part */
const nameAndVersion = ({ name, version }) => `${name}@${version}`

/** Skips the warnings that npm may print before the JSON. @param {string} text */
const jsonIn = (text) => text.slice(text.indexOf('{'))
