import { z } from 'zod'
import type { ConnectorFailureCode } from '../contract/connectors.ts'
import { addressWith } from './address-with.ts'
import { askForProfile, refuseError } from './code-exchange.ts'
import { ConnectorFailure } from './failure.ts'
import { authorizationCode, socialConnector } from './social.ts'
import { ask, type ProviderAnswer, readJson } from './social-call.ts'
import { appFields, appItems, endpointFields, endpointItems } from './social-fields.ts'

/** https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html: a code to scan with the phone. */
export const wechatWeb = socialConnector({
  factoryId: 'wechat-web',
  description: { en: 'Sign in by scanning a code with WeChat' },
  config: z.object({ ...appFields, ...endpointFields }),
  formItems: [...appItems, ...endpointItems],

  authorizationUri({ appId, authorizationEndpoint }, { state, redirectUri }) {
    const uri = addressWith(authorizationEndpoint ?? 'https://open.weixin.qq.com/connect/qrconnect', {
      appid: appId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'snsapi_login',
      state,
    })
    return { uri: `${uri}#wechat_redirect` }
  },

  async profile({ appId, appSecret, tokenEndpoint, userInfoEndpoint }, callback, context) {
    const granted = await ask(
      addressWith(tokenEndpoint ?? 'https://api.weixin.qq.com/sns/oauth2/access_token', {
        appid: appId,
        secret: appSecret,
        code: authorizationCode(callback),
        grant_type: 'authorization_code',
      }),
      {},
      context,
    )
    refuseError(granted)
    refuseErrcode(granted)
    const { access_token: token, openid } = readJson(granted, Tokens)
    const found = await askForProfile(
      addressWith(userInfoEndpoint ?? 'https://api.weixin.qq.com/sns/userinfo', {
        access_token: token,
        openid,
      }),
      { headers: {} },
      context,
    )
    refuseErrcode(found)
    const user = readJson(found, User)
    // One person has an openid in every application, and one unionid in all of an operator's.
    const id = user.unionid || user.openid
    const { nickname: name, headimgurl: avatar } = user
    return { id, ...(name && { name }), ...(avatar && { avatar }) }
  },
})

const Tokens = z.object({ access_token: z.string().min(1), openid: z.string() })
const User = z.object({
  openid: z.string(),
  unionid: z.string().nullish(),
  nickname: z.string().nullish(),
  headimgurl: z.string().nullish(),
})

const failures: Record<number, ConnectorFailureCode> = {
  40029: 'social_auth_code_invalid',
  40163: 'social_auth_code_invalid',
  42003: 'social_auth_code_invalid',
  40001: 'social_invalid_access_token',
  40014: 'social_invalid_access_token',
}

/** WeChat says everything with status 200. */
function refuseErrcode(answer: ProviderAnswer): void {
  const { errcode, errmsg } = readJson(answer, Said)
  if (errcode) throw new ConnectorFailure(failures[errcode] ?? 'general', { detail: { errcode, errmsg } })
}

const Said = z.looseObject({ errcode: z.number().optional(), errmsg: z.string().optional() })
