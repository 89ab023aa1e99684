import { NotMe } from '../../../client/account/not-me.tsx'
import type { AccountPage } from './visit.ts'

export const notMePage: AccountPage = {
  actions: {},
  async show({ read }) {
    const { signedIn } = await read(() => ({}))
    return { title: 'not_me', user: signedIn.user, body: <NotMe /> }
  },
}
