import { z } from 'zod'
import { codeFlowConnector } from './code-flow.ts'

/** Signs in with Naver: https://developers.naver.com/docs/login/api/api.md */
export const naver = codeFlowConnector({
  factoryId: 'naver-universal',
  description: { en: 'Sign in with a Naver account' },
  endpoints: {
    authorization: 'https://nid.naver.com/oauth2.0/authorize',
    token: 'https://nid.naver.com/oauth2.0/token',
    userInfo: 'https://openapi.naver.com/v1/nid/me',
  },
  tokenTakesState: true,
  user: z.object({
    response: z.object({
      id: z.string(),
      nickname: z.string().nullish(),
      profile_image: z.string().nullish(),
      email: z.string().nullish(),
    }),
  }),
  profile: ({ response: { id, nickname: name, profile_image: avatar, email } }) => ({
    id,
    name,
    avatar,
    email,
  }),
})
