import type { ReactElement } from 'react'
import type { PageLayout } from '../../src/contract/experience/experience.ts'

/** What a preview draws. */
export type Screen = { path: string; title: string; layout: PageLayout; element: ReactElement }
