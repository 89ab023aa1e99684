import { setDraft, useDraft } from '../../api/drafts.ts'
import { defaultAfterSignOut } from './after-sign-out.ts'
import { type ApplicationKind, kindRows } from './kinds.ts'

/** The path of the draft. No application has this path, because application ids contain no tilde. */
const PATH = '/applications/~new'

type NewApplicationDraft = {
  kind: ApplicationKind
  name: string
  redirectUris: string[]
  /** Undefined until the user changes it. Until then, it follows the redirect URIs. */
  postLogoutRedirectUris?: string[] | undefined
}

/** Keeps the input for a new application until it is created, in the form of a draft (spec/console#drafts). */
export function useNewApplication() {
  const draft = useDraft(PATH)?.changes as Partial<NewApplicationDraft> | undefined
  const { kind = 'spa', name = '', redirectUris = defaultUris(kind), postLogoutRedirectUris } = draft ?? {}
  const change = (changes: Partial<NewApplicationDraft>) =>
    setDraft(PATH, { etag: null, changes: { kind, name, redirectUris, postLogoutRedirectUris, ...changes } })
  return {
    kind,
    name,
    redirectUris,
    postLogoutRedirectUris: postLogoutRedirectUris ?? defaultAfterSignOut(kind, redirectUris),
    isBegun: draft !== undefined,
    change,
    choose: (next: ApplicationKind) =>
      change({ kind: next, redirectUris: defaultUris(next), postLogoutRedirectUris: undefined }),
    discard: () => setDraft(PATH, null),
  }
}

function defaultUris(kind: ApplicationKind): string[] {
  return [...(kindRows[kind].redirectUris ?? [])]
}
