import { useContext } from 'react'
import { ORGANIZATION_FIELD, PERSONAL } from '../../src/contract/organisations/organizations.ts'
import { useT } from '../context/boot.tsx'
import { PendingContext } from '../ui/button.tsx'
import { NextIcon, PersonIcon } from '../ui/icons.tsx'
import { Spinner } from '../ui/loading.tsx'

type Row = { id: string; name: string; isLastUsed?: boolean }

/** Offers to act for one organisation, or for nobody else. */
export function OrganizationRow({ id, name, isLastUsed = false }: Row) {
  const t = useT()
  const isBusy = useContext(PendingContext)?.value === id
  return (
    <li>
      <button
        type="submit"
        className="account-choice"
        name={ORGANIZATION_FIELD}
        value={id}
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || undefined}
      >
        <span className="account-initial" aria-hidden="true">
          {id === PERSONAL ? <PersonIcon /> : initialOf(name)}
        </span>
        <span className="account-choice-text">
          <bdi className="account-name">{name}</bdi>
          {isLastUsed && <span className="last-used">{t('vestibule.last_used')}</span>}
        </span>
        {isBusy ? <Spinner /> : <NextIcon />}
      </button>
    </li>
  )
}

/** The first letter or number of a name, with its combining marks. */
const initialOf = (name: string) => (/[\p{L}\p{N}]\p{M}*/u.exec(name)?.[0] ?? '·').toLocaleUpperCase()
