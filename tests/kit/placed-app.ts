import type { TestApp } from './test-app.ts'

/** The location as Cloudflare adds it to a request. All values are strings. */
export type RequestPlace = {
  country?: string
  city?: string
  timezone?: string
  latitude?: string
  longitude?: string
}

export const BERLIN = { country: 'DE', latitude: '52.52', longitude: '13.41' }
export const PARIS = { country: 'FR', latitude: '48.86', longitude: '2.35' }
export const TOKYO = { country: 'JP', latitude: '35.68', longitude: '139.69' }

/** Returns an app whose requests come from this location. */
export const from = (place: RequestPlace, app: TestApp): TestApp => {
  const located = (init: RequestInit = {}) => ({ ...init, cf: place }) as RequestInit
  return {
    ...app,
    answer: (path, init) => app.answer(path, located(init)),
    fetch: (path, init) => app.fetch(path, located(init)),
  }
}
