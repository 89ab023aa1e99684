import { renderToReadableStream } from 'react-dom/server.edge'
import { App, loadDocument } from '../../../client/app/app.tsx'
import type { BootData } from '../../contract/interactions/boot.ts'

/**
 * Renders the markup of a page. No component suspends, so the stream is complete immediately
 * (spec/pages#rendering).
 */
export async function renderMarkup(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  await loadDocument(boot)
  return renderToReadableStream(<App boot={boot} />)
}
