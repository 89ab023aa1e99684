import { useRef, useState } from 'react'
import { listCall, parseUserFilter } from '../../../src/domain/users/user-list.ts'
import { call } from '../../api/client.ts'
import { useApi } from '../../api/queries.ts'
import { useCan } from '../../session/permissions.tsx'
import { TextField, useDebounced } from '../../ui/fields.tsx'
import type { NamedUser } from '../users/name-of.ts'
import { useApplications } from './applications.ts'
import { formatParty, type Party, readPartyId, resolveParty, toParty } from './party.ts'
import { useNamesOfUsers } from './user-names.ts'

type PartyFilterProps = { label: string; hint: string; value: string; onChange: (id: string) => void }

/**
 * Chooses a user or an application by name. The value is the id. Callers who may not read users or applications, and
 * those who know the id of a deleted one, type the id.
 */
export function PartyFilter({ label, hint, value, onChange }: PartyFilterProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const { parties, search } = useParties(typed ?? '')
  const names = useNamesOfUsers(value === '' ? [] : [value])
  const name = parties.find(({ id }) => id === value)?.name ?? names.get(value) ?? value
  /** The text that is being resolved, or null. */
  const resolving = useRef<string | null>(null)
  const change = (text: string) => {
    resolving.current = null
    const id = readPartyId(text)
    setTyped(id === null ? text : null)
    if (id !== null && id !== value) onChange(id)
  }
  const finish = async () => {
    // After Enter, the field also loses the focus.
    if (typed === null || resolving.current === typed) return
    resolving.current = typed
    // Users may press Enter before the search has finished.
    const matches = await search(typed).catch(() => parties)
    // The user may have typed something else meanwhile.
    if (resolving.current !== typed) return
    resolving.current = null
    setTyped(null)
    onChange(resolveParty(typed, matches))
  }
  return (
    <TextField
      label={label}
      hint={hint}
      value={typed ?? formatParty({ id: value, name })}
      suggestions={parties.map(formatParty)}
      onChange={change}
      onBlur={() => void finish()}
      onKeyDown={({ key }) => {
        if (key === 'Enter') void finish()
      }}
    />
  )
}

/** The time in milliseconds for which the user has to stop typing before the search starts. */
const DELAY_MS = 200
const MAX_OFFERED = 20

/** Returns the applications and the users who match what is typed, and a function that searches at once. */
function useParties(typed: string) {
  const text = useDebounced(typed.trim(), DELAY_MS)
  const mayReadUsers = useCan('users:read')
  const applications = useApplications() ?? []
  const { path, query } = userSearch(text)
  const isEnabled = mayReadUsers && text !== ''
  const { data } = useApi<NamedUser[]>(path, { query, isEnabled })
  return {
    parties: [...((isEnabled && data?.data) || []).map(toParty), ...applications],
    async search(name: string): Promise<Party[]> {
      const { path, query } = userSearch(name.trim())
      const users = mayReadUsers && name.trim() ? await call<NamedUser[]>(path, { query }) : null
      return [...(users?.data ?? []).map(toParty), ...applications]
    },
  }
}

function userSearch(search: string) {
  const { path, query } = listCall(parseUserFilter(new URLSearchParams({ search })), Date.now())
  return { path, query: { ...query, page_size: MAX_OFFERED } }
}
