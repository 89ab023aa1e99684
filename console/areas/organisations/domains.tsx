import { useState } from 'react'
import type { OrganizationDomain } from '../../../src/contract/organisations/domains.schema.ts'
import { useApi, useChange } from '../../api/queries.ts'
import { useFormats, useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DomainDialog } from './domain-dialog.tsx'
import { domainPhrases } from './domain-phrases.ts'
import { DomainProof } from './domain-proof.tsx'
import { useOrganizationRoleNames } from './organisation-roles.tsx'

/** Lists the domains of an organisation, with their proofs and with who joins by them. */
export default function Domains({ id }: { id: string }) {
  const t = useT(domainPhrases)
  const change = useChange()
  const roleNames = useOrganizationRoleNames()
  const mayWrite = useCan('organizations:write')
  const path = `/organizations/${encodeURIComponent(id)}/domains`
  const { data, error, refetch } = useApi<OrganizationDomain[]>(path)
  const [unproved, setUnproved] = useState<OrganizationDomain | null>(null)
  const [removal, question] = useRemovalColumn<OrganizationDomain>({
    action: t('remove'),
    label: ({ domain }) => t('removeDomain', { domain }),
    lead: t('removeDomainLead'),
    onConfirm: ({ domain }) => change(`${path}/${domain}`, { method: 'DELETE', invalidates: [path] }),
  })
  const actions: Column<OrganizationDomain> = {
    title: t('actions'),
    cell: (row) => (
      <span className="actions">
        <Button
          kind="quiet"
          aria-label={t('proveTitle', { domain: row.domain })}
          onPress={() => setUnproved(row)}
        >
          {t(row.verifiedAt === null ? 'prove' : 'record')}
        </Button>
        <DialogButton kind="quiet" text={t('edit')} aria-label={t('editDomain', { domain: row.domain })}>
          {(close) => <DomainDialog list={path} stored={row} onDone={close} onClose={close} />}
        </DialogButton>
        {removal.cell(row)}
      </span>
    ),
  }
  if (!data) return <Loading failure={error} onRetry={refetch} />
  return (
    <Card
      title={t('domains')}
      lead={t('domainsLead')}
      actions={
        mayWrite && (
          <DialogButton kind="primary" text={t('addDomain')}>
            {(close) => (
              <DomainDialog
                list={path}
                onDone={(created) => {
                  close()
                  setUnproved(created)
                }}
                onClose={close}
              />
            )}
          </DialogButton>
        )
      }
    >
      <Table
        label={t('domains')}
        rows={data.data}
        keyOf={({ domain }) => domain}
        empty={<p>{t('noDomains')}</p>}
        columns={[
          {
            title: t('domain'),
            cell: (row) => (
              <>
                {row.domain} <ProofState domain={row} />
              </>
            ),
          },
          { title: t('join'), cell: ({ join }) => t(join), isHiddenOnPhones: true },
          { title: t('roles'), cell: ({ roleIds }) => roleNames(roleIds), isHiddenOnPhones: true },
          ...(mayWrite ? [actions] : []),
        ]}
      />
      {question}
      {unproved && <DomainProof list={path} domain={unproved} onClose={() => setUnproved(null)} />}
    </Card>
  )
}

function ProofState({ domain: { verifiedAt, missedAt } }: { domain: OrganizationDomain }) {
  const t = useT(domainPhrases)
  const { time } = useFormats()
  if (verifiedAt === null) return <span className="tag">{t('unproved')}</span>
  if (missedAt === null) return <span className="tag good">{t('proved')}</span>
  return <span className="tag bad">{t('missed', { time: time(missedAt) })}</span>
}
