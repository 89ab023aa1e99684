import { retryFailed, useApi } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { apiOrigin } from '../../session/place.ts'
import { CopyableFacts } from '../../ui/copyable-facts.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { type Api, type Application, toGuideValues } from './application.ts'
import { GuideChoice } from './guide-choice.tsx'
import { canKeepSecret, findKind } from './kinds.ts'
import { guidePhrases } from './phrases.ts'

const issuer = `${apiOrigin}/oidc`

/** Shows how to use the application with the chosen library, with the application's own id, URLs and API. */
export default function GuidePage({ application }: { application: Application }) {
  const t = useT(guidePhrases)
  const mayReadApis = useCan('roles:read')
  const apis = useApi<Api[]>('/resources', { query: { includeScopes: true }, isEnabled: mayReadApis })
  if (mayReadApis && !apis.data) return <Loading failure={apis.error} onRetry={retryFailed(apis)} />
  const kind = findKind(application)
  const [redirectUri] = application.oidcClientMetadata.redirectUris
  const facts = [
    ['clientId', application.id],
    ['issuer', issuer],
    ...(redirectUri === undefined ? [] : [['redirectUri', redirectUri] as const]),
  ] as const
  return (
    <Card
      title={t(kind === 'machine' ? 'callTitle' : 'title')}
      lead={t(canKeepSecret(application.type) ? 'leadWithSecret' : 'lead')}
    >
      <CopyableFacts facts={facts.map(([name, value]) => ({ label: t(name), value }))} />
      <GuideChoice kind={kind} values={toGuideValues(application, issuer, apis.data?.data ?? [])} />
    </Card>
  )
}
