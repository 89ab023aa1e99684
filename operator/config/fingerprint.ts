import type { CurrentState } from './current-state.ts'
import { jsonPointer, leafValues } from './json.ts'
import { secretPlaces } from './secret-places.ts'
import { type ConfigState, configSections, pathInFile } from './state.ts'

/** The sections of the file that a state has: scopes belong to `resources`, the applications of a role to `roles`. */
export const fileSections = (state: Partial<ConfigState>): string[] => [
  ...new Set(configSections.flatMap((section) => (state[section] ? [fileSection(section)] : []))),
]

/**
 * SHA-256 in hex of the state of these sections of the file, to see whether it has changed (spec/management#managed-by-code). As
 * in a plan, the order of keys does not count, and null, absent and empty are the same. Secrets are left out: a digest of one
 * could be guessed at, and most are not answered.
 */
export async function fingerprint(
  { state, factories }: Pick<CurrentState, 'state' | 'factories'>,
  sections: readonly string[],
): Promise<string> {
  const isSecret = secretPlaces(factories, state)
  const leaves = configSections
    .filter((section) => sections.includes(fileSection(section)))
    .flatMap((section) =>
      Object.entries(state[section]).flatMap(([id, item]) =>
        // An object without any value is one that exists.
        [{ path: [section, id], value: null }, ...leafValues(item, undefined, [section, id])].filter(
          ({ path: [, , ...path] }) => !isSecret([...pathInFile(section, id), ...path]),
        ),
      ),
    )
  const lines = leaves.map(({ path, value }) => JSON.stringify([jsonPointer(path), value])).toSorted()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines.join('\n')))
  // Not by `toHex`, which Node.js and some browsers do not have yet.
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const fileSection = (section: (typeof configSections)[number]): string =>
  pathInFile(section, '')[0] ?? section
