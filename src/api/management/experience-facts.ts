import { builtInLanguages } from '../../contract/languages.ts'
import type { SettingsFacts } from '../../domain/experience-settings.ts'
import { inboxChannels, installedChannels } from '../../domain/message-channels.ts'
import type { Settings } from '../../env.ts'

/** What an experience is judged by: the connectors and languages there are. */
export function experienceFacts(
  { environment }: Pick<Settings, 'environment'>,
  connectors: readonly { connectorId: string }[],
  custom: readonly { languageTag: string }[],
): SettingsFacts {
  const installed = installedChannels(connectors.map(({ connectorId }) => connectorId))
  return {
    // None of them is social yet.
    connectors: { ...(environment === 'development' ? inboxChannels : installed), targets: [] },
    languages: [...builtInLanguages, ...custom.map(({ languageTag }) => languageTag)],
  }
}
