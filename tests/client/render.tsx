import { renderToString } from 'react-dom/server'
import { App, loadPageAt } from '../../client/app/app.tsx'
import { pageTable } from '../../client/routes.ts'
import type { BootData } from '../../src/contract/boot.ts'

await Promise.all(pageTable.map(({ path }) => loadPageAt(path)))

/** The markup of a page, as the server renders it. */
export const renderElement = (page: BootData): string => renderToString(<App boot={page} />)
