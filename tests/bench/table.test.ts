import { describe, expect, it } from 'vitest'
import { readOptions } from '../../bench/options.ts'
import { markdownTable } from '../../bench/table.ts'

describe('the benchmark’s results table', () => {
  it('is a Markdown table that shows whether each goal was met', () => {
    const rows = [
      { what: 'Bundle', measured: '590.0 kB', goal: '<= 600 kB', isMet: true },
      { what: 'Ratio', measured: '0.40', goal: '>= 0.5', isMet: false },
      { what: 'a | b', measured: '9', goal: null, isMet: null },
    ]
    expect(markdownTable(rows).split('\n')).toEqual([
      '| What   | Measured | Goal      |        |',
      '| ------ | -------- | --------- | ------ |',
      '| Bundle | 590.0 kB | <= 600 kB | met    |',
      '| Ratio  | 0.40     | >= 0.5    | MISSED |',
      '| a \\| b | 9        |           |        |',
    ])
  })
})

describe('benchmark options', () => {
  it.each([
    { args: [], sections: ['server', 'distance', 'browser', 'hashing'], against: null, isJson: false },
    {
      args: ['--only', 'server,hashing', '--json'],
      sections: ['server', 'hashing'],
      against: null,
      isJson: true,
    },
    { args: ['--only', 'load'], sections: ['load'], against: null, isJson: false },
    {
      args: ['--against', 'http://127.0.0.1:9/sign-in'],
      sections: ['browser'],
      against: 'http://127.0.0.1:9/sign-in',
      isJson: false,
    },
  ])('are parsed from the arguments $args', ({ args, ...options }) => {
    expect(readOptions(args)).toEqual(options)
  })

  it.each([
    { args: ['--only', 'speed'], problem: 'There is no section "speed".' },
    { args: ['--against', 'sign-in'], problem: `"sign-in" isn't an http or https URL.` },
    {
      args: ['--against', 'file:///etc/hosts'],
      problem: `"file:///etc/hosts" isn't an http or https URL.`,
    },
    { args: ['--fast'], problem: expect.stringContaining("'--fast'") },
  ])('are not read from the arguments $args, which are rejected', ({ args, problem }) => {
    expect(readOptions(args)).toEqual({ problem })
  })
})
