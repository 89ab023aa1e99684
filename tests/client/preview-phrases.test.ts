import { describe, expect, it, vi } from 'vitest'
import type { PreviewConfig } from '../../client/preview/preview-message.ts'
import { createPhraseLoader } from '../../client/preview/preview-phrases.ts'
import { testBootData } from './boot-data.ts'

const french = { action: { sign_in: 'Connexion' } }
const load = (config: Partial<PreviewConfig>) =>
  createPhraseLoader(testBootData)({ signInExperience: {}, ...config } as PreviewConfig)

describe('a preview', () => {
  it('reads "the Content-Language response header"', async () => {
    const calls: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      calls.push(url)
      return Response.json({ translation: french }, { headers: { 'content-language': 'fr' } })
    })
    expect(await load({ language: 'fr-CA' })).toEqual({ language: 'fr', phrases: french })
    expect(calls).toEqual(['/api/.well-known/phrases?lng=fr-CA&no_cache='])
    vi.unstubAllGlobals()
  })

  it.each([
    ['an error', () => new Response('', { status: 503 })],
    ['text', () => new Response('<html>')],
    ['nothing', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('keeps the page’s phrases if the fetch fails: %s', async (_, answer) => {
    vi.stubGlobal('fetch', async () => answer())
    expect(await load({ language: 'fr' })).toEqual({ language: 'en', phrases: testBootData.phrases })
    vi.unstubAllGlobals()
  })
})
