import type { AccountView } from '../../../client/account/account-view.tsx'
import { Device } from '../../../client/account/device.tsx'
import { createTranslator } from '../../../client/context/phrases.ts'
import { type AccountPhraseKey, loadAccountPhrases } from '../../contract/account/account-catalogue.ts'
import type { DevicePage, DeviceProblem } from '../../contract/sessions/device.ts'
import type { PageContext } from '../pages/page-context.ts'
import { renderAccountPage } from './render.tsx'

type Sources = Parameters<typeof renderAccountPage>[0]

/** Renders a page of the device flow in the card of the sign-in pages, without JavaScript (spec/pages#devices). */
export async function renderDevicePage(
  sources: Sources,
  { tenantId, request }: { tenantId: string; request: Request },
  { page, context, status }: { page: DevicePage; context: PageContext; status: number },
): Promise<Response> {
  const body = <Device page={page} />
  const view = { title: titles[page.stage], signedIn: null, isCard: true, body }
  const problem = page.stage === 'code' ? await problemIn(context.language, page.problem) : null
  return renderAccountPage(sources, { tenantId, request, url: context.url }, view, {
    context,
    status,
    problem: problem && { ...problem, status },
  })
}

const titles = {
  code: 'device_title',
  allowed: 'device_allowed',
  denied: 'device_denied',
  used: 'device_title',
} as const satisfies Record<DevicePage['stage'], AccountPhraseKey>

const problems = {
  unknown: { field: 'user_code', text: 'device_unknown' },
  used: { field: 'user_code', text: 'device_used' },
  again: { field: null, text: 'device_again' },
} as const satisfies Record<Extract<DeviceProblem, string>, { field: string | null; text: AccountPhraseKey }>

async function problemIn(language: string, problem: DeviceProblem | null): Promise<AccountView['problem']> {
  if (problem === null) return null
  if (typeof problem === 'object') return { field: null, ...problem }
  const t = createTranslator<AccountPhraseKey>({ language, phrases: await loadAccountPhrases(language) })
  const { field, text } = problems[problem]
  return { field, message: t(text) }
}
