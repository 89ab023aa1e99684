import type { z } from 'zod'
import type { ManagedUser } from '../../../src/contract/users/users.schema.ts'
import { useT } from '../../phrases.ts'
import { texts } from './phrases.ts'

/** Shows next to the name whether an account is suspended or due for deletion. */
export function UserStatus({
  user,
}: {
  user: Pick<z.infer<typeof ManagedUser>, 'isSuspended' | 'deletion'>
}) {
  const t = useT(texts)
  return (
    <>
      {user.isSuspended && <span className="tag bad">{t('suspended')}</span>}
      {user.deletion && <span className="tag bad">{t('deletionPlanned')}</span>}
    </>
  )
}
