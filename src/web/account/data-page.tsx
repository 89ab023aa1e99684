import { AccountData, AccountDeleted, DELETION_QUERY } from '../../../client/account/data.tsx'
import { createTranslator } from '../../../client/context/phrases.ts'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import { downloadOwnData } from '../../application/account/data.ts'
import {
  computeDeletionDueAt,
  deletionDateQueries,
  requestOwnDeletion,
} from '../../application/account/deletion.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { type AccountPhraseKey, loadAccountPhrases } from '../../contract/account/account-catalogue.ts'
import { isFieldVisible } from '../../contract/account/account-fields.ts'
import { refuseWith } from '../../contract/refused.ts'
import { getDeletionName, isDeletionName } from '../../domain/account/deletion-name.ts'
import { redirectTo } from '../redirect.ts'
import {
  deleteAccountCookie,
  deleteAccountCookies,
  sealAccountCookie,
  unsealAccountCookie,
} from './cookies.ts'
import type { AccountPage } from './page.ts'
import { FieldProblem } from './problem.ts'
import { renderAccountPage } from './render.tsx'
import type { Visit } from './visit.ts'

export const DATA_SCHEMA_PATH = '/account/data.schema.json'
export const DELETED_PATH = '/account/deleted'

export const dataPage: AccountPage = {
  async show({ dependencies, tenantId, url, read }, { fields, typed }) {
    const { db, tenantSettings } = dependencies
    if (!isFieldVisible(fields, 'data') && !isFieldVisible(fields, 'deletion')) refuseWith('entity.not_found')
    const now = dependencies.now()
    const { signedIn, rows } = await read((userId) => deletionDateQueries(db, tenantId, userId, now))
    const { accountCentre } = await tenantSettings.get(tenantId)
    const dueAt = computeDeletionDueAt(accountCentre, { now, undo: rows.undo[0] })
    const { user } = signedIn
    const body = (
      <AccountData
        schema={DATA_SCHEMA_PATH}
        dueAt={dueAt}
        name={getDeletionName(user, url.host)}
        isDeleting={url.search === DELETION_QUERY || typed.intent === 'delete'}
      />
    )
    return { title: 'data', signedIn, body }
  },
  actions: {
    async download({ dependencies, tenantId, url, signedIn, beginAudit }) {
      await requireEditableFields(dependencies, tenantId, ['data'])
      beginAudit('Account.Data.Export')
      const schema = new URL(DATA_SCHEMA_PATH, url).href
      const data = await downloadOwnData(dependencies, { tenantId, signedIn, schema })
      return new Response(data, {
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': 'attachment; filename="account.json"',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          link: `<${schema}>; rel="describedby"`,
        },
      })
    },
    /**
     * Requests the deletion of the account and signs the user out. The next page requires no sign-in, because a sign-in
     * would cancel the deletion.
     */
    async delete({ dependencies, tenantId, url, request, signedIn, form, boot, beginChange }) {
      await requireEditableFields(dependencies, tenantId, ['deletion'])
      const name = getDeletionName(signedIn.user, url.host)
      if (!isDeletionName(form.get('confirm') ?? '', name)) {
        const { language } = await boot()
        const phrases = await loadAccountPhrases(language)
        const t = createTranslator<AccountPhraseKey>({ language, phrases })
        throw new FieldProblem('confirm', t('delete_type_again', { name }))
      }
      const change = { ...beginChange('Account.Deletion.Create'), url: request.url }
      const { dueAt } = await requestOwnDeletion(dependencies, change)
      const flash = { path: DELETED_PATH, ...(dueAt !== null && { values: { dueAt } }) }
      return redirectTo(DELETED_PATH, 303, [
        await sealAccountCookie(dependencies, { tenantId, url }, '_account_flash', flash),
        ...deleteAccountCookies(url, { except: '_account_flash' }),
      ])
    },
  },
}

/**
 * Confirms that the account will be deleted. The confirmation is shown only once, so visitors who have not just
 * submitted the form are redirected.
 */
export async function showDeletedPage(dependencies: Dependencies, visit: Visit): Promise<Response> {
  const flash = await unsealAccountCookie(dependencies, visit, '_account_flash')
  if (flash?.path !== DELETED_PATH) return redirectTo('/account', 302)
  const dueAt = typeof flash.values?.dueAt === 'number' ? flash.values.dueAt : null
  const title = dueAt === null ? 'deleted' : 'deletion_planned'
  const body = <AccountDeleted dueAt={dueAt} />
  const response = await renderAccountPage(dependencies, visit, { title, signedIn: null, isCard: true, body })
  response.headers.append('set-cookie', deleteAccountCookie('_account_flash', visit.url))
  return response
}

/** Serves the JSON schema of the exported data. It is public, because it contains no personal data. */
export async function serveDataSchema(url: URL): Promise<Response> {
  const { accountDataSchema } = await import('../../contract/account/account-data.schema.ts')
  const body = JSON.stringify(accountDataSchema(url.origin + DATA_SCHEMA_PATH), null, 2)
  return new Response(body, {
    headers: {
      'content-type': 'application/schema+json',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    },
  })
}
