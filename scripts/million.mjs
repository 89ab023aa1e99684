/**
 * `npm run million [-- --users 1000000 --import 20000]`: measures a tenant with a million users on this machine. Creates them
 * in a temporary database and prints a table of times; it has no goals.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { runProgram, startProgram, stopProgram } from './processes.mjs'
import { root } from './root.mjs'

const CHUNK = 20_000
const START = 120_000 // ms
/** Enough for a median, few enough that caches do not dominate. */
const REPEATS = 15
const DAY = 24 * 60 * 60 * 1000

/** @param {string[]} args */
export async function millionCommand(args) {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '1000000' },
      import: { type: 'string', default: '20000' },
    },
  })
  const [users, imported] = [Number(values.users), Number(values.import)]
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-million-'))
  try {
    /** @type {[what: string, how: string][]} */
    const table = []
    await withServer(folder, async (origin) => {
      table.push(['import into an empty tenant', await importRate(origin, folder, imported, 'a')])
    })
    const started = performance.now()
    fill(folder, imported, users)
    table.push([`${users} users inserted by SQL`, `${seconds(started)} s`])
    await withServer(folder, async (origin) => {
      table.push([`import beside ${users} users`, await importRate(origin, folder, imported, 'b')])
      table.push(...(await callTimes(origin, users)))
    })
    const width = Math.max(...table.map(([what]) => what.length))
    console.log(`\n${table.map(([what, how]) => `${what.padEnd(width)}  ${how}`).join('\n')}`)
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {(origin: string) => Promise<void>} use */
async function withServer(folder, use) {
  const port = await freePort()
  const persistTo = path.join(folder, 'state')
  const command = [
    path.join(root, 'scripts/run.mjs'),
    'start',
    '--port',
    `${port}`,
    '--persist-to',
    persistTo,
  ]
  const server = startProgram(process.execPath, command, { output: 'pipe' })
  try {
    await new Promise((resolve, reject) => {
      let said = ''
      const late = setTimeout(() => reject(new Error(`The server did not start:\n${said}`)), START)
      server.once('exit', () => reject(new Error(`The server ended:\n${said}`)))
      for (const stream of [server.stdout, server.stderr]) {
        stream?.on('data', (data) => {
          said = `${said}${data}`.slice(-5_000)
          if (!said.includes('is ready at')) return
          clearTimeout(late)
          resolve(undefined)
        })
      }
    })
    await use(`http://localhost:${port}`)
  } finally {
    await stopProgram(server)
  }
}

/** With the command of the operator. @param {string} origin @param {string} folder @param {number} count @param {string} prefix */
async function importRate(origin, folder, count, prefix) {
  const [file, peak] = [path.join(folder, `${prefix}.jsonl`), path.join(folder, `${prefix}.peak`)]
  const lines = Array.from({ length: count }, (_, n) => {
    const name = `${prefix}${n}`
    const identities = { github: { userId: name } }
    return JSON.stringify({
      username: name,
      primaryEmail: `${name}@example.com`,
      name: `Person ${n}`,
      identities,
    })
  })
  writeFileSync(file, `${lines.join('\n')}\n`)
  const atExit = `import { writeFileSync } from 'node:fs'
    process.on('exit', () => writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)))`
  const observed = ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`]
  const command = ['scripts/run.mjs', 'users', 'import', file, '--json', '--origin', origin]
  const started = performance.now()
  const { code, stdout } = await runProgram(process.execPath, [...observed, ...command], {
    show: 'onFailure',
  })
  const took = performance.now() - started
  const { created } = JSON.parse(stdout || '{}')
  if (code !== 0 || created !== count) throw new Error(`The import ended with ${code}: ${stdout}`)
  const megabytes = Math.round(Number(readFileSync(peak, 'utf8')) / 1024)
  return `${Math.round((count / took) * 1000)} users a second, ${megabytes} MB peak memory (${count} users)`
}

/** Inserts the users that are not imported, with registration times in the past. @param {string} folder @param {number} from @param {number} to */
function fill(folder, from, to) {
  const [file] = globSync(path.join(folder, 'state/v3/d1/**/*.sqlite')).filter(
    (name) => path.basename(name) !== 'metadata.sqlite',
  )
  if (!file) throw new Error('The server created no database')
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = off')
  const insert = database.prepare(
    `insert into users (tenant_id, id, username, primary_email, primary_phone, name, identities, created_at)
     with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?)
     select 'default', printf('user%08d', n), printf('person%08d', n), printf('Person.%d@mail.example.com', n),
       printf('49151%08d', n), printf('Person %d', n),
       json_object('google', json_object('userId', printf('g%d', n))), ? - n * 60000
     from numbers`,
  )
  for (let n = from; n < to; n += CHUNK) insert.run(n, Math.min(n + CHUNK, to), Date.now() - DAY)
  database.exec(`
    insert into roles (tenant_id, id, name, description) values ('default', 'everyone', 'everyone', '');
    insert into users_roles (tenant_id, id, user_id, role_id)
    select tenant_id, 'link' || search_id, id, 'everyone' from users where tenant_id = 'default'`)
  database.close()
}

/** @param {string} origin @param {number} users @returns {Promise<[string, string][]>} */
async function callTimes(origin, users) {
  const authorization = `Bearer ${await token(origin)}`
  const name = `person${String(users - 7).padStart(8, '0')}`
  const calls = {
    'first page and total': '/users?page_size=20',
    'page 50': '/users?page_size=20&page=50',
    'one user by id': `/users/user${String(users - 7).padStart(8, '0')}`,
    'search: exact': `/users?search.username=${name}&mode.username=exact`,
    'search: beginning': `/users?search.username=${name.slice(0, -1)}%25`,
    'search: within, one found': `/users?search=%25${users - 7}%40mail%25`,
    'search: within, all found': '/users?search=%25example%25',
    'search: within, none found': '/users?search=%25haystack%25',
    'users without a role that all have': '/users?page_size=20&excludeRoleId=everyone',
    roles: '/roles',
    'export, first page': '/users/export?limit=200',
    'export, last page': `/users/export?limit=200&after=user${String(users - 200).padStart(8, '0')}`,
    'dashboard: total': '/dashboard/users/total',
    'dashboard: new': '/dashboard/users/new',
  }
  /** @type {[string, string][]} */
  const rows = []
  for (const [what, call] of Object.entries(calls)) {
    const times = []
    let answer = ''
    for (let n = 0; n < REPEATS; n++) {
      const started = performance.now()
      const response = await fetch(`${origin}/api${call}`, { headers: { authorization } })
      await response.arrayBuffer()
      times.push(performance.now() - started)
      const total = response.headers.get('total-number')
      answer = total === null ? `${response.status}` : `${response.status}, total ${total}`
    }
    times.sort((a, b) => a - b)
    const [median, worst] = [times[Math.floor(REPEATS / 2)], times.at(-1)]
    rows.push([what, `${median?.toFixed(1)} ms, ${worst?.toFixed(1)} ms maximum (${answer})`])
  }
  return rows
}

/** @param {string} origin */
async function token(origin) {
  const vars = readFileSync(path.join(root, '.dev.vars'), 'utf8')
  const secret = /^MANAGEMENT_CLIENT_SECRET="?([^"\n]+)/m.exec(vars)?.[1] ?? ''
  const response = await fetch(`${origin}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`management:${encodeURIComponent(secret)}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: 'urn:vestibule:management-api',
      scope: 'all',
    }),
  })
  return (await response.json()).access_token
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** @param {number} since */
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1)
