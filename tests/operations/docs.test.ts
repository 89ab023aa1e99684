import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { runScript } from '../../operator/main.ts'
import { missingTests } from '../kit/cited-tests.ts'
import { sourceFiles, sourceTextOf } from '../kit/source-files.ts'
import { sweepOfProcess } from '../kit/sweep.ts'
import { newEnvironment } from '../operator/environments.ts'

/** Checks that the tests, commands, SQL statements and log names in docs/operations/runbook.md exist. */

const DOCUMENT = 'docs/operations/runbook.md'
const text = readFileSync(DOCUMENT, 'utf8')
const unique = (matches: Iterable<RegExpMatchArray>) =>
  [...new Set([...matches].map(([, one = '']) => one))].toSorted()

/** Tests are cited as `file` "title". A file can be followed by several titles. */
const cited = [...text.matchAll(/`(tests\/[\w./-]+)`((?:\s+"[^"]+")+)/g)].flatMap(
  ({ index, 1: file = '', 2: titles = '' }) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({
      line: text.slice(0, index).split('\n').length,
      file,
      title: title.replaceAll(/\s+/g, ' '),
    })),
)

describe('the tests cited in the runbook', () => {
  it('number more than 25', () => {
    expect(cited.length).toBeGreaterThan(25)
  })

  it('exist', () => {
    expect(missingTests(DOCUMENT, cited)).toEqual([])
  })
})

describe('the commands in the runbook', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

  it.each(unique(text.matchAll(/`npm (?:run )?(?!run\b)([\w]+)/g)))('exist: npm run %s', (script) => {
    expect(scripts).toHaveProperty(script)
  })

  it.each(unique(text.matchAll(/`npm run (\w+ -- \w+(?: --[\w-]+)?)/g)))(
    'use existing options: npm run %s',
    async (line) => {
      const [script = '', , verb = '', option] = line.split(' ')
      const { environment, stdoutText } = newEnvironment()
      const code = await runScript(script, [verb, '--help'], environment)
      expect([code, option === undefined || stdoutText().includes(option)]).toEqual([0, true])
    },
  )

  // Only the exhaustive run checks wrangler commands, because wrangler starts slowly and its commands change only with
  // its version.
  const wrangler = unique(text.matchAll(/npx wrangler ([a-z][a-z\d -]*[a-z\d])/g))
  it.runIf(sweepOfProcess().isExhaustive).each(wrangler)(
    'use existing options: npx wrangler %s',
    { timeout: 60_000 },
    (line) => {
      const words = line.split(' ')
      const end = words.findIndex((word) => word.startsWith('-') || word === 'vestibule')
      const command = end === -1 ? words : words.slice(0, end)
      const { status, stdout } = spawnSync('node_modules/.bin/wrangler', [...command, '--help'], {
        encoding: 'utf8',
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
      })
      expect(status).toBe(0)
      expect(stdout.split('\n')[0]).toMatch(new RegExp(`^wrangler ${command.join(' ')}(?: [<[]|$)`))
      for (const option of line.match(/--[\w-]+/g) ?? []) expect(stdout).toContain(option)
    },
  )
})

describe('the SQL statements in the runbook', () => {
  const database = new DatabaseSync(':memory:')
  for (const file of readdirSync('migrations').filter((name) => name.endsWith('.sql')))
    database.exec(readFileSync(`migrations/${file}`, 'utf8').replaceAll('--> statement-breakpoint', ''))

  it.each(unique(text.matchAll(/--command "([^"]+)"/g)))('are valid: %s', (statement) => {
    expect(() => database.prepare(statement.replaceAll(/\$(?:NOW|SINCE)\b/g, '0'))).not.toThrow()
  })
})

describe('the log names in the runbook', () => {
  const sources = sourceFiles(['src']).map(sourceTextOf).join('\n')

  it.each(unique(text.matchAll(/^\| `(\w+)` +\|/gm)).filter((name) => name !== 'event'))(
    'are names of logged events: %s',
    (event) => {
      expect(sources.includes(`'${event}'`)).toBe(true)
    },
  )

  it.each(unique(text.matchAll(/`((?:http|error|server|cloudflare|vestibule)\.(?!config\.ts)[\w.]+)`/g)))(
    'are names of logged fields: %s',
    (field) => {
      const ofFailure = ['error.message', 'error.stack']
      expect(ofFailure.includes(field) || sources.includes(`'${field}'`)).toBe(true)
    },
  )
})

describe('the observability settings in wrangler.toml', () => {
  it('enable only our own log lines, and sampled traces without query strings', () => {
    const settings = readFileSync('wrangler.toml', 'utf8')
    expect(settings).toMatch(/\[observability\]\nenabled = true\nredact_query_string = true\n/)
    expect(settings).toMatch(
      /\[observability\.logs\]\nenabled = true\nhead_sampling_rate = 1\ninvocation_logs = false\n/,
    )
    expect(settings).toMatch(/\[observability\.traces\]\nenabled = true\nhead_sampling_rate = 0\.05\n/)
  })
})
