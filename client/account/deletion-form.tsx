import { Button, ButtonLink } from '../ui/button.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { useTexts, useView } from './account-view.tsx'
import { Input } from './parts.tsx'

/** The form that deletes an account or an organisation after its user has typed a name. */
export function DeletionForm({
  title,
  warnings,
  name,
  backTo,
}: {
  /** The heading, which is also the text of the button. */
  title: string
  warnings: readonly string[]
  /** The text that the user has to type. */
  name: string
  /** The path of the page without the form. */
  backTo: string
}) {
  const t = useTexts()
  const { typed, problem } = useView()
  return (
    <section className="account-group" aria-labelledby="delete">
      <h2 id="delete">{title}</h2>
      <form method="post" className="account-card account-form profile-form">
        <div className="profile-warning">
          <AlertIcon />
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </div>
        <Input
          name="confirm"
          label={t('delete_type', { name })}
          defaultValue={typed.confirm}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          {...(!problem && { autoFocus: true })}
        />
        <Confirmation intent="delete" text={title} backTo={backTo} />
      </form>
    </section>
  )
}

/** The buttons that carry out or cancel what the page asks the user to confirm. */
export function Confirmation({ intent, text, backTo }: { intent: string; text: string; backTo: string }) {
  const t = useTexts()
  return (
    <div className="account-actions">
      <Button kind="danger" name="intent" value={intent}>
        {text}
      </Button>
      <ButtonLink kind="quiet" href={backTo}>
        {t('action.cancel')}
      </ButtonLink>
    </div>
  )
}
