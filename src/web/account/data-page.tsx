import { Data } from '../../../client/account/data.tsx'
import { refuseKeptFields } from '../../application/account/account-fields.ts'
import { ownData } from '../../application/account/data.ts'
import { deletionDueAt, deletionFacts, requestOwnDeletion } from '../../application/account/deletion.ts'
import { type AccountText, loadAccountTexts } from '../../contract/account/account-catalogue.ts'
import { isShown } from '../../contract/account/account-fields.ts'
import { refuseWith } from '../../contract/refused.ts'
import { DATA_SCHEMA } from './data-schema.ts'
import { afterDeletion } from './deleted-page.tsx'
import { type AccountPage, FieldProblem } from './visit.ts'

const UNCONFIRMED = 'delete_unconfirmed' satisfies AccountText

export const dataPage: AccountPage = {
  async show({ dependencies, tenantId, read }, { problem, fields }) {
    const { db, tenantSettings } = dependencies
    if (!isShown(fields, 'data') && !isShown(fields, 'deletion')) refuseWith('entity.not_found')
    const now = dependencies.now()
    const { signedIn, rows } = await read((userId) => deletionFacts(db, tenantId, userId, now))
    const { accountCentre } = await tenantSettings.get(tenantId)
    const dueAt = deletionDueAt(accountCentre, { now, undo: rows.undo[0] })
    return {
      title: 'data',
      user: signedIn.user,
      body: <Data schema={DATA_SCHEMA} dueAt={dueAt} problem={problem} />,
    }
  },
  actions: {
    async download({ dependencies, tenantId, url, signedIn, beginAudit }) {
      await refuseKeptFields(dependencies, tenantId, ['data'])
      beginAudit('Account.Data.Export')
      const schema = new URL(DATA_SCHEMA, url).href
      const data = await ownData(dependencies, { tenantId, signedIn, schema })
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
    async delete({ dependencies, tenantId, url, signedIn, form, message, boot, beginAudit, background }) {
      await refuseKeptFields(dependencies, tenantId, ['deletion'])
      if (form.get('confirm') !== 'yes') {
        const texts = await loadAccountTexts((await boot()).language)
        throw new FieldProblem('confirm', texts[UNCONFIRMED])
      }
      const audit = beginAudit('Account.Deletion.Create')
      const request = { tenantId, signedIn, message, url, audit, background }
      return afterDeletion(
        dependencies,
        { tenantId, url: new URL(url) },
        await requestOwnDeletion(dependencies, request),
      )
    },
  },
}
