import { isLoadablePicture } from '../../src/domain/experience/pictures.ts'
import type { SettingsChange } from './change.ts'
import { isObject, type JsonObject, type JsonValue } from './json.ts'
import { type ConfigSection, placeOf } from './state.ts'

/** Pictures that the policy of the pages would block, as far as the plan changes them. */
export function blockedPictures(changes: readonly SettingsChange[], origin: string): string[] {
  return changes.flatMap((change) => {
    if (change.action === 'delete') return []
    const before = change.action === 'change' ? picturesIn(change.section, change.before) : {}
    return Object.entries(picturesIn(change.section, change.after)).flatMap(([key, address]) => {
      const isKept = change.section !== 'experience' && address === before[key]
      return typeof address !== 'string' || isKept || isLoadablePicture(address, origin)
        ? []
        : [
            `${[...placeOf(change.section, change.id), key].join('.')}: is neither an address of https nor of this server.`,
          ]
    })
  })
}

type Pictures = Record<string, JsonValue | undefined>

const picturesIn = (section: ConfigSection, item: JsonObject): Pictures => places[section]?.(item) ?? {}

const places: Partial<Record<ConfigSection, (item: JsonObject) => Pictures>> = {
  experience: ({ branding, layout }) => ({
    ...(isObject(branding) ? named('branding', { ...branding, name: undefined }) : {}),
    ...(isObject(layout) ? named('layout', { pictureUrl: layout.pictureUrl }) : {}),
  }),
  applications: ({ oidcClientMetadata: metadata }) =>
    isObject(metadata) ? named('oidcClientMetadata', { logoUri: metadata.logoUri }) : {},
  connectors: ({ metadata }) => logosOf('metadata', metadata),
  settings: ({ demoSocial = [] }) =>
    Object.assign({}, ...[demoSocial].flat().map((demo, at) => logosOf(`demoSocial.${at}`, demo))),
}

const logosOf = (place: string, item: JsonValue | undefined): Pictures =>
  isObject(item) ? named(place, { logo: item.logo, logoDark: item.logoDark }) : {}

const named = (place: string, pictures: Pictures): Pictures =>
  Object.fromEntries(Object.entries(pictures).map(([key, address]) => [`${place}.${key}`, address]))
