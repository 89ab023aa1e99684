import { Checkbox } from '../ui/checkbox.tsx'
import { type AccountView, useMayChange, useTexts, useView } from './account-view.tsx'
import { ActionForm, Heading, useDay } from './parts.tsx'

/** What is stored about the user, to take along or to delete (spec/account-centre#data). */
export function Data({
  schema,
  dueAt,
  problem,
}: {
  schema: string
  /** When an account would be deleted that is asked for now; null: at once. */
  dueAt: number | null
  problem: AccountView['problem']
}) {
  const t = useTexts()
  const day = useDay()
  const { typed } = useView()
  return (
    <>
      <Heading title={t('data')} lead={t('data_lead')} />
      {useMayChange('data') && (
        <section className="account-card">
          <h2 id="download">{t('download')}</h2>
          <p>{t('download_lead')}</p>
          <ActionForm intent="download" about="download">
            {t('download')}
          </ActionForm>
          <p>
            <a className="account-action" href={schema}>
              {t('download_schema')}
            </a>
          </p>
        </section>
      )}
      {useMayChange('deletion') && (
        <section className="account-card">
          <h2 id="delete">{t('delete')}</h2>
          <p>{t('delete_lead')}</p>
          <p>{dueAt === null ? t('delete_now') : t('delete_grace', { date: day(dueAt) })}</p>
          <form method="post" className="account-confirm">
            <Checkbox
              name="confirm"
              value="yes"
              defaultChecked={typed.confirm === 'yes'}
              problem={problem?.field === 'confirm' ? problem.message : undefined}
            >
              {t('delete_confirm')}
            </Checkbox>
            <button
              type="submit"
              className="account-action account-danger"
              name="intent"
              value="delete"
              aria-describedby="delete"
            >
              {t('delete')}
            </button>
          </form>
        </section>
      )}
    </>
  )
}

/** What a user is told who is signed out by it. Null: the account is gone. */
export function Deleted({ dueAt }: { dueAt: number | null }) {
  const t = useTexts()
  const day = useDay()
  return dueAt === null ? (
    <Heading title={t('deleted')} lead={t('deleted_lead')} />
  ) : (
    <Heading title={t('deletion_planned')} lead={t('deletion_planned_lead', { date: day(dueAt) })} />
  )
}
