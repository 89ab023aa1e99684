import { useT } from '../context/boot.tsx'
import { useView } from './account-view.tsx'
import { Heading } from './parts.tsx'

/** Shown this once (spec/account-centre#backup-codes). */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const said = useT()
  const { link } = useView()
  return (
    <>
      <Heading title={said('vestibule.factor_codes_title')} lead={said('vestibule.factor_codes_hint')} />
      <ul className="backup-codes" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a className="account-action" href={link?.back ?? '/account/factors'}>
          {said('vestibule.factor_codes_saved')}
        </a>
      </p>
    </>
  )
}
