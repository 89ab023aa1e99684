import type { Experience } from '../../src/contract/experience/experience.ts'
import type { BootData, ConsentQuestion, Phrases } from '../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { choosePage } from '../app/page-choice.ts'
import { findPage } from '../app/routes.ts'

/** Sample data that previewed pages show in place of real user input (spec/experience#preview-messages). */

const identifiers = [
  { type: 'email', value: 'ada@example.com' },
  { type: 'phone', value: '12025550100' },
  { type: 'username', value: 'ada' },
] as const satisfies NavigationState['identifier'][]

/** Returns sample navigation state if the page needs data from the previous page (spec/pages#navigation-state). */
export function sampleNavigation(path: string, experience: Experience): NavigationState | null {
  if (findPage(path)?.needs !== 'navigation') return null
  const steps = identifiers.map((identifier): NavigationState => ({ identifier }))
  return (
    steps.find((navigation) => choosePage(path, { experience, navigation }).kind === 'page') ??
    steps[0] ??
    null
  )
}

/** A sample consent request from a third-party application. */
export const sampleConsent: ConsentQuestion = {
  application: { name: 'Example', logo: null, termsUrl: null, policyUrl: null },
  unregistered: null,
  isSelfRegistered: false,
  device: null,
  organization: null,
  destination: 'app.example.com',
  account: { label: 'ada@example.com', avatar: null, switchUrl: null },
  asked: { scopes: ['profile', 'email'], claims: [], resources: [] },
  granted: { scopes: [], claims: [], resources: [] },
}

/** Returns a sample error that has no page of its own, with a message in the page's language. */
export function sampleError({ error }: Phrases): BootData['error'] {
  const message = typeof error === 'object' ? error.unknown : undefined
  return { code: 'server.internal', message: typeof message === 'string' ? message : '' }
}
