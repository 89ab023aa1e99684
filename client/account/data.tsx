import { ButtonLink } from '../ui/button.tsx'
import { useCanEdit, useTexts } from './account-view.tsx'
import { ResultCard } from './card.tsx'
import { DeletionForm } from './deletion-form.tsx'
import { DownloadIcon, TrashIcon } from './icons.tsx'
import { ActionForm, Heading, useDateFormatter } from './parts.tsx'
import { Row, Rows } from './rows.tsx'

const DATA_PATH = '/account/data'
/** The query with which the page asks to confirm the deletion. */
export const DELETION_QUERY = '?edit=deletion'

type Deletion = {
  /** The text that the user has to type to confirm the deletion. */
  name: string
  /**
   * The time at which the account would be deleted if the user requested it now, or null if it would be deleted
   * at once.
   */
  dueAt: number | null
}

/** Lets users download the data stored about them, or delete their account (spec/account-centre#data). */
export function AccountData({
  schema,
  isDeleting,
  name,
  dueAt,
}: Deletion & {
  schema: string
  /** True if the page asks to confirm the deletion. */
  isDeleting: boolean
}) {
  const t = useTexts()
  const day = useDateFormatter()
  const mayDownload = useCanEdit('data')
  const mayDelete = useCanEdit('deletion')
  return (
    <>
      <Heading title={t('data')} lead={t('data_lead')} />
      {(mayDownload || !isDeleting) && (
        <Rows>
          {mayDownload && (
            <Row
              icon={<DownloadIcon />}
              title={<span id="download">{t('download')}</span>}
              value={
                <>
                  {t('download_lead')}
                  <a className="link data-format" href={schema}>
                    {t('download_schema')}
                  </a>
                </>
              }
              end={
                <ActionForm intent="download" about="download">
                  {t('download_file')}
                </ActionForm>
              }
            />
          )}
          {mayDelete && !isDeleting && (
            <Row
              icon={<TrashIcon />}
              title={<span id="delete">{t('delete')}</span>}
              value={t('delete_permanently')}
              to={DATA_PATH + DELETION_QUERY}
            />
          )}
        </Rows>
      )}
      {mayDelete && isDeleting && (
        <DeletionForm
          title={t('delete')}
          warnings={[
            t('delete_lead'),
            dueAt === null ? t('delete_now') : t('delete_on', { date: day(dueAt) }),
          ]}
          name={name}
          backTo={DATA_PATH}
        />
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
