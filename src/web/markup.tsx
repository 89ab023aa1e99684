import { renderToReadableStream } from 'react-dom/server.edge'
import { App } from '../../client/app/app.tsx'
import { allPages } from '../../client/pages/all.ts'
import type { BootData } from '../contract/boot.ts'

/** What React draws for a page. Nothing in it suspends, so it is whole as soon as it begins (design 2). */
export function draw(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  return renderToReadableStream(<App boot={boot} pages={allPages} />)
}
