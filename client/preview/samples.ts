import type { Experience } from '../../src/contract/experience/experience.ts'
import type { BootData, ConsentQuestion, Phrases } from '../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { choosePage } from '../app/page-choice.ts'
import { findPage } from '../app/routes.ts'

/** What pages of a preview show in place of what a user would have done (spec/experience#preview-messages). */

const identifiers = [
  { type: 'email', value: 'ada@example.com' },
  { type: 'phone', value: '12025550100' },
  { type: 'username', value: 'ada' },
] as const satisfies NavigationState['identifier'][]

/** A sample of what the page before would have learned, where the page needs it (spec/pages#navigation-state). */
export function sampleNavigation(path: string, experience: Experience): NavigationState | null {
  if (findPage(path)?.needs !== 'navigation') return null
  const steps = identifiers.map((identifier): NavigationState => ({ identifier }))
  return (
    steps.find((navigation) => choosePage(path, { experience, navigation }).kind === 'page') ??
    steps[0] ??
    null
  )
}

/** The question of an application of a third party. */
export const sampleConsent: ConsentQuestion = {
  application: { name: 'Example', logo: null },
  unregistered: null,
  isSelfRegistered: false,
  destination: 'app.example.com',
  account: { label: 'ada@example.com', avatar: null, switchUrl: null },
  asked: { scopes: ['profile', 'email'], resources: [] },
  granted: { scopes: [], resources: [] },
}

/** A failure without a page of its own, in the words of the page. */
export function sampleError({ error }: Phrases): BootData['error'] {
  const message = typeof error === 'object' ? error.unknown : undefined
  return { code: 'server.internal', message: typeof message === 'string' ? message : '' }
}
