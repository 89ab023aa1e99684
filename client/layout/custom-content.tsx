import type { ComponentProps } from 'react'
import { useBoot, useCurrentPage } from '../context/boot.tsx'
import { usePlatform } from '../context/platform.ts'

/**
 * The operator's own HTML for this page, shown beside the main area (spec/experience#custom-content). It is not
 * shown on phones.
 */
export function CustomContent() {
  const { experience } = useBoot()
  const { path } = useCurrentPage()
  const platform = usePlatform()
  const html = experience.customContent[path]
  return html && platform === 'web' ? <aside {...insertedHtml(html)} /> : null
}

/**
 * Tells React to insert the HTML unchanged. It contains no scripts: the server sanitized it when reading the
 * settings (`src/web/pages/custom-content.ts`), and a preview does so before showing it
 * (`client/browser/safe-content.ts`).
 */
function insertedHtml(__html: string): ComponentProps<'aside'> {
  return { className: 'vestibule-custom-content', dangerouslySetInnerHTML: { __html } }
}
