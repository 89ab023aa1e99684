import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the log line of each request (ADR-0050), and the names that alerts filter by (docs/operations/runbook.md). */

let app: TestApp
let logged: string[]
beforeEach(() => {
  app = openTestApp()
  logged = []
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line: unknown) => {
      logged.push(String(line))
    })
  }
})
afterEach(() => {
  vi.restoreAllMocks()
})

type Line = Record<string, unknown>
const lines = (event = 'request') =>
  logged.map((line) => JSON.parse(line) as Line).filter((line) => line.event === event)
const routes = () =>
  lines().map(
    (line) => `${line['http.request.method']} ${line['http.route']} ${line['http.response.status_code']}`,
  )

describe('a request', () => {
  it('is logged with its route, status, tenant and request id', async () => {
    const operator = await newOperator(app)
    logged.length = 0
    const answer = await operator.get('/users/unknown?search=ann', { 'cf-ray': '8f2-LHR' })
    expect(lines()).toEqual([
      {
        event: 'request',
        requestId: answer.headers.get('x-request-id'),
        'http.request.method': 'GET',
        'http.route': '/api/users/:id',
        'http.response.status_code': 404,
        'http.server.request.duration': expect.any(Number),
        'error.type': 'entity.not_found',
        'server.address': 'localhost',
        'cloudflare.ray_id': '8f2-LHR',
        'vestibule.tenant.id': 'default',
      },
    ])
  })

  it('is logged with a sign-in’s result and the reason for a rejection', async () => {
    const client = newCookieClient(app)
    const name = freshName()
    await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, await authorizationRequest()), name),
    )
    const other = newCookieClient(app)
    await signIn(other, await openSignInPage(other, await authorizationRequest()), name, 'wrong-horse-9')
    expect(routes()).toEqual([
      'GET /oidc/auth 303',
      'PUT /api/interaction 204',
      'POST /api/interaction/submit 200',
      'GET /oidc/auth 303',
      'PUT /api/interaction 422',
    ])
    expect(lines()[2]).toMatchObject({ 'vestibule.audit': ['Interaction.Register.Submit'] })
    expect(lines()[4]).toMatchObject({
      'error.type': 'session.invalid_credentials',
      'vestibule.audit': ['Interaction.SignIn.Update', 'Interaction.SignIn.Identifier.Password.Submit'],
    })
  })

  it('is logged if it fails, but not if it successfully loads a page', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    logged.length = 0
    await client.get(`/sign-in?interaction=${uid}`)
    await client.get('/nothing/here')
    expect(logged).toEqual([])
    const cold = openTestApp()
    cold.beforeEachTrip(() => {
      throw new Error('D1_ERROR: overloaded')
    })
    await cold.fetch('/sign-in', { headers: { accept: 'text/html' } })
    expect(lines().map((line) => line['http.response.status_code'])).toEqual([503])
  })

  it('is logged with the same request id as its failure if the database fails', async () => {
    const cold = openTestApp()
    cold.beforeEachTrip(() => {
      throw new Error('an unforeseen failure')
    })
    const answer = await cold.fetch('/api/.well-known/sign-in-exp')
    expect(answer.status).toBe(500)
    const requestId = answer.headers.get('x-request-id')
    expect(lines('failure')).toMatchObject([{ requestId, error: { message: expect.any(String) } }])
    expect(lines()).toMatchObject([{ requestId, 'error.type': 'server.internal' }])
  })
})

describe('the scheduled run', () => {
  it('logs sent and pending deliveries, the age of the oldest one, and deleted rows', async () => {
    await app.sweep()
    expect(lines('outbox_swept')).toEqual([
      {
        event: 'outbox_swept',
        delivered: expect.any(Number),
        failed: expect.any(Number),
        due: 0,
        oldestDue: 0,
      },
    ])
    expect(lines('expired_rows_deleted')).toHaveLength(1)
    expect(lines('resealed')).toEqual([])
  })

  it('reports a failure to the log and to the platform, without the query', async () => {
    app.beforeEachTrip(() => {
      throw Object.assign(new Error('Failed query: select 1 params: a-password-hash'), {
        cause: new Error('D1_ERROR: overloaded'),
      })
    })
    await expect(app.sweep()).rejects.toThrow(/^The scheduled run failed$/)
    expect(lines('failure')).toContainEqual(
      expect.objectContaining({
        at: 'scheduled',
        error: expect.objectContaining({ message: 'D1_ERROR: overloaded' }),
      }),
    )
    expect(logged.join('')).not.toContain('a-password-hash')
  })
})
