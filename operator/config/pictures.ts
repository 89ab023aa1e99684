import { isLoadablePicture } from '../../src/domain/experience/pictures.ts'
import type { SettingsChange } from './change.ts'
import { isObject, type JsonObject, type JsonValue } from './json.ts'
import { type ConfigSection, pathInFile } from './state.ts'

/** Finds pictures in a plan that the content security policy of the pages would block. */
export function findBlockedPictures(changes: readonly SettingsChange[], origin: string): string[] {
  return changes.flatMap((change) => {
    if (change.action === 'delete') return []
    const before = change.action === 'change' ? picturesIn(change.section, change.before) : {}
    return Object.entries(picturesIn(change.section, change.after)).flatMap(([key, url]) => {
      const isKept = change.section !== 'experience' && url === before[key]
      return typeof url !== 'string' || isKept || isLoadablePicture(url, origin)
        ? []
        : [
            `${[...pathInFile(change.section, change.id), key].join('.')}: this picture is neither on https nor on this server.`,
          ]
    })
  })
}

type Pictures = Record<string, JsonValue | undefined>

const picturesIn = (section: ConfigSection, item: JsonObject): Pictures => places[section]?.(item) ?? {}

const places: Partial<Record<ConfigSection, (item: JsonObject) => Pictures>> = {
  experience: ({ branding, layout }) => ({
    ...(isObject(branding) ? prefixed('branding', { ...branding, name: undefined }) : {}),
    ...(isObject(layout) ? prefixed('layout', { pictureUrl: layout.pictureUrl }) : {}),
  }),
  applications: ({ oidcClientMetadata: metadata }) =>
    isObject(metadata) ? prefixed('oidcClientMetadata', { logoUri: metadata.logoUri }) : {},
  connectors: ({ metadata }) => logosOf('metadata', metadata),
  settings: ({ demoSocial = [] }) =>
    Object.assign({}, ...[demoSocial].flat().map((demo, at) => logosOf(`demoSocial.${at}`, demo))),
}

const logosOf = (place: string, item: JsonValue | undefined): Pictures =>
  isObject(item) ? prefixed(place, { logo: item.logo, logoDark: item.logoDark }) : {}

const prefixed = (place: string, pictures: Pictures): Pictures =>
  Object.fromEntries(Object.entries(pictures).map(([key, url]) => [`${place}.${key}`, url]))
