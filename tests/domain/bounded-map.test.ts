import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../../src/domain/bounded-map.ts'

describe('a bounded map', () => {
  it('drops the least recently used entry once it is full', () => {
    const dropped: string[] = []
    const map = new BoundedMap<string, string>(2, (value) => dropped.push(value))
    map.set('a', 'A')
    map.set('b', 'B')
    expect(map.get('a')).toBe('A')
    map.set('c', 'C')
    expect([map.has('a'), map.has('b'), map.has('c')]).toEqual([true, false, true])
    map.set('a', 'again')
    map.set('d', 'D')
    expect([map.get('a'), map.get('c')]).toEqual(['again', undefined])
    expect(dropped).toEqual(['B', 'C'])
  })

  it('has room for another entry after a deletion', () => {
    const map = new BoundedMap<string, number>(1)
    map.set('a', 1)
    map.delete('a')
    expect(map.get('a')).toBeUndefined()
    map.set('b', 2)
    expect(map.get('b')).toBe(2)
  })
})
