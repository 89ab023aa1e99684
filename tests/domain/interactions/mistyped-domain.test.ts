import { describe, expect, it } from 'vitest'
import { correctDomain, countTypos } from '../../../src/domain/interactions/mistyped-domain.ts'

describe('the correction of a mistyped domain (spec/pages#mistyped-domains)', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['gmial.con', 'gmail.com'],
    ['googelmial.com', 'googlemail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['outlok.com', 'outlook.com'],
    ['icluod.com', 'icloud.com'],
    ['proton.mee', 'proton.me'],
    ['t-onlin.de', 't-online.de'],
    ['GMIAL.COM', 'gmail.com'],
  ])('of %s is %s', (typed, meant) => {
    expect(correctDomain(` Ada.L@${typed}`)).toBe(`Ada.L@${meant}`)
  })

  it.each([
    ...['gmail.com', 'googlemail.com', 'hotmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'proton.me'],
    ...['gmx.de', 'gmx.net', 'web.de', 'mail.com', 'mail.de', 'ymail.com', 'live.com', 'me.com', 'aol.com'],
    ...['pm.me', 'email.com', 'fastmail.com', 'yahoo.fr', 'yahoo.co.uk', 'hotmail.co.uk', 'outlook.es'],
    ...['example.com', 'northwind.example', 'mail.acme.com', 'gmail.com.br', 'compact.com', 'cloud.com'],
  ])('does not exist for %s, nor while it is being typed', (domain) => {
    const typed = [...domain].map((_, index) => domain.slice(0, index + 1))
    expect(typed.filter((part) => correctDomain(`ada@${part}`) !== null)).toEqual([])
  })

  it.each(['', 'ada', '@gmial.com', 'ada@', 'ada@gmial', 'a da@gmial.com', 'ada@b@gmial.com'])(
    'does not exist for text that is no address: "%s"',
    (text) => {
      expect(correctDomain(text)).toBeNull()
    },
  )
})

it.each([
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['abcd', 'bacd', 1],
  ['abc', 'axc', 1],
  ['kitten', 'sitting', 3],
])('from "%s" to "%s" there are %d typing mistakes', (typed, meant, mistakes) => {
  expect(countTypos(typed, meant)).toBe(mistakes)
})
