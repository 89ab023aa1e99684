import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { CreateDialog } from '../../ui/create-dialog.tsx'
import { CreateButton, DialogButton, useRemovalColumn } from '../../ui/dialog-button.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { AreaPage } from './area-page.tsx'
import type { Scope } from './scopes-access.ts'
import { templatePhrases } from './template-phrases.ts'

type OrganizationScope = Omit<Scope, 'resourceId'>

const PATH = '/organization-scopes'

/** The lists that are read again after a change. Roles include scopes. */
const invalidates = [PATH, '/organization-roles']

/** Lists the scopes of tokens for organisations themselves. */
export default function ScopeList() {
  const t = useT(templatePhrases)
  const change = useChange()
  const mayWrite = useCan('roles:write')
  const [removal, question] = useRemovalColumn<OrganizationScope>({
    action: t('delete'),
    label: ({ name }) => t('deleteScope', { name }),
    lead: t('deleteScopeLead'),
    onConfirm: ({ id }) => change(`${PATH}/${id}`, { method: 'DELETE', invalidates }),
  })
  const fieldsOf = (scope?: OrganizationScope) =>
    [
      { name: 'name', label: t('scope'), hint: t('scopeHint'), isCode: true, initial: scope?.name ?? '' },
      { name: 'description', label: t('description'), initial: scope?.description ?? '' },
    ] as const
  return (
    <AreaPage
      actions={
        <CreateButton
          text={t('newScope')}
          scope="roles:write"
          fields={fieldsOf()}
          onCreate={async (body, close) => {
            await change(PATH, { method: 'POST', body, invalidates })
            close()
          }}
        />
      }
    >
      <p>{t('scopeListLead')}</p>
      <PagedTable<OrganizationScope>
        path={PATH}
        label={t('scopes')}
        keyOf={({ id }) => id}
        empty={<p>{t('noScopes')}</p>}
        columns={[
          { title: t('scope'), cell: ({ name }) => <code>{name}</code> },
          { title: t('description'), cell: ({ description }) => description, isHiddenOnPhones: true },
          ...(mayWrite
            ? [
                {
                  title: t('actions'),
                  cell: (scope: OrganizationScope) => (
                    <span className="actions">
                      {' '}
                      <DialogButton
                        kind="quiet"
                        text={t('change')}
                        aria-label={t('editScope', { name: scope.name })}
                      >
                        {(close) => (
                          <CreateDialog
                            title={t('editScope', { name: scope.name })}
                            action={t('save')}
                            needsStepUp
                            fields={fieldsOf(scope)}
                            onCreate={async (body) => {
                              await change(`${PATH}/${scope.id}`, { method: 'PATCH', body, invalidates })
                              close()
                            }}
                            onClose={close}
                          />
                        )}
                      </DialogButton>
                      {removal.cell(scope)}
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
      {question}
    </AreaPage>
  )
}
