import { Fragment } from 'react'
import { DEFAULT_TENANT_SETTINGS, type TenantSettings } from '../../src/contract/tenants/settings.ts'
import { isEditableByUser } from '../../src/domain/applications/claim-paths.ts'
import { useApi } from '../api/queries.ts'
import { useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { Copyable } from '../ui/copy.tsx'
import { exampleTemplate, explainedPaths } from './claim-template-paths.ts'
import { claimsPhrases } from './claims-phrases.ts'

/** The example and the list of paths, with a mark at those that users can edit. */
export function ClaimPaths({ policies }: { policies: ReturnType<typeof useAccountPolicies> }) {
  const t = useT(claimsPhrases)
  return (
    <details className="more">
      <summary>{t('paths')}</summary>
      <Copyable label={t('example')} value={JSON.stringify(exampleTemplate, null, 2)} isBlock />
      <p className="hint">{t('pathsLead')}</p>
      <dl className="facts">
        {explainedPaths.map(({ path, root }) => (
          <Fragment key={path}>
            <dt>
              <code>{path}</code>
            </dt>
            <dd>
              {t(root)} {isEditableByUser(path, policies) && <span className="tag">{t('usersCanEdit')}</span>}
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}

/**
 * Returns what users can change about their accounts. Without the scope to read it, the console assumes that they can
 * change everything.
 */
export function useAccountPolicies() {
  const mayRead = useCan('settings:read')
  const { data } = useApi<TenantSettings>('/configs/settings', { isEnabled: mayRead })
  return (data?.data ?? DEFAULT_TENANT_SETTINGS).accountCentre
}
