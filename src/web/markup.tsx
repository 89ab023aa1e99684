import { renderToReadableStream } from 'react-dom/server.edge'
import { App } from '../../client/app.tsx'
import { allPages } from '../../client/pages/all.ts'
import type { BootData, Phrases } from '../contract/boot.ts'
import type { Experience } from '../contract/experience.ts'
import { INTERACTION_PARAM } from '../contract/interaction.ts'

/** What React draws for a page. Nothing in it suspends, so it is whole as soon as it begins (design 2). */
export function draw(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  return renderToReadableStream(<App boot={boot} pages={allPages} />)
}

/**
 * The same for a page that shows everybody the same: drawn once for as long as the settings are remembered, with
 * a stand-in where the interaction's id belongs (design 5). Null for a page that has something of its own to say.
 */
export async function drawShared(boot: BootData): Promise<string | null> {
  const { interaction } = boot
  if (!interaction || !isShared(boot)) return null
  const search = boot.search.replace(interaction, STAND_IN)
  const shared = { ...boot, interaction: STAND_IN, search, restartUrl: null }

  const known = drawnWith(boot)
  const offered = boot.languages.map(({ tag }) => tag).join()
  const key = [boot.language, offered, boot.platform, boot.origin, boot.path, search].join(' ')
  let markup = known.get(key)
  if (markup === undefined) {
    markup = await new Response(await draw(shared)).text()
    if (known.size < MOST_PAGES) known.set(key, markup)
  }
  return markup.replaceAll(STAND_IN, interaction)
}

/** As long as an id may be, of the characters an id may have: it means the same to HTML and to addresses. */
const STAND_IN = 'the-id-of-the-interaction-goes-here'

/** More than there are pages and languages; the path of some pages is the visitor's to choose. */
const MOST_PAGES = 200

function isShared({ interaction, search, step, notice, values, error, logout, onward }: BootData): boolean {
  const isPlain = search === '' || search === `?${INTERACTION_PARAM}=${interaction}`
  return isPlain && !step && !notice && !error && !logout && !onward && Object.keys(values).length === 0
}

/** Settings and phrases that were read anew are other objects, so what was drawn with the old ones is forgotten with them. */
const drawn = new WeakMap<Experience, WeakMap<Phrases, Map<string, string>>>()

function drawnWith({ experience, phrases }: BootData): Map<string, string> {
  const byPhrases = drawn.get(experience) ?? new WeakMap<Phrases, Map<string, string>>()
  drawn.set(experience, byPhrases)
  const known = byPhrases.get(phrases) ?? new Map<string, string>()
  byPhrases.set(phrases, known)
  return known
}
