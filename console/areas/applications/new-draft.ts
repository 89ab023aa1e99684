import { setDraft, useDraft } from '../../api/drafts.ts'
import { type Kind, kindRows } from './kinds.ts'

/** No address of the API: ids of applications have no tilde. */
const PATH = '/applications/~new'

type NewApplicationDraft = { kind: Kind; name: string; redirectUris: string[] }

/** What is typed for an application that is not created yet, as a draft keeps it (spec/console#drafts). */
export function useNewApplication() {
  const draft = useDraft(PATH)?.changes as Partial<NewApplicationDraft> | undefined
  const { kind = 'spa', name = '', redirectUris = defaultUris(kind) } = draft ?? {}
  const change = (changes: Partial<NewApplicationDraft>) =>
    setDraft(PATH, { etag: null, changes: { kind, name, redirectUris, ...changes } })
  return {
    kind,
    name,
    redirectUris,
    isBegun: draft !== undefined,
    change,
    choose: (next: Kind) => change({ kind: next, redirectUris: defaultUris(next) }),
    discard: () => setDraft(PATH, null),
  }
}

function defaultUris(kind: Kind): string[] {
  const { redirectUri } = kindRows[kind]
  return redirectUri === null ? [] : [redirectUri]
}
