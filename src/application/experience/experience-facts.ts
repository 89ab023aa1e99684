import { builtInLanguages } from '../../contract/experience/languages.ts'
import type { DemoSocial } from '../../contract/tenants/settings.ts'
import { inboxChannels, installedChannels } from '../../domain/codes/message-channels.ts'
import type { SettingsFacts } from '../../domain/experience/experience-settings.ts'
import { demosOf } from '../../domain/social/demo-social.ts'
import { targetOf } from '../../storage/connectors/connectors.ts'
import type { Settings } from '../settings.ts'

/** The installed connectors and the languages by which settings are checked (spec/experience#rules). */
export function experienceFacts(
  { environment }: Pick<Settings, 'environment'>,
  given: {
    connectors: readonly Parameters<typeof targetOf>[0][]
    languages: readonly { languageTag: string }[]
    demos: readonly DemoSocial[]
  },
): SettingsFacts {
  const isDevelopment = environment === 'development'
  const installed = installedChannels(given.connectors.map(({ connectorId }) => connectorId))
  const demos = isDevelopment ? demosOf(given.demos) : []
  return {
    connectors: {
      ...(isDevelopment ? inboxChannels : installed),
      targets: [
        ...given.connectors.flatMap((row) => targetOf(row) ?? []),
        ...demos.map(({ target }) => target),
      ],
    },
    languages: [...builtInLanguages, ...given.languages.map(({ languageTag }) => languageTag)],
  }
}
