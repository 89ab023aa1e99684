import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'

/** docs/operations.md: what it says is shown by tests that exist, and the commands in it exist. */

const text = readFileSync('docs/operations.md', 'utf8')
const unique = (found: Iterable<RegExpMatchArray>) =>
  [...new Set([...found].map(([, one = '']) => one))].toSorted()

const proofs = [...text.matchAll(/\[(tests\/[\w/.-]+): ([^\]]+)\]/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}))

describe('the proofs of operations.md', () => {
  it('are many', () => {
    expect(proofs.length).toBeGreaterThan(25)
  })

  it.each(proofs)('$file: $title', ({ file, title }) => {
    expect(existsSync(file)).toBe(true)
    const titles = [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(['"`])(.*?)\1,/g),
    ]
    expect(titles.map(([, , found]) => found)).toContain(title)
  })
})

describe('the commands of operations.md', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

  it.each(unique(text.matchAll(/`npm (?:run )?([\w]+)/g)))('npm run %s', (script) => {
    expect(scripts).toHaveProperty(script)
  })

  it.each(unique(text.matchAll(/`npm run (\w+ -- \w+(?: --[\w-]+)?)/g)))(
    'npm run %s',
    { timeout: 60_000 },
    (line) => {
      const [script = '', , verb = '', option] = line.split(' ')
      const { status, stdout } = spawnSync(process.execPath, ['scripts/run.mjs', script, verb, '--help'], {
        encoding: 'utf8',
      })
      expect([status, option === undefined || stdout.includes(option)]).toEqual([0, true])
    },
  )

  const wrangler = unique(text.matchAll(/npx wrangler ([a-z][a-z\d -]*[a-z\d])/g))
  it.each(wrangler)('npx wrangler %s', { timeout: 60_000 }, (line) => {
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
  })
})

describe('the statements of operations.md', () => {
  const database = new DatabaseSync(':memory:')
  for (const file of readdirSync('migrations').filter((name) => name.endsWith('.sql')))
    database.exec(readFileSync(`migrations/${file}`, 'utf8').replaceAll('--> statement-breakpoint', ''))

  it.each(unique(text.matchAll(/--command "([^"]+)"/g)))('%s', (statement) => {
    expect(() => database.prepare(statement.replaceAll(/\$(?:NOW|SINCE)\b/g, '0'))).not.toThrow()
  })
})

describe('the names in operations.md', () => {
  const sources = [
    'src/storage/event-log.ts',
    'src/worker.ts',
    'src/application/send-message.ts',
    'src/application/social-sign-in.ts',
  ]
    .concat(['src/api/management/user-assets.ts', 'src/application/outbox-deliveries.ts'])
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

  it.each(unique(text.matchAll(/^\| `(\w+)` +\|/gm)))('the event %s is one we log', (event) => {
    expect(sources).toContain(`'${event}'`)
  })

  it.each(unique(text.matchAll(/`((?:http|error|server|cloudflare|vestibule)\.(?!config\.ts)[\w.]+)`/g)))(
    'the field %s is one of the line',
    (field) => {
      const ofFailure = ['error.message', 'error.stack']
      expect(ofFailure.includes(field) || sources.includes(`'${field}'`)).toBe(true)
    },
  )
})

describe('what is switched on in wrangler.toml', () => {
  it('is the log that we write, traces of some requests, and no address with its query', () => {
    const settings = readFileSync('wrangler.toml', 'utf8')
    expect(settings).toMatch(/\[observability\]\nenabled = true\nredact_query_string = true\n/)
    expect(settings).toMatch(
      /\[observability\.logs\]\nenabled = true\nhead_sampling_rate = 1\ninvocation_logs = false\n/,
    )
    expect(settings).toMatch(/\[observability\.traces\]\nenabled = true\nhead_sampling_rate = 0\.05\n/)
  })
})
