import { renderToString } from 'react-dom/server'
import { App, loadDocument } from '../../client/app/app.tsx'
import { loadDialog } from '../../client/app/late-dialog.tsx'
import { loadPage } from '../../client/app/loaded-pages.tsx'
import { pageTable } from '../../client/app/routes.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { testBootData } from './boot-data.ts'

await Promise.all([
  ...pageTable.map(({ load }) => loadPage(load)),
  loadDocument({ ...testBootData, path: '/nowhere' }),
  loadDialog(),
])

/** Returns the HTML of a page as the server renders it. */
export const renderElement = (page: BootData): string => renderToString(<App boot={page} />)
