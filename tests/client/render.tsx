import { renderToString } from 'react-dom/server'
import { App, loadPageAt } from '../../client/app/app.tsx'
import { pages } from '../../client/routes.ts'
import type { BootData } from '../../src/contract/boot.ts'

await Promise.all(pages.map(({ path }) => loadPageAt(path)))

/** The markup of a page, as the server renders it. */
export const render = (page: BootData): string => renderToString(<App boot={page} />)
