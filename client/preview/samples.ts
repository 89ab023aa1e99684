import type { Experience } from '../../src/contract/experience/experience.ts'
import type { BootData, ConsentQuestion, Phrases } from '../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { choosePage } from '../app/page-choice.ts'
import { findPage } from '../app/routes.ts'

/**
 * Samples that the pages of a preview show instead of what a user would have done (spec/experience#preview-messages).
 */

const identifiers = [
  { type: 'email', value: 'ada@example.com' },
  { type: 'phone', value: '12025550100' },
  { type: 'username', value: 'ada' },
] as const satisfies NavigationState['identifier'][]

/**
 * Returns a sample of what the previous page would have learned, if the page needs it (spec/pages#navigation-state).
 */
export function sampleNavigation(path: string, experience: Experience): NavigationState | null {
  if (findPage(path)?.needs !== 'navigation') return null
  const steps = identifiers.map((identifier): NavigationState => ({ identifier }))
  return (
    steps.find((navigation) => choosePage(path, { experience, navigation }).kind === 'page') ??
    steps[0] ??
    null
  )
}

/** The question of a third-party application. */
export const sampleConsent: ConsentQuestion = {
  application: { name: 'Example', logo: null },
  unregistered: null,
  isSelfRegistered: false,
  destination: 'app.example.com',
  account: { label: 'ada@example.com', avatar: null, switchUrl: null },
  asked: { scopes: ['profile', 'email'], resources: [] },
  granted: { scopes: [], resources: [] },
}

/** Returns an error that has no page of its own, with a message in the language of the page. */
export function sampleError({ error }: Phrases): BootData['error'] {
  const message = typeof error === 'object' ? error.unknown : undefined
  return { code: 'server.internal', message: typeof message === 'string' ? message : '' }
}
