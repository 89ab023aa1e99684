import { useState } from 'react'
import type { z } from 'zod'
import type { ClaimsPreview as ClaimsPreviewSchema } from '../../src/contract/applications/claim-template.schema.ts'
import { type ClaimTemplate, MAX_CLAIMS_BYTES } from '../../src/contract/applications/claim-template.ts'
import { listCall, parseUserFilter } from '../../src/domain/users/user-list.ts'
import { call } from '../api/client.ts'
import { useApi } from '../api/queries.ts'
import { useFormats, useT } from '../phrases.ts'
import { useCan } from '../session/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Select, TextField, useDebounced } from '../ui/fields.tsx'
import { Loading } from '../ui/page.tsx'
import { claimsPhrases } from './claims-phrases.ts'
import { formatUserName, type NamedUser } from './users/name-of.ts'

type Preview = z.infer<typeof ClaimsPreviewSchema>

type PreviewProps = {
  path: string
  /** The template in the form, saved or not. */
  template: ClaimTemplate | null
  isDisabled: boolean
}

/** Shows the claims that a template gives for a chosen user. Changing the template or the user hides the result. */
export function ClaimsPreview({ path, template, isDisabled }: PreviewProps) {
  const t = useT(claimsPhrases)
  const { number } = useFormats()
  const mayReadUsers = useCan('users:read')
  const [userId, setUserId] = useState('')
  const [result, setResult] = useState<{ of: string; preview: Preview | null; failure: Error | null }>()
  if (!mayReadUsers) return <p className="hint">{t('previewNeedsUsers')}</p>
  const input = JSON.stringify({ userId, claims: template })
  const show = async () => {
    try {
      const options = { method: 'POST', body: { userId, claims: template } } as const
      const { data } = await call<Preview>(`${path}/claims/preview`, options)
      setResult({ of: input, preview: data, failure: null })
    } catch (failure) {
      const problem = failure instanceof Error ? failure : new Error(String(failure))
      setResult({ of: input, preview: null, failure: problem })
    }
  }
  const { preview, failure } = result?.of === input ? result : { preview: null, failure: null }
  return (
    <fieldset className="group">
      <legend>{t('preview')}</legend>
      <div className="filters">
        <UserChoice value={userId} onChange={setUserId} />
        <Button isDisabled={userId === '' || isDisabled} onPress={show}>
          {t('showPreview')}
        </Button>
      </div>
      <div aria-live="polite">
        {failure && <Loading failure={failure} />}
        {preview && (
          <>
            <Copyable
              label={t('previewOf', { size: number(preview.size), limit: number(MAX_CLAIMS_BYTES) })}
              value={JSON.stringify(preview.claims, null, 2)}
              isBlock
            />
            {preview.isTooLarge && <p className="problem">{t('tooLarge')}</p>}
          </>
        )}
      </div>
    </fieldset>
  )
}

/** The time in milliseconds for which the user has to stop typing before the search starts. */
const DELAY_MS = 200
const MAX_OFFERED = 20

/** Offers the users who match a search, or the newest ones. */
function UserChoice({ value, onChange }: { value: string; onChange: (userId: string) => void }) {
  const t = useT(claimsPhrases)
  const [search, setSearch] = useState('')
  const list = listCall(
    parseUserFilter(new URLSearchParams({ search: useDebounced(search, DELAY_MS) })),
    Date.now(),
  )
  const { data, error, refetch } = useApi<NamedUser[]>(list.path, {
    query: { ...list.query, page_size: MAX_OFFERED },
  })
  if (!data) return <Loading failure={error} onRetry={refetch} />
  return (
    <>
      <TextField label={t('searchUser')} type="search" value={search} onChange={setSearch} />
      <Select
        label={t('user')}
        value={data.data.some(({ id }) => id === value) ? value : ''}
        options={[
          { value: '', label: t(data.data.length === 0 ? 'noUser' : 'chooseUser') },
          ...data.data.map((user) => ({ value: user.id, label: formatUserName(user) })),
        ]}
        onChange={onChange}
      />
    </>
  )
}
