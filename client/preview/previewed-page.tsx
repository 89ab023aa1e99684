import type { ReactElement } from 'react'
import type { PageLayout } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { App, loadDocument } from '../app/app.tsx'
import { choosePage } from '../app/page-choice.ts'
import { pageTitle } from '../app/page-title.ts'
import { CONSENT_PATH } from '../app/routes.ts'
import { sampleConsent, sampleError, sampleNavigation } from './samples.ts'

/** The rendered content of a preview. */
export type Screen = { path: string; title: string; layout: PageLayout; element: ReactElement }

/** Renders the sign-in page in the boot data, or the page to which its settings redirect. */
export async function renderPageScreen(boot: BootData, hasFailed: boolean): Promise<Screen> {
  const { experience } = boot
  const choice = choosePage(boot.path, { experience, navigation: null })
  const path = choice.kind === 'redirect' ? choice.path : boot.path
  const page: BootData = {
    ...boot,
    path,
    navigation: sampleNavigation(path, experience),
    consent: path === CONSENT_PATH ? sampleConsent : null,
    error: hasFailed ? sampleError(boot.phrases) : null,
  }
  await loadDocument(page)
  return {
    path,
    title: pageTitle(page),
    layout: experience.layout,
    element: <App key={`${path} ${hasFailed}`} boot={page} />,
  }
}
