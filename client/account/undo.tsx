import { Button } from '../ui/button.tsx'
import { ShieldIcon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { useTexts } from './account-view.tsx'
import { Card } from './card.tsx'
import { Moment } from './parts.tsx'

type UndoProps = {
  /** The name and value of the hidden field that holds the token of the undo link. */
  change: { name: string; value: string }
  changedAt: number
  /** The previous address, masked. */
  previous: string
  current: string | null
  resets: boolean
}

/** Explains what the undo link in a notice does, and asks users to confirm it (spec/account-centre#undo). */
export function UndoChange({ change, changedAt, previous, current, resets }: UndoProps) {
  const t = useTexts()
  return (
    <Card
      icon={<ShieldIcon />}
      title={t('undo_title')}
      lead={withLink(t('undo_changed'), <Moment at={changedAt} />)}
    >
      <form method="post" className="form">
        <ul className="account-steps">
          <li>{t('undo_restores', { address: previous })}</li>
          {current !== null && <li>{t('undo_removes', { address: current })}</li>}
          <li>{t('undo_takes_back')}</li>
          <li>{t('undo_ends')}</li>
          {resets && <li>{t('undo_resets')}</li>}
        </ul>
        <input type="hidden" {...change} />
        <Button name="intent" value="undo">
          {t('undo_title')}
        </Button>
      </form>
    </Card>
  )
}
