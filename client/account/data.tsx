import { ButtonLink } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { useCanEdit, useProblem, useTexts, useView } from './account-view.tsx'
import { ResultCard } from './card.tsx'
import { ActionForm, ActionLink, Heading, useDateFormatter } from './parts.tsx'

/** Lets users download the data stored about them, or delete their account (spec/account-centre#data). */
export function AccountData({
  schema,
  dueAt,
}: {
  schema: string
  /**
   * The time at which the account would be deleted if the user requested it now, or null if it would be deleted
   * at once.
   */
  dueAt: number | null
}) {
  const t = useTexts()
  const day = useDateFormatter()
  const { typed } = useView()
  const problem = useProblem('confirm')
  return (
    <>
      <Heading title={t('data')} lead={t('data_lead')} />
      {useCanEdit('data') && (
        <section className="account-card">
          <h2 id="download">{t('download')}</h2>
          <p>{t('download_lead')}</p>
          <ActionForm intent="download" about="download">
            {t('download')}
          </ActionForm>
          <p>
            <ActionLink to={schema}>{t('download_schema')}</ActionLink>
          </p>
        </section>
      )}
      {useCanEdit('deletion') && (
        <section className="account-card">
          <h2 id="delete">{t('delete')}</h2>
          <p>{t('delete_lead')}</p>
          <p>{dueAt === null ? t('delete_now') : t('delete_grace', { date: day(dueAt) })}</p>
          <form method="post" className="account-confirm">
            <Checkbox name="confirm" value="yes" defaultChecked={typed.confirm === 'yes'} problem={problem}>
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

/**
 * The page shown after the user has requested the deletion of the account and has been signed out. `dueAt` is null if
 * the account has already been deleted.
 */
export function AccountDeleted({ dueAt }: { dueAt: number | null }) {
  const t = useTexts()
  const day = useDateFormatter()
  if (dueAt === null) return <ResultCard kind="done" title={t('deleted')} lead={t('deleted_lead')} />
  return (
    <ResultCard
      kind="expired"
      title={t('deletion_planned')}
      lead={t('deletion_planned_lead', { date: day(dueAt) })}
    >
      <ButtonLink kind="quiet" href="/account">
        {t('vestibule.sign_in_again')}
      </ButtonLink>
    </ResultCard>
  )
}
