import type { ComponentProps } from 'react'
import { useBoot, useHere } from '../context/boot.tsx'
import { usePlatform } from '../context/platform.ts'

/** The operator's own HTML for this page, beside the main area (spec/experience#custom-content). Not on phones. */
export function CustomContent() {
  const { experience } = useBoot()
  const { path } = useHere()
  const platform = usePlatform()
  const html = experience.customContent[path]
  return html && platform === 'web' ? <aside {...insertedHtml(html)} /> : null
}

/**
 * React inserts it unchanged. It holds no script: the server made it safe when it read the settings
 * (`src/web/pages/custom-content.ts`), and a preview does before it shows it (`client/browser/safe-content.ts`).
 */
function insertedHtml(__html: string): ComponentProps<'aside'> {
  return { className: 'vestibule-custom-content', dangerouslySetInnerHTML: { __html } }
}
