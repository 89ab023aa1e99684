import { describe, expect, it } from 'vitest'
import { describeProblem } from '../../console/api/problem-words.ts'
import { groupAttempts } from '../../console/areas/hooks/attempts.ts'
import { eventTexts } from '../../console/areas/hooks/event-phrases.ts'
import { formatHeaders, parseHeaders } from '../../console/areas/hooks/headers.ts'
import { texts } from '../../console/areas/hooks/phrases.ts'
import { type Log, matchesFilter } from '../../console/areas/log/logs.ts'
import { texts as settingsTexts } from '../../console/areas/settings/phrases.ts'
import { hookEvents } from '../../src/contract/hooks/hooks.ts'
import { findConfigurableUrlProblem } from '../../src/domain/connectors/outbound-address.ts'
import { sampleMessage } from '../../src/domain/hooks/sample-message.ts'

/** Tests the pure functions of the webhooks area (spec/console#hooks). */

const attempt = (id: string, createdAt: number, payload: Record<string, unknown>): Log => ({
  tenantId: 'default',
  id,
  key: 'TriggerHook.PostSignIn',
  createdAt,
  actor: null,
  payload: { key: 'TriggerHook.PostSignIn', result: 'Error', hookId: 'crm', ...payload },
})

describe('webhook deliveries', () => {
  it('list their attempts and responses, newest first', () => {
    const json = { event: 'PostSignIn' }
    const rows = [
      attempt('c', 3, { deliveryId: 'm1', json, result: 'Success', response: { statusCode: 204, body: '' } }),
      attempt('b', 2, { json, error: 'timed out' }),
      attempt('a', 1, {
        deliveryId: 'm1',
        json,
        error: 'x',
        response: { statusCode: 503, body: { error: 'busy' } },
      }),
    ]
    const accepted = { id: 'c', at: 3, isAccepted: true, status: 204, answer: '', error: '' }
    const refused = { id: 'a', at: 1, isAccepted: false, status: 503, answer: { error: 'busy' }, error: 'x' }
    const lost = { id: 'b', at: 2, isAccepted: false, status: null, answer: undefined, error: 'timed out' }
    expect(groupAttempts(rows)).toEqual([
      { id: 'm1', message: json, attempts: [accepted, refused] },
      // Rows from an earlier version don't contain a delivery id.
      { id: 'b', message: json, attempts: [lost] },
    ])
  })

  it('can be filtered by webhook', () => {
    const row = attempt('a', 1, {})
    expect([matchesFilter({ hookId: 'crm' }, row), matchesFilter({ hookId: 'other' }, row)]).toEqual([
      true,
      false,
    ])
  })
})

it('webhook headers are converted to lines of names and values, and back', () => {
  const headers = { 'X-Key': 'a: b', Other: '' }
  expect(parseHeaders(`${formatHeaders(headers)}\n \n`)).toEqual({ headers })
  expect(parseHeaders('X-Key: a\nno header')).toEqual({ invalidLine: 'no header' })
})

const languages = ['en', 'de'] as const

it.each(languages)('problems that a setting solves name the page with the setting in %s', (language) => {
  for (const url of ['http://hooks.example.com', 'https://localhost']) {
    const message = findConfigurableUrlProblem(url, { allowPrivateTargets: false }) ?? ''
    expect(describeProblem({ path: ['config', 'url'], message }, language)).toContain(
      texts[language].addressSettings,
    )
  }
  expect(texts[language].addressSettings).toContain(settingsTexts[language].places)
})

it('each event has a sentence in both languages, and an example that names it', () => {
  for (const event of hookEvents) {
    for (const language of languages) expect(eventTexts[language][event]).toMatch(/\.$/)
    expect(sampleMessage('hook', event, { now: 1, userAgent: 'Test' })).toMatchObject({
      hookId: 'hook',
      event,
    })
  }
})
