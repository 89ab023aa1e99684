import { findPage } from '../../../client/app/routes.ts'
import type { Phrases } from '../../contract/interactions/boot.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import type { PageFacts } from './page-context.ts'

/**
 * Returns the line that names the application to which the user signs in, if nobody has signed in to it with this
 * browser yet (spec/pages#application). It stands outside the hydrated markup, so scripts need no code for it, and
 * templates have a placeholder for it. It is ASCII, like all values of templates. Returns '' if there is no line.
 */
export function renderApplicationLine(
  { interaction, experience, phrases }: Pick<PageFacts, 'interaction' | 'experience' | 'phrases'>,
  pathname: string,
): string {
  const application = interaction?.isOver ? undefined : interaction?.cookie.newApplication
  if (!application || !hasLine(pathname) || application.name === experience.branding.name) return ''
  const [before = '', after = ''] = sentence(phrases).split('{{application}}')
  const label = escapeHtml(application.name)
  const name = `<bdi>${label}</bdi>`
  // Custom CSS limits the sources of pictures, and templates have one policy for all applications.
  const logo = experience.customCss === null ? (application.logo ?? '') : ''
  const picture = logo.startsWith('https:')
    ? `<img src="${escapeHtml(logo)}" alt="" width="20" height="20">`
    : ''
  return toAscii(
    `<aside class="application" aria-label="${label}">${picture}<p>${escapeHtml(before)}${name}${escapeHtml(after)}</p></aside>`,
  )
}

/** Checks whether a page belongs to the sign-in: neither an end nor a page that shows the application itself. */
function hasLine(pathname: string): boolean {
  const row = findPage(pathname)
  return row !== null && row.needs !== 'nothing' && (row.kind === 'landing' || row.kind === 'step')
}

function sentence({ vestibule }: Phrases): string {
  const phrase = typeof vestibule === 'object' ? vestibule.signing_in_to : undefined
  return typeof phrase === 'string' ? phrase : '{{application}}'
}

const toAscii = (html: string): string =>
  [...html]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0
      return code < 0x80 ? character : `&#${code};`
    })
    .join('')
