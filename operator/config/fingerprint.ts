import type { CurrentState } from './current-state.ts'
import { jsonPointer, leafValues } from './json.ts'
import { createSecretPathTest } from './secret-places.ts'
import { type ConfigState, configSections, pathInFile } from './state.ts'

/**
 * Returns the sections of the file that a state belongs to. Scopes are part of `resources`, and the applications of a
 * role are part of `roles`.
 */
export const findFileSections = (state: Partial<ConfigState>): string[] => [
  ...new Set(configSections.flatMap((section) => (state[section] ? [fileSection(section)] : []))),
]

/**
 * Returns the SHA-256 digest of the state of these sections, in hex, to detect whether it has changed
 * (spec/management#managed-by-code). As in a plan, the order of keys does not matter, and null, absent and empty
 * values are equal. Secrets are excluded, because they could be guessed from a digest and the server does not return
 * most of them.
 */
export async function computeFingerprint(
  { state, factories }: Pick<CurrentState, 'state' | 'factories'>,
  sections: readonly string[],
): Promise<string> {
  const isSecret = createSecretPathTest(factories, state)
  const leaves = configSections
    .filter((section) => sections.includes(fileSection(section)))
    .flatMap((section) =>
      Object.entries(state[section]).flatMap(([id, item]) =>
        // The fingerprint also has to include objects without values.
        [{ path: [section, id], value: null }, ...leafValues(item, undefined, [section, id])].filter(
          ({ path: [, , ...path] }) => !isSecret([...pathInFile(section, id), ...path]),
        ),
      ),
    )
  const lines = leaves.map(({ path, value }) => JSON.stringify([jsonPointer(path), value])).toSorted()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines.join('\n')))
  // Don't use `toHex`, because Node.js and some browsers do not support it yet.
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const fileSection = (section: (typeof configSections)[number]): string =>
  pathInFile(section, '')[0] ?? section
