import { z } from 'zod'
import { codeFlowConnector } from './code-flow.ts'

/**
 * Signs in with Feishu: https://open.feishu.cn/document/common-capabilities/sso/web-application-sso/web-app-overview
 */
export const feishu = codeFlowConnector({
  factoryId: 'feishu-web',
  description: { en: 'Sign in with a Feishu account' },
  endpoints: {
    authorization: 'https://passport.feishu.cn/suite/passport/oauth/authorize',
    token: 'https://passport.feishu.cn/suite/passport/oauth/token',
    userInfo: 'https://passport.feishu.cn/suite/passport/oauth/userinfo',
  },
  isApp: true,
  user: z.object({
    sub: z.string(),
    name: z.string().nullish(),
    avatar_url: z.string().nullish(),
    email: z.string().nullish(),
    mobile: z.string().nullish(),
  }),
  // Only members of the organization that owns the app can sign in, and the organization vouches for their email
  // addresses.
  profile: ({ sub: id, name, avatar_url: avatar, email, mobile: phone }) => ({
    id,
    name,
    avatar,
    email,
    phone,
  }),
})
