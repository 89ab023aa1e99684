import { mkdirSync, mkdtempSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { computeFingerprint } from '../../scripts/fingerprint.mjs'

function folder() {
  const root = mkdtempSync(path.join(tmpdir(), 'vestibule-'))
  mkdirSync(path.join(root, 'src/deep'), { recursive: true })
  writeFileSync(path.join(root, 'src/deep/a.ts'), 'a')
  writeFileSync(path.join(root, 'one.json'), '1')
  return root
}
const of = (root: string) => computeFingerprint(root, ['src', 'one.json', 'absent'])

describe('the fingerprint of source files', () => {
  it('depends only on file contents, not on locations or modification times', () => {
    const [one, other] = [folder(), folder()]
    utimesSync(path.join(one, 'one.json'), 0, 0)
    expect(of(one)).toBe(of(other))
  })

  it.each<{ change: string; make: (root: string) => void }>([
    { change: 'a changed file', make: (root) => writeFileSync(path.join(root, 'src/deep/a.ts'), 'b') },
    { change: 'a new file', make: (root) => writeFileSync(path.join(root, 'src/b.ts'), '') },
    { change: 'a file that was absent', make: (root) => writeFileSync(path.join(root, 'absent'), '') },
    {
      change: 'a moved file',
      make: (root) => renameSync(path.join(root, 'src/deep/a.ts'), path.join(root, 'src/a.ts')),
    },
  ])('changes after $change', ({ make }) => {
    const root = folder()
    const before = of(root)
    make(root)
    expect(of(root)).not.toBe(before)
  })
})
