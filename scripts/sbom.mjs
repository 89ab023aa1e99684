/**
 * `npm run sbom`: a bill of materials of what ships, as CycloneDX, into build/sbom.cdx.json. npm draws it up from
 * package-lock.json; nothing is asked of the network.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { run } from './processes.mjs'
import { root } from './root.mjs'
import { lockedPackages } from './shipped.mjs'

export const SBOM_FILE = `${root}build/sbom.cdx.json`

export async function sbom() {
  const bill = await drawUp()
  if (!bill) {
    console.error('npm could not draw up a bill of materials; `npm sbom --package-lock-only` says why.')
    return 1
  }
  mkdirSync(`${root}build`, { recursive: true })
  writeFileSync(SBOM_FILE, `${JSON.stringify(bill, null, 2)}\n`)
  console.log(`${bill.components.length} packages ship: build/sbom.cdx.json`)
  return 0
}

/** @returns {Promise<{ metadata: any, components: any[], dependencies: any[] } | null>} */
export async function drawUp() {
  const answer = await run('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    show: 'never',
  })
  if (answer.code !== 0) return null
  const bill = JSON.parse(jsonIn(answer.stdout))
  const { name } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  // Not by npm's own `--omit=dev`, which leaves out whatever a tool of ours needs as well: the lock knows better.
  const ships = new Set(lockedPackages().flatMap((entry) => (entry.ships ? [named(entry)] : [])))
  const components = bill.components.filter((/** @type {Part} */ part) => ships.has(named(part)))
  const refs = new Set([bill.metadata.component, ...components].map((part) => part['bom-ref']))
  return {
    ...bill,
    // npm says the name of the folder.
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
const named = ({ name, version }) => `${name}@${version}`

/** Before it npm may warn of the settings of its user. @param {string} text */
const jsonIn = (text) => text.slice(text.indexOf('{'))
