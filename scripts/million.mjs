/**
 * `npm run million [-- --users 1000000 --import 20000]` measures a tenant with a million users on this machine. It
 * creates the users in a temporary database and prints a table of times. The times of the console's user list are
 * compared with their goal.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { measureCalls } from './million-calls.mjs'
import { insertUsers } from './million-users.mjs'
import { runProgram, startProgram, stopProgram } from './processes.mjs'
import { root } from './root.mjs'

const START_TIMEOUT = 120_000 // ms

/** @param {string[]} args */
export async function millionCommand(args) {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '1000000' },
      import: { type: 'string', default: '20000' },
    },
  })
  const [users, importCount] = [Number(values.users), Number(values.import)]
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-million-'))
  try {
    /** @type {[what: string, how: string][]} */
    const table = []
    await withServer(folder, async (origin) => {
      table.push(['import into an empty tenant', await importRate(origin, folder, importCount, 'a')])
    })
    const startedAt = performance.now()
    insertUsers(folder, importCount, users)
    table.push([`${users} users inserted by SQL`, `${seconds(startedAt)} s`])
    await withServer(folder, async (origin) => {
      table.push([`import beside ${users} users`, await importRate(origin, folder, importCount, 'b')])
      const authorization = `Bearer ${await fetchToken(origin)}`
      const call = (/** @type {string} */ path) =>
        fetch(`${origin}/api${path}`, { headers: { authorization } })
      table.push(...(await measureCalls(call, users)))
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
      let output = ''
      const timer = setTimeout(
        () => reject(new Error(`The server didn't start in time:\n${output}`)),
        START_TIMEOUT,
      )
      server.once('exit', () => reject(new Error(`The server exited:\n${output}`)))
      for (const stream of [server.stdout, server.stderr]) {
        stream?.on('data', (data) => {
          output = `${output}${data}`.slice(-5_000)
          if (!output.includes('is ready at')) return
          clearTimeout(timer)
          resolve(undefined)
        })
      }
    })
    await use(`http://localhost:${port}`)
  } finally {
    await stopProgram(server)
  }
}

/**
 * Imports users with the operator's command and returns the rate.
 *
 * @param {string} origin
 * @param {string} folder
 * @param {number} count
 * @param {string} prefix
 */
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
  const startedAt = performance.now()
  const { code, stdout } = await runProgram(process.execPath, [...observed, ...command], {
    show: 'onFailure',
  })
  const duration = performance.now() - startedAt
  const { created } = JSON.parse(stdout || '{}')
  if (code !== 0 || created !== count) throw new Error(`The import exited with code ${code}: ${stdout}`)
  const megabytes = Math.round(Number(readFileSync(peak, 'utf8')) / 1024)
  return `${Math.round((count / duration) * 1000)} users a second, ${megabytes} MB peak memory (${count} users)`
}

/** @param {string} origin */
async function fetchToken(origin) {
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
