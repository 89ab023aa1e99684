import { Button, ButtonLink } from '../ui/button.tsx'
import { PersonIcon } from '../ui/icons.tsx'
import { useCanEdit, useTexts } from './account-view.tsx'
import { ActionForm, Heading } from './parts.tsx'
import { CropDialog } from './picture-crop.tsx'

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** Lets users replace or remove their picture (spec/account-centre#picture). */
export function Picture({ avatar, mayUpload }: { avatar: string | null; mayUpload: boolean }) {
  const t = useTexts()
  const mayChange = useCanEdit('avatar')
  return (
    <>
      <Heading title={t('picture')} lead={t('profile_lead')} />
      <section className="account-card">
        <div className="picture-current">
          {avatar ? (
            <img className="account-avatar" src={avatar} alt={t('picture')} width={96} height={96} />
          ) : (
            <span className="disc picture-empty">
              <PersonIcon />
            </span>
          )}
          {mayChange && avatar && <ActionForm intent="remove">{t('remove_address')}</ActionForm>}
        </div>
        {mayChange && mayUpload && (
          <form method="post" encType="multipart/form-data" className="account-form profile-form">
            <div className="field">
              <label className="field-label" htmlFor="picture">
                {t('new_picture')}
              </label>
              <input
                type="file"
                id="picture"
                name="picture"
                accept={PICTURE_TYPES.join()}
                aria-describedby="picture-hint picture-problem"
                data-crop="crop"
                required
              />
              <div className="field-hint" id="picture-hint">
                {t('picture_hint')}
              </div>
              <p className="field-problem" id="picture-problem" role="alert" data-text={t('crop_failed')} />
            </div>
            <div className="account-actions">
              <Button name="intent" value="upload">
                {t('save')}
              </Button>
              <ButtonLink kind="quiet" href="/account/profile">
                {t('action.cancel')}
              </ButtonLink>
            </div>
          </form>
        )}
      </section>
      {mayChange && mayUpload && <CropDialog />}
    </>
  )
}
