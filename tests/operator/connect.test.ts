import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { connectCommand } from '../../operator/connect/command.ts'
import { readFields } from '../../operator/connect/fields.ts'
import { formatReason } from '../../operator/credential-check.ts'
import { createTerminal } from '../../operator/terminal.ts'
import { newEnvironment } from './environments.ts'

/** Tests how `npm run connect` handles concurrent changes and terminal input (docs/operations/commands.md). */

const formItems = [
  { key: 'clientId', label: 'Client ID', type: 'Text' as const, required: true },
  { key: 'clientSecret', label: 'Client secret', type: 'Text' as const, required: true, isSecret: true },
]
const factory = {
  type: 'Social',
  id: 'google-universal',
  target: 'google',
  platform: 'Universal',
  name: { en: 'Google' },
  logo: '/google.svg',
  logoDark: null,
  description: { en: 'Google' },
  readme: '',
  hasCheck: true,
  isDemo: false,
  callbackUrl: 'http://localhost:1/callback/{id}',
  formItems,
}
const connector = {
  ...factory,
  id: 'google',
  tenantId: 'default',
  connectorId: 'google-universal',
  syncProfile: false,
  metadata: {},
  config: { clientId: 'us', clientSecret: '********' },
  createdAt: 1,
}

type Request = { method: string; path: string; body: unknown; ifMatch: string | null }

/**
 * Stubs a deployment. `savedBefore` contains, for each path, how often another operator changes it before our change
 * succeeds.
 */
function deployment({
  savedBefore = {},
  outcome = 'accepted',
}: {
  savedBefore?: Record<string, number>
  outcome?: string
}) {
  const targets = ['github']
  const remaining = new Map(Object.entries(savedBefore))
  const versions = new Map<string, number>()
  const requests: Request[] = []
  const tagOf = (path: string) => `"${versions.get(path) ?? 0}"`

  async function respond(request: globalThis.Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace('/api', '')
    const { method } = request
    if (path === '/oidc/token') return Response.json({ access_token: 'token' })
    const body: unknown = method === 'GET' ? null : await request.json().catch(() => null)
    const ifMatch = request.headers.get('if-match')
    requests.push({ method, path, body, ifMatch })
    if (method === 'PATCH' && (remaining.get(path) ?? 0) > 0) {
      remaining.set(path, (remaining.get(path) ?? 0) - 1)
      versions.set(path, (versions.get(path) ?? 0) + 1)
      targets.push(`other-${targets.length}`)
    }
    if (method === 'PATCH' && ifMatch !== tagOf(path)) {
      const error = { code: 'request.precondition_failed', message: 'Changed meanwhile.' }
      return Response.json(error, { status: 412 })
    }
    const responses: Record<string, unknown> = {
      '/connector-factories': [factory],
      '/connectors': [connector],
      '/connectors/google': connector,
      '/connectors/google/check': { outcome, reason: null },
      '/sign-in-exp': { socialSignInConnectorTargets: targets },
    }
    return Response.json(responses[path], { headers: { etag: tagOf(path) } })
  }
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => respond(new Request(input, init))
  return { requests, fetch: fetch as typeof globalThis.fetch }
}

async function connect(options: Parameters<typeof deployment>[0], ...args: string[]) {
  const { requests, fetch } = deployment(options)
  const { environment } = newEnvironment({ fetch })
  const code = await connectCommand
    .run('connect', ['google', '--json', ...args], environment)
    .catch((error: Error) => error.message)
  return { code, changes: requests.filter(({ method }) => method === 'PATCH') }
}

it('npm run connect adds its button to the latest targets if someone else has just changed them', async () => {
  const { code, changes } = await connect({ savedBefore: { '/sign-in-exp': 2 } })
  expect(code).toBe(0)
  expect(changes.map(({ ifMatch, body }) => [ifMatch, body])).toEqual([
    ['"0"', { socialSignInConnectorTargets: ['github', 'google'] }],
    ['"1"', { socialSignInConnectorTargets: ['github', 'other-1', 'google'] }],
    ['"2"', { socialSignInConnectorTargets: ['github', 'other-1', 'other-2', 'google'] }],
  ])
})

it('npm run connect never overwrites a connector that someone else has just changed', async () => {
  const field = ['--field', 'clientId=other']
  const { code, changes } = await connect({ savedBefore: { '/connectors/google': 1 } }, ...field)
  expect(code).toMatch(/Someone else changed this connector in the meantime/)
  expect(changes).toMatchObject([{ path: '/connectors/google', ifMatch: '"0"' }])
})

it.each([
  { condition: 'the provider rejects the credentials', outcome: 'refused', args: [], code: 1 },
  { condition: 'the option --no-button is used', outcome: 'accepted', args: ['--no-button'], code: 0 },
])('npm run connect adds no button if $condition', async ({ outcome, args, code }) => {
  expect(await connect({ outcome }, ...args)).toEqual({ code, changes: [] })
})

it('npm run connect asks again only for missing and invalid values', async () => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()]
  const { environment } = newEnvironment()
  const streams = {
    stdin: Object.assign(stdin, { isTTY: true }),
    stderr: Object.assign(stderr, { isTTY: true }),
  }
  const terminal = createTerminal(
    { ...environment, ...(streams as unknown as Pick<typeof environment, 'stdin' | 'stderr'>) },
    { json: false },
  )
  const typed = ['us', '', 'secret', 'x', '25']
  let output = ''
  stderr.on('data', (data) => {
    output += String(data)
    if (/\): $|\]: $/.test(output)) {
      output += ' '
      setImmediate(() => stdin.write(`${typed.shift()}\n`))
    }
  })
  const port = { key: 'port', label: 'Port', type: 'Number' as const, required: true }
  const sources = { options: [], target: 'google', stored: {} }
  const config = await readFields([...formItems, port], sources, { terminal, environment })
  expect([config, typed]).toEqual([{ clientId: 'us', clientSecret: 'secret', port: 25 }, []])
  expect(output).toContain('Client secret is required.')
  expect(output).toContain('port has to be a number.')
})

it.each([
  { outcome: 'refused', reason: 'invalid_client', formatted: ' (invalid_client)' },
  { outcome: 'unreachable', reason: 'timed out', formatted: ' (timed out)' },
  { outcome: 'unreachable', reason: 'general', formatted: '' },
  { outcome: 'accepted', reason: null, formatted: '' },
] as const)(
  'a credential check with the outcome $outcome and the reason $reason is shown with “$formatted”',
  ({ formatted, ...check }) => {
    expect(formatReason(check)).toBe(formatted)
  },
)
