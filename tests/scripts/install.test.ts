import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLockMismatch, isInstalled, markInstalled } from '../../scripts/install.mjs'

type Dependencies = Record<string, string>

function checkout({ declared, locked }: { declared: Dependencies; locked: Dependencies }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-'))
  const write = (name: string, content: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(content))
  write('package.json', { devDependencies: declared })
  write('package-lock.json', { packages: { '': { devDependencies: locked } } })
  mkdirSync(path.join(folder, 'node_modules'))
  return folder
}

describe('the package installation', () => {
  it('is required until it is complete', () => {
    const folder = checkout({ declared: { vite: '8.3.8' }, locked: { vite: '8.3.8' } })
    expect(isInstalled(folder)).toBe(false)
    markInstalled(folder)
    expect(isInstalled(folder)).toBe(true)
  })

  it('is required again after the lock file changes', () => {
    const folder = checkout({ declared: { vite: '8.3.8' }, locked: { vite: '8.3.8' } })
    markInstalled(folder)
    writeFileSync(path.join(folder, 'package-lock.json'), '{"packages":{}}')
    expect(isInstalled(folder)).toBe(false)
  })

  it('is required again after node_modules is deleted', () => {
    const folder = checkout({ declared: {}, locked: {} })
    markInstalled(folder)
    rmSync(path.join(folder, 'node_modules'), { recursive: true })
    expect(isInstalled(folder)).toBe(false)
  })

  it.each<{ declared: Dependencies; locked: Dependencies; problem?: string }>([
    { declared: { vite: '8.3.8' }, locked: { vite: '8.3.8' } },
    { declared: { vite: '8.4.0' }, locked: { vite: '8.3.8' }, problem: 'disagree about "vite"' },
    { declared: { vite: '8.3.8', ky: '2.1.0' }, locked: { vite: '8.3.8' }, problem: 'disagree about "ky"' },
    { declared: {}, locked: { vite: '8.3.8' }, problem: 'disagree about "vite"' },
  ])(
    'reports "$problem" if package.json contains $declared and the lock file $locked',
    ({ declared, locked, problem }) => {
      const reported = findLockMismatch(checkout({ declared, locked }))
      if (problem) expect(reported).toContain(problem)
      else expect(reported).toBeUndefined()
    },
  )
})
