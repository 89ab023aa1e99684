import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { isInstalled, lockDisagreement, rememberInstalled } from '../../scripts/install.mjs'

type Dependencies = Record<string, string>

function checkout({ wanted, locked }: { wanted: Dependencies; locked: Dependencies }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-'))
  const write = (name: string, content: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(content))
  write('package.json', { devDependencies: wanted })
  write('package-lock.json', { packages: { '': { devDependencies: locked } } })
  mkdirSync(path.join(folder, 'node_modules'))
  return folder
}

describe('the installation of packages', () => {
  it('is needed until it is complete', () => {
    const folder = checkout({ wanted: { vite: '8.3.8' }, locked: { vite: '8.3.8' } })
    expect(isInstalled(folder)).toBe(false)
    rememberInstalled(folder)
    expect(isInstalled(folder)).toBe(true)
  })

  it('is needed again when the lock file changes', () => {
    const folder = checkout({ wanted: { vite: '8.3.8' }, locked: { vite: '8.3.8' } })
    rememberInstalled(folder)
    writeFileSync(path.join(folder, 'package-lock.json'), '{"packages":{}}')
    expect(isInstalled(folder)).toBe(false)
  })

  it('is needed again when node_modules is deleted', () => {
    const folder = checkout({ wanted: {}, locked: {} })
    rememberInstalled(folder)
    rmSync(path.join(folder, 'node_modules'), { recursive: true })
    expect(isInstalled(folder)).toBe(false)
  })

  it.each<{ wanted: Dependencies; locked: Dependencies; problem?: string }>([
    { wanted: { vite: '8.3.8' }, locked: { vite: '8.3.8' } },
    { wanted: { vite: '8.4.0' }, locked: { vite: '8.3.8' }, problem: 'disagree about "vite"' },
    { wanted: { vite: '8.3.8', ky: '2.1.0' }, locked: { vite: '8.3.8' }, problem: 'disagree about "ky"' },
    { wanted: {}, locked: { vite: '8.3.8' }, problem: 'disagree about "vite"' },
  ])('with package.json $wanted and lock file $locked reports: $problem', ({ wanted, locked, problem }) => {
    const problemFound = lockDisagreement(checkout({ wanted, locked }))
    if (problem) expect(problemFound).toContain(problem)
    else expect(problemFound).toBeUndefined()
  })
})
