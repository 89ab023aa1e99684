import { describe, expect, it } from 'vitest'
import { checkAdvisories, chooseExitCode } from '../../../scripts/audit.mjs'
import { createBillOfMaterials } from '../../../scripts/sbom.mjs'
import { readLockedPackages } from '../../../scripts/shipped.mjs'

type Component = {
  name: string
  version: string
  hashes?: { alg: string; content: string }[]
  licenses?: { license: { id?: string } }[]
}

const shipped = readLockedPackages().filter(({ ships }) => ships)
const named = ({ name, version }: { name: string; version: string }) => `${name}@${version}`

/** Licences that allow anyone to use, change and sell the software, provided that its authors are named. */
const permissive = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'BlueOak-1.0.0',
]

describe('every production dependency', () => {
  it('[ASVS-15.2.4] is locked by a hash of its content', () => {
    expect(shipped.length).toBeGreaterThan(50)
    const unlocked = shipped.filter(({ integrity }) => !integrity?.startsWith('sha512-'))
    expect(unlocked.map(named)).toEqual([])
  })

  it('has a permissive licence', () => {
    const others = shipped.filter(({ license = 'none' }) => !permissive.includes(license))
    expect(others.map((entry) => `${named(entry)}: ${entry.license}`)).toEqual([])
  })

  it('[ASVS-15.2.1-2] is not deprecated', () => {
    expect(shipped.filter(({ deprecated }) => deprecated).map(named)).toEqual([])
  })

  it('[ASVS-15.2.4-2] has its exact version in package.json', async () => {
    const { default: manifest } = await import('../../../package.json')
    const named = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  })
})

describe('the bill of materials', () => {
  it('[ASVS-15.1.2] is a CycloneDX document that lists the version, licence and hash of every package', {
    timeout: 60_000,
  }, async () => {
    const bill = await createBillOfMaterials()
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'vestibule' } } })
    const components: Component[] = bill?.components ?? []
    expect(components.map(named).sort()).toEqual([...new Set(shipped.map(named))].sort())
    for (const component of components) {
      expect([named(component), component.hashes?.[0]?.alg]).toEqual([named(component), 'SHA-512'])
      expect([named(component), permissive.includes(component.licenses?.[0]?.license.id ?? '')]).toEqual([
        named(component),
        true,
      ])
    }
  })
})

describe('npm run audit', () => {
  const clean = { vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } }
  const vulnerable = {
    vulnerabilities: { hono: { name: 'hono', severity: 'high', range: '<4.0.0' } },
    metadata: { vulnerabilities: { total: 1 } },
  }

  it.each([
    { what: 'a clean report', answer: JSON.stringify(clean), state: 'clean', code: 0 },
    { what: 'a report with one vulnerability', answer: JSON.stringify(vulnerable), state: 'found', code: 1 },
    {
      what: 'a service that rejects the request',
      answer: '{"message":"405 Method Not Allowed","statusCode":405}',
      state: 'unknown',
      code: 2,
    },
    {
      what: 'an unavailable network',
      answer: '{"error":{"code":"ENOTFOUND","summary":"getaddrinfo"}}',
      state: 'unknown',
      code: 2,
    },
    { what: 'an empty response', answer: '', state: 'unknown', code: 2 },
    { what: 'an unexpected response', answer: '<html>', state: 'unknown', code: 2 },
  ])('[ASVS-15.2.1] exits with code $code for $what', ({ answer, state, code }) => {
    const checked = checkAdvisories(answer)
    expect(checked.state).toBe(state)
    expect(chooseExitCode(checked.state, false)).toBe(code)
    if (state === 'unknown') expect(checked.text).toMatch(/^UNKNOWN: .*Nothing was checked\.$/)
  })

  it('exits with code 1 for deprecated packages, even if the advisory service does not respond', () => {
    expect(chooseExitCode('clean', true)).toBe(1)
    expect(chooseExitCode('unknown', true)).toBe(1)
  })
})
