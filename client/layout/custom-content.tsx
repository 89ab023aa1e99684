import type { ComponentProps } from 'react'
import { useBoot, useHere } from '../app/boot.tsx'
import { usePlatform } from '../app/platform.ts'

/** The operator's own HTML for this very page, beside the main area (product 1). A phone has no room for it. */
export function CustomContent() {
  const { experience } = useBoot()
  const { path } = useHere()
  const platform = usePlatform()
  const html = experience.customContent[path]
  return html && platform === 'web' ? <aside {...drawnFrom(html)} /> : null
}

/**
 * React draws it as it is. It holds no script: the server made it safe when it read the settings
 * (`src/web/custom-content.ts`), and a preview does before it shows it (`preview-content.ts`).
 */
function drawnFrom(__html: string): ComponentProps<'aside'> {
  return { className: 'vestibule-custom-content', dangerouslySetInnerHTML: { __html } }
}
