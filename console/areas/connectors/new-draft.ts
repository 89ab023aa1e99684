import { setDraft, useDraft } from '../../api/drafts.ts'
import { type Config, defaultsOf, type Factory } from './config.ts'

/** What is typed for a connector that is not installed yet, as a draft keeps it (spec/console#drafts). */
type NewConnectorDraft = {
  id: string
  connectorId: string
  config: Config
  metadata: object
  name: string
  target: string
  isOffered: boolean
}

/** One for each factory. `id` is the one that the connector will have. */
export function useNewConnector({ id: connectorId, formItems }: Factory, id: string) {
  const path = `/connectors/new/${connectorId}`
  const draft = useDraft(path)
  const begun = (draft?.changes ?? {}) as Partial<NewConnectorDraft>
  const { name = '', target = id, isOffered = true } = begun
  const config = { ...defaultsOf(formItems), ...begun.config }
  const secrets = formItems.flatMap(({ key, isSecret }) => (isSecret ? [`config.${key}`] : []))

  function change(changes: Partial<NewConnectorDraft>) {
    const values = { name, target, isOffered, config, ...changes }
    const metadata = values.name === '' ? {} : { target: values.target, name: { en: values.name } }
    const lost = (draft?.lost ?? []).filter((field) => !changes.config?.[field.replace(/^config\./, '')])
    setDraft(path, { etag: null, changes: { id, connectorId, metadata, ...values }, secrets, lost })
  }

  return {
    name,
    target,
    isOffered,
    config,
    isBegun: draft !== undefined,
    lostKeys: (draft?.lost ?? []).map((field) => field.replace(/^config\./, '')),
    change,
    changeConfig: (changes: Config) => change({ config: { ...config, ...changes } }),
    discard: () => setDraft(path, null),
  }
}
